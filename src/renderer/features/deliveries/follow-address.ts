import { listAddressOf, placeOf } from '../../routes/deliveries.ts'
import { type Scope, onShownScope, shownScope, showScope } from '../../state/scope.ts'
import {
  type DeliveriesState,
  openDelivery,
  takeFilter,
  useDeliveries,
} from '../../state/deliveries.ts'

/** Milliseconds to wait when deliveries are opened in quick succession, since browsers limit how often the address may change. */
const settleDelay = 200

/**
 * Keeps the address in sync with the list, its filter and the open delivery, so that each can be linked to and survives a reload. Applying a
 * filter and opening a delivery add a history entry. Typing a filter and moving from one open delivery to the next replace the entry.
 */
export function followAddress(page: Window): void {
  /** Whether the newest history entry is a filter being typed. */
  let typing = false
  /** The last address written here; null if the user navigated elsewhere since. */
  let written: string | null = null
  /** The previous history entry is the list without an open delivery. */
  let listBelow = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function applyAddress(): void {
    // Written by this function, so the list already matches.
    if (page.location.hash === written) return
    written = null
    listBelow = false
    const place = placeOf(page.location.hash)
    showScope(place?.scope ?? null)
    if (place === null) return
    const deliveries = useDeliveries.of(place.scope)
    if (place.delivery !== null) openDelivery(place.delivery, place.scope)
    else if (deliveries.getState().open) deliveries.setState({ open: false })
    // The list stays as it is, whether or not it contains the delivery.
    if (place.filter === null) return
    // An address from elsewhere: typing next adds a new history entry.
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
    // An address without a filter keeps the filter of the list. Write it first, so that Back returns to it.
    const other = state.filter !== before.filter
    if (other && place?.scope === scope && place.delivery !== null && place.filter === null) {
      go(listAddressOf(before, scope), true)
    }
    const applied = state.choices !== before.choices
    go(listAddressOf(state, scope), typing && (!applied || state.filter === before.filter))
    typing = !applied
    listBelow = false
  }

  function changeDelivery(before: number | null, now: number | null, scope: Scope): void {
    const place = placeOf(page.location.hash)
    // The list is not shown, or the address already contains this delivery.
    if (place?.scope !== scope || place.delivery === now) return
    const write = (replacing: boolean): void =>
      go(listAddressOf(useDeliveries.of(scope).getState(), scope), replacing)
    clearTimeout(timer)
    if (before !== null && now !== null) {
      timer = setTimeout(() => {
        const here = placeOf(page.location.hash)
        if (here?.scope === scope && here.delivery !== null) write(true)
      }, settleDelay)
      return
    }
    // Opening and closing deliveries in turn uses a single history entry.
    write(now === null || listBelow)
    listBelow = true
  }

  /** Writes the filter and the open delivery of a list into the address. Returns a function that stops it. */
  function follow(scope: Scope): () => void {
    typing = false
    return useDeliveries.of(scope).subscribe((state, before) => {
      const applied = state.choices !== before.choices
      const typed = state.filter !== before.filter
      if (applied || (typed && state.filter !== placeOf(page.location.hash)?.filter)) {
        changeFilter(state, before, scope)
      } else if (openOf(state) !== openOf(before)) {
        changeDelivery(openOf(before), openOf(state), scope)
      }
    })
  }

  applyAddress()
  let stop = follow(shownScope())
  onShownScope((scope) => {
    stop()
    stop = follow(scope)
  })
  page.addEventListener('hashchange', applyAddress)
}

function openOf({ open, selectedId }: DeliveriesState): number | null {
  return open ? selectedId : null
}
