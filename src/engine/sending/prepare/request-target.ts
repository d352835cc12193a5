/** The URL with the query of the delivery, unless it has its own. */
export function withQuery(url: URL, capturedPath: string): URL {
  const mark = capturedPath.indexOf('?')
  if (mark === -1 || url.search !== '') return url
  const combined = new URL(url)
  combined.search = capturedPath.slice(mark)
  return combined
}

interface RequestAddress {
  readonly url: URL
  /** The target in the request line. */
  readonly target: string
}

/** Cached by URL object: the deliveries of a job mostly have the same path, and parsing takes as long as the rest. */
const known = new WeakMap<URL, RequestAddress & { readonly capturedPath: string }>()

/** The URL and request target of a delivery that is sent to `given`. */
export function addressOf(given: URL, capturedPath: string): RequestAddress {
  const last = known.get(given)
  if (last?.capturedPath === capturedPath) return last
  const url = withQuery(given, capturedPath)
  const found = { url, target: requestTarget(url, capturedPath), capturedPath }
  known.set(given, found)
  return found
}

/**
 * The target in the request line. Uses the captured path and query byte for byte as far as they mean the same, since `URL` normalizes them.
 * `capturedPath` is empty for a request that is not based on a delivery.
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

/** A malformed request can contain anything here: a space would end the target, a line break the line (RFC 9112, 3). */
function isOneWord(target: string): boolean {
  return /^[\x21-\x7e\x80-\xff]*$/.test(target)
}

function sameWhenParsed(url: URL, target: string): boolean {
  const combined = url.origin + target
  if (!target.startsWith('/') || !URL.canParse(combined)) return false
  const parsed = new URL(combined)
  return parsed.pathname === url.pathname && parsed.search === url.search
}
