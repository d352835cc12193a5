import { filterAddress, filterOf } from './address.ts'
import { takeFilter, useDeliveries } from './store.ts'

/**
 * Keeps the filter and the address in step, so that a filter can be linked, survives a reload, and Back leads to the one before.
 * A filter that is chosen is a new place in the history; while one is typed, the place changes.
 */
export function followAddress(page: Window): void {
  /** True while the newest place in the history is one that is being typed. */
  let typing = false

  function take(): void {
    const filter = filterOf(page.location.hash)
    if (filter === null) return
    // An address that did not come from here: what is typed next is another place.
    if (filter !== useDeliveries.getState().filter) typing = false
    takeFilter(filter)
  }

  function go(filter: string, replacing: boolean): void {
    const address = filterAddress(filter)
    if (page.location.hash === address || page.location.hash + address === '#/deliveries') return
    if (replacing) page.location.replace(address)
    else page.location.hash = address
  }

  take()
  page.addEventListener('hashchange', take)
  useDeliveries.subscribe((state, before) => {
    if (state.choices !== before.choices) {
      go(state.filter, typing && state.filter === before.filter)
      typing = false
    } else if (state.filter !== before.filter && state.filter !== filterOf(page.location.hash)) {
      go(state.filter, typing)
      typing = true
    }
  })
}
