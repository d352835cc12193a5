import { logAddress, logOf } from '../logs/address.ts'
import type { Scope } from './scope/scope.ts'

/** As long as the contract takes a filter. */
const longest = 4000

/** A list and its filter, as an address names them. */
interface Place {
  readonly scope: Scope
  readonly filter: string
}

/** `#/deliveries?filter=type%3AOPEN_TAB`, `#/logs/3?filter=…`; null where it is another page's address. */
export function placeOf(hash: string): Place | null {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#/, ''), '?')
  const scope = logOf(hash)
  const lists = scope === null ? ['', '/', '/deliveries'] : [logAddress(scope).slice(1)]
  if (!lists.includes(path)) return null
  const filter = (new URLSearchParams(query).get('filter') ?? '').slice(0, longest).trim()
  return { scope, filter }
}

/** The address of a list under a filter. */
export function filterAddress(filter: string, scope: Scope = null): string {
  const list = scope === null ? '#/deliveries' : logAddress(scope)
  return filter === '' ? list : `${list}?${new URLSearchParams({ filter })}`
}

function splitOnce(text: string, sign: string): string[] {
  const at = text.indexOf(sign)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
