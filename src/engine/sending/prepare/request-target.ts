/** The address with the query of the delivery, where it has none of its own. */
export function withQuery(url: URL, capturedPath: string): URL {
  const mark = capturedPath.indexOf('?')
  if (mark === -1 || url.search !== '') return url
  const whole = new URL(url)
  whole.search = capturedPath.slice(mark)
  return whole
}

interface Addressed {
  readonly url: URL
  /** What stands in the request line. */
  readonly target: string
}

/** By the address of each job: what it sends came mostly by the same path, and parsing that takes as long as all the rest. */
const known = new WeakMap<URL, Addressed & { readonly capturedPath: string }>()

/** Where a delivery goes, by the address that was given. */
export function addressed(given: URL, capturedPath: string): Addressed {
  const last = known.get(given)
  if (last?.capturedPath === capturedPath) return last
  const url = withQuery(given, capturedPath)
  const found = { url, target: requestTarget(url, capturedPath), capturedPath }
  known.set(given, found)
  return found
}

/**
 * What stands in the request line for an address: as it came, byte for byte, as far as that means the same, since `URL` writes paths and
 * queries anew. `capturedPath` empty: it comes from no delivery.
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

/** Of a request that was none, anything may stand here: a space would end the target, a line break the line (RFC 9112, 3). */
function isOneWord(target: string): boolean {
  return /^[\x21-\x7e\x80-\xff]*$/.test(target)
}

function sameWhenParsed(url: URL, target: string): boolean {
  const whole = url.origin + target
  if (!target.startsWith('/') || !URL.canParse(whole)) return false
  const parsed = new URL(whole)
  return parsed.pathname === url.pathname && parsed.search === url.search
}
