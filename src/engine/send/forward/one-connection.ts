/** Of one connection, whatever stands in `Connection` (RFC 9110, 7.6.1), and framing: our own answer has its own. */
const ofOneConnection = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
])

/** The headers of an answer that may go along with it on another connection: order, case and duplicates as they were. Name, value, name, value. */
export function endToEnd(headers: readonly (readonly [string, string])[]): string[] {
  const named = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(','))
      .map((name) => name.trim().toLowerCase()),
  )
  return headers
    .filter(([name]) => {
      const lower = name.toLowerCase()
      return !ofOneConnection.has(lower) && !lower.startsWith('proxy-') && !named.has(lower)
    })
    .flatMap(([name, value]) => [name, value])
}
