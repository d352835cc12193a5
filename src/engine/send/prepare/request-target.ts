/** The address with the query of the delivery, where it has none of its own. */
export function withQuery(url: URL, capturedPath: string): URL {
  const mark = capturedPath.indexOf('?')
  if (mark === -1 || url.search !== '') return url
  const whole = new URL(url)
  whole.search = capturedPath.slice(mark)
  return whole
}

/**
 * What stands in the request line for an address. A query of the delivery goes along where the address has none, byte for byte, since `URL`
 * would write it anew; so does the whole target of the delivery where the address means the same.
 */
export function requestTarget(url: URL, capturedPath: string): string {
  const own = url.pathname + url.search
  if (url.search === '') {
    const mark = capturedPath.indexOf('?')
    const path = mark === -1 ? capturedPath : capturedPath.slice(0, mark)
    const query = mark === -1 ? '' : capturedPath.slice(mark)
    return (sameWhenParsed(url, path) ? path : own) + query
  }
  return sameWhenParsed(url, capturedPath) ? capturedPath : own
}

function sameWhenParsed(url: URL, target: string): boolean {
  if (!target.startsWith('/')) return false
  if (target === url.pathname + url.search) return true
  const whole = url.origin + target
  if (!URL.canParse(whole)) return false
  const parsed = new URL(whole)
  return parsed.pathname === url.pathname && parsed.search === url.search
}

/** What stands in the request line for the address of a draft, as it is written; as captured, where it means the same. */
export function draftTarget(url: URL, capturedPath: string): string {
  if (sameWhenParsed(url, capturedPath)) return capturedPath
  const mark = capturedPath.indexOf('?')
  const ownQuery = mark === -1 ? '' : capturedPath.slice(mark)
  const sameQuery = ownQuery !== '' && sameWhenParsed(url, url.pathname + ownQuery)
  return url.pathname + (sameQuery ? ownQuery : url.search)
}
