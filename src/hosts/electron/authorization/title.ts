/** Characters of a host that every title bar has room for. */
const MAX_HOST = 48

/**
 * The title of a window at `url`, by which the user knows whose page it is. `origin` is that of its document: what stands at an address of
 * nobody (`about:blank`) was written by another page, and is named after that one.
 */
export function titleOf(url: string, origin: string): string {
  const own = URL.parse(url)
  const shown = own?.protocol === 'http:' || own?.protocol === 'https:' ? own : URL.parse(origin)
  return shown === null ? 'Authorization' : `${nameOf(shown)} · Authorization`
}

/** A title is cut at its end, and the end of a long host says whose it is: so it is cut at its beginning. */
function nameOf({ protocol, host }: URL): string {
  const end = host.length <= MAX_HOST ? host : `…${host.slice(-MAX_HOST)}`
  return `${protocol}//${end}`
}
