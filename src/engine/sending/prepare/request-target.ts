/** Uses the query of the delivery unless the URL has its own. */
export function withQuery(url: URL, capturedPath: string): URL {
  const mark = capturedPath.indexOf('?')
  if (mark === -1 || url.search !== '') return url
  const combined = new URL(url)
  combined.search = capturedPath.slice(mark)
  return combined
}

/**
 * The target in the request line. Keeps the captured path and query byte for byte where they mean the same, since `URL` normalizes them.
 * `capturedPath` is empty for a request without a delivery.
 */
export function requestTarget(url: URL, capturedPath: string): string {
  const own = url.pathname + url.search
  if (own === capturedPath || !isOneWord(capturedPath)) return own
  if (sameWhenParsed(url, capturedPath)) return capturedPath
  const mark = capturedPath.indexOf('?')
  const path = mark === -1 ? capturedPath : capturedPath.slice(0, mark)
  const query = mark === -1 ? '' : capturedPath.slice(mark)
  if (query !== '' && sameWhenParsed(url, url.pathname + query)) return url.pathname + query
  return sameWhenParsed(url, path + url.search) ? path + url.search : own
}

/** A malformed request can contain anything: a space would end the target, a line break the line (RFC 9112, 3). */
function isOneWord(target: string): boolean {
  return /^[\x21-\x7e\x80-\xff]*$/.test(target)
}

function sameWhenParsed(url: URL, target: string): boolean {
  const combined = url.origin + target
  if (!target.startsWith('/') || !URL.canParse(combined)) return false
  const parsed = new URL(combined)
  return parsed.pathname === url.pathname && parsed.search === url.search
}
