/** As long as the contract takes a filter. */
const longest = 4000

/** The filter that an address carries: `#/deliveries?filter=type%3AOPEN_TAB`; null where it is another page's address. */
export function filterOf(hash: string): string | null {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#/, ''), '?')
  if (path !== '' && path !== '/' && path !== '/deliveries') return null
  return (new URLSearchParams(query).get('filter') ?? '').slice(0, longest).trim()
}

/** The address of the list under a filter. */
export function filterAddress(filter: string): string {
  return filter === '' ? '#/deliveries' : `#/deliveries?${new URLSearchParams({ filter })}`
}

function splitOnce(text: string, sign: string): string[] {
  const at = text.indexOf(sign)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
