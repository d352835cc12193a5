import { listAddressOf, placeOf } from '../../routes/deliveries.ts'
import { type Scope, onShownScope, shownScope, showScope } from '../../state/scope.ts'
import type { DeliveriesState } from '../../state/deliveries.ts'
import { openDelivery, takeFilter, useDeliveries } from '../../state/deliveries.ts'

/** Milliseconds after the last of several deliveries that are opened one after the other: a browser limits how often an address may change. */
const settled = 200

/**
 * Keeps the list that is shown, its filter, the delivery that is open and the address in step, so that each can be linked and survives a
 * reload. A filter that is chosen and a delivery that is opened are a new place in the history, to which Back leads; while a filter is typed,
 * and while one moves from one open delivery to the next, the place changes.
 */
export function followAddress(page: Window): void {
  /** True while the newest place in the history is one that is being typed. */
  let typing = false
  /** The address that was written last from here; null: the user has gone elsewhere since. */
  let written: string | null = null
  /** The place below this one in the history is the list without a delivery. */
  let listBelow = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function take(): void {
    // What was written from here is how the list is already, or was a moment ago.
    if (page.location.hash === written) return
    written = null
    listBelow = false
    const place = placeOf(page.location.hash)
    showScope(place?.scope ?? null)
    if (place === null) return
    const deliveries = useDeliveries.of(place.scope)
    if (place.delivery !== null) openDelivery(place.delivery, place.scope)
    else if (deliveries.getState().open) deliveries.setState({ open: false })
    // The list stays as it is, whether the delivery is in it or not.
    if (place.filter === null) return
    // An address that did not come from here: what is typed next is another place.
    if (place.filter !== deliveries.getState().filter) typing = false
    takeFilter(place.filter, place.scope)
  }

  function go(address: string, replacing: boolean): void {
    if (page.location.hash === address || page.location.hash + address === '#/deliveries') return
    written = address
    if (replacing) page.location.replace(address)
    else page.location.hash = address
  }

  function changeFilter(state: DeliveriesState, before: DeliveriesState, scope: Scope): void {
    const place = placeOf(page.location.hash)
    // An address without a filter keeps that of the list: Back must lead to the one before.
    const other = state.filter !== before.filter
    if (other && place?.scope === scope && place.delivery !== null && place.filter === null) {
      go(listAddressOf(before, scope), true)
    }
    const chosen = state.choices !== before.choices
    go(listAddressOf(state, scope), typing && (!chosen || state.filter === before.filter))
    typing = !chosen
    listBelow = false
  }

  function changeDelivery(before: number | null, now: number | null, scope: Scope): void {
    const place = placeOf(page.location.hash)
    // On another page nothing is shown, and what an address has opened is in it.
    if (place?.scope !== scope || place.delivery === now) return
    const write = (replacing: boolean): void =>
      go(listAddressOf(useDeliveries.of(scope).getState(), scope), replacing)
    clearTimeout(timer)
    if (before !== null && now !== null) {
      timer = setTimeout(() => {
        const here = placeOf(page.location.hash)
        if (here?.scope === scope && here.delivery !== null) write(true)
      }, settled)
      return
    }
    // Whoever opens and closes one after the other has one place in the history for all.
    write(now === null || listBelow)
    listBelow = true
  }

  /** Writes the filter of one list and its open delivery into the address. Returns its end. */
  function follow(scope: Scope): () => void {
    typing = false
    return useDeliveries.of(scope).subscribe((state, before) => {
      const chosen = state.choices !== before.choices
      const typed = state.filter !== before.filter
      if (chosen || (typed && state.filter !== placeOf(page.location.hash)?.filter)) {
        changeFilter(state, before, scope)
      } else if (openOf(state) !== openOf(before)) {
        changeDelivery(openOf(before), openOf(state), scope)
      }
    })
  }

  take()
  let stop = follow(shownScope())
  onShownScope((scope) => {
    stop()
    stop = follow(scope)
  })
  page.addEventListener('hashchange', take)
}

function openOf({ open, selectedId }: DeliveriesState): number | null {
  return open ? selectedId : null
}
