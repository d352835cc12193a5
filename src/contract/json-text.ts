/**
 * A JSON text with one member a line, every value written exactly as it came: numbers keep their digits, strings their escapes, duplicate
 * names stay. Null for what is no JSON, or is neither an object nor an array.
 */
export function prettyJson(text: string): string | null {
  const trimmed = text.trim()
  if (!/^[{[]/.test(trimmed) || !isJson(trimmed)) return null
  let written = ''
  let depth = 0
  const line = (): string => `\n${'  '.repeat(depth)}`
  for (const [token] of trimmed.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    switch (token) {
      case '{':
      case '[':
        written += token
        depth += 1
        written += line()
        break
      case '}':
      case ']':
        depth -= 1
        // Nothing between the brackets: they stay together.
        written = /[{[]\s*$/.test(written) ? written.trimEnd() + token : written + line() + token
        break
      case ',':
        written += token + line()
        break
      case ':':
        written += ': '
        break
      default:
        written += token
    }
  }
  return written
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
