import { logAddress, logOf } from './logs.ts'
import type { Scope } from '../state/scope.ts'

/** As long as the contract takes a filter. */
const longest = 4000

/** A list, its filter and the delivery that is open, as an address names them. */
interface Place {
  readonly scope: Scope
  /** Null: whatever the list is filtered by. */
  readonly filter: string | null
  readonly delivery: number | null
}

/**
 * `#/deliveries?filter=type%3AOPEN_TAB`, `#/logs/3?filter=…`, `#/deliveries/12`, `#/logs/3/deliveries/12`; null where it is another page's
 * address.
 */
export function placeOf(hash: string): Place | null {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#/, ''), '?')
  const scope = logOf(hash)
  const lists = scope === null ? ['', '/', '/deliveries'] : [logAddress(scope).slice(1)]
  const base = lists.at(-1) ?? ''
  const delivery = idIn(path, scope === null ? base : `${base}/deliveries`)
  if (delivery === null && !lists.includes(path)) return null
  const given = new URLSearchParams(query).get('filter')
  if (delivery !== null && given === null) return { scope, filter: null, delivery }
  return { scope, filter: (given ?? '').slice(0, longest).trim(), delivery }
}

/** The id behind `base`; null: there is none. */
function idIn(path: string, base: string): number | null {
  const [, id] = path.startsWith(base)
    ? (/^\/([1-9]\d{0,14})$/.exec(path.slice(base.length)) ?? [])
    : []
  return id === undefined ? null : Number(id)
}

/** The address of one delivery: opens it in the list under this filter (empty: none), and without one leaves the list as it is. */
export function deliveryAddress(id: number, scope: Scope, filter?: string): string {
  const address = scope === null ? `#/deliveries/${id}` : `${logAddress(scope)}/deliveries/${id}`
  return filter === undefined ? address : `${address}?${new URLSearchParams({ filter })}`
}

/** The address of a list under a filter. */
export function filterAddress(filter: string, scope: Scope = null): string {
  const list = scope === null ? '#/deliveries' : logAddress(scope)
  return filter === '' ? list : `${list}?${new URLSearchParams({ filter })}`
}

/** What of a list its address names. */
interface Listed {
  readonly filter: string
  readonly open: boolean
  readonly selectedId: number | null
}

/** The address of a list as it is: its filter, and the delivery that is open. */
export function listAddressOf({ filter, open, selectedId }: Listed, scope: Scope): string {
  return open && selectedId !== null
    ? deliveryAddress(selectedId, scope, filter)
    : filterAddress(filter, scope)
}

function splitOnce(text: string, sign: string): string[] {
  const at = text.indexOf(sign)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
