import { filterAddress, placeOf } from './address.ts'
import type { Scope } from './scope/scope.ts'
import { onShownScope, shownScope, showScope } from './scope/scope.ts'
import { openDelivery, takeFilter, useDeliveries } from './store.ts'

/**
 * Keeps the list that is shown, its filter and the address in step, so that a filter can be linked, survives a reload, and Back leads to
 * the one before. A filter that is chosen is a new place in the history; while one is typed, the place changes. An address that names one
 * delivery opens it.
 */
export function followAddress(page: Window): void {
  /** True while the newest place in the history is one that is being typed. */
  let typing = false

  function take(): void {
    const place = placeOf(page.location.hash)
    showScope(place?.scope ?? null)
    if (place === null) return
    if (place.delivery !== null) openDelivery(place.delivery, place.scope)
    // The list stays as it is, whether the delivery is in it or not.
    if (place.filter === null) return
    // An address that did not come from here: what is typed next is another place.
    if (place.filter !== useDeliveries.of(place.scope).getState().filter) typing = false
    takeFilter(place.filter, place.scope)
  }

  function go(address: string, replacing: boolean): void {
    if (page.location.hash === address || page.location.hash + address === '#/deliveries') return
    if (replacing) page.location.replace(address)
    else page.location.hash = address
  }

  /** Writes the filter of one list into the address. Returns its end. */
  function follow(scope: Scope): () => void {
    typing = false
    return useDeliveries.of(scope).subscribe((state, before) => {
      const address = filterAddress(state.filter, scope)
      if (state.choices !== before.choices) {
        go(address, typing && state.filter === before.filter)
        typing = false
      } else if (
        state.filter !== before.filter &&
        state.filter !== placeOf(page.location.hash)?.filter
      ) {
        go(address, typing)
        typing = true
      } else if (state.open !== before.open || state.selectedId !== before.selectedId) {
        // An address that names a delivery must not outlive it: else its link would lead nowhere the next time.
        const named = placeOf(page.location.hash)?.delivery ?? null
        if (named !== null && !(state.open && state.selectedId === named)) go(address, true)
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
