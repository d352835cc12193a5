import { useStore } from 'zustand'
import { logAddress, logOf } from './pages.ts'
import {
  type DeliveriesState,
  deliveriesOf,
  type DetailTab,
  detailTabs,
} from '../state/deliveries.ts'
import type { Scope } from '../state/scope.ts'
import { isHttp } from '#shared/text/address.ts'

/** The longest filter that the contract allows, in characters. */
const maxFilterLength = 4000

interface Place {
  readonly scope: Scope
  /** Null: keep the current filter of the list. */
  readonly filter: string | null
  readonly delivery: number | null
  /** Null: keep the current tab. */
  readonly tab: DetailTab | null
}

/** `#/deliveries?filter=type%3AOPEN_TAB`, `#/logs/3?filter=…`, `#/deliveries/12`, `#/logs/3/deliveries/12`; null for the URL of another page. */
export function placeOf(hash: string): Place | null {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#/, ''), '?')
  const scope = logOf(hash)
  const lists = scope === null ? ['', '/', '/deliveries'] : [logAddress(scope).slice(1)]
  const base = lists.at(-1) ?? ''
  const delivery = idIn(path, scope === null ? base : `${base}/deliveries`)
  if (delivery === null && !lists.includes(path)) return null
  const search = new URLSearchParams(query)
  const given = search.get('filter')
  const tab = detailTabs.find((name) => name === search.get('tab')) ?? null
  if (delivery !== null && given === null) return { scope, filter: null, delivery, tab }
  return { scope, filter: (given ?? '').slice(0, maxFilterLength).trim(), delivery, tab }
}

function idIn(path: string, base: string): number | null {
  const [, id] = path.startsWith(base)
    ? (/^\/([1-9]\d{0,14})$/.exec(path.slice(base.length)) ?? [])
    : []
  return id === undefined ? null : Number(id)
}

/** The URL of a delivery. With `filter`, the list is filtered (empty: not filtered). Without it, the list stays as it is. */
export function deliveryAddress(
  id: number,
  scope: Scope,
  filter?: string,
  tab: DetailTab = 'overview',
): string {
  const address = scope === null ? `#/deliveries/${id}` : `${logAddress(scope)}/deliveries/${id}`
  const query = new URLSearchParams({
    ...(filter !== undefined && { filter }),
    ...(tab !== 'overview' && { tab }),
  })
  return query.size === 0 ? address : `${address}?${query}`
}

export function filterAddress(filter: string, scope: Scope = null): string {
  const list = scope === null ? '#/deliveries' : logAddress(scope)
  return filter === '' ? list : `${list}?${new URLSearchParams({ filter })}`
}

type Listed = Pick<DeliveriesState, 'filter' | 'open' | 'selectedId' | 'tab'>

/** The URL of the current state of a list: its filter and its open delivery. */
export function listAddressOf({ filter, open, selectedId, tab }: Listed, scope: Scope): string {
  return open && selectedId !== null
    ? deliveryAddress(selectedId, scope, filter, tab)
    : filterAddress(filter, scope)
}

/** The URL of a list with its current filter and open delivery. */
export function useListAddress(scope: Scope): string {
  return useStore(deliveriesOf(scope), (state) => listAddressOf(state, scope))
}

/** Like `useListAddress`, for use outside components. */
export function listAddress(scope: Scope): string {
  return listAddressOf(deliveriesOf(scope).getState(), scope)
}

/** Beside this one; in a browser a tab. With its opener: the tab gets the token of this one. */
export function openInWindow(id: number, scope: Scope): void {
  window.open(location.pathname + deliveryAddress(id, scope))
}

function splitOnce(text: string, sign: string): string[] {
  const at = text.indexOf(sign)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/**
 * The link to a delivery: `tabscope://delivery/12` if the host handles such links, otherwise the URL of this page. It contains no token, so it only
 * works where the interface is already open. Null in a desktop app without link handling, because the URL of its page does not work anywhere else.
 */
export function linkTo(
  id: number,
  scope: Scope,
  host: { readonly links: boolean; readonly page: string },
): string | null {
  if (host.links) {
    return scope === null ? `tabscope://delivery/${id}` : `tabscope://log/${scope}/delivery/${id}`
  }
  const page = new URL(host.page)
  if (!isHttp(page)) return null
  return `${page.origin}${page.pathname}${deliveryAddress(id, scope)}`
}
