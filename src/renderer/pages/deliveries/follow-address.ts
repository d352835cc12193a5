import { listAddressOf, placeOf } from '#client/addresses/deliveries.ts'
import { type Scope, onShownScope, shownScope, showScope } from '#client/state/scope.ts'
import {
  type DeliveriesState,
  openDelivery,
  setFilterFromAddress,
  useDeliveries,
} from '#client/state/deliveries.ts'

/** Milliseconds to wait when deliveries are opened in quick succession, since browsers limit how often the address may change. */
const settleDelay = 200

/**
 * Keeps the address in sync with the list, its filter and the open delivery, so that each can be linked to and survives a reload. Applying a
 * filter and opening a delivery add a history entry. Typing a filter and moving from one open delivery to the next replace the entry.
 */
export function followAddress(page: Window): void {
  const address = new Address(page)
  address.apply()
  let stop = address.follow(shownScope())
  onShownScope((scope) => {
    stop()
    stop = address.follow(scope)
  })
  page.addEventListener('hashchange', () => address.apply())
}

class Address {
  readonly #page: Window
  #typing = false
  #written: string | null = null
  #listBelow = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(page: Window) {
    this.#page = page
  }

  apply(): void {
    // Written by this class, so the list already matches.
    if (this.#page.location.hash === this.#written) return
    this.#written = null
    this.#listBelow = false
    const place = placeOf(this.#page.location.hash)
    showScope(place?.scope ?? null)
    if (place === null) return
    const deliveries = useDeliveries.of(place.scope)
    if (place.delivery !== null) {
      openDelivery(place.delivery, place.scope)
      deliveries.setState({ revealId: place.delivery })
    } else if (deliveries.getState().open) deliveries.setState({ open: false })
    if (place.tab !== null) deliveries.setState({ tab: place.tab })
    // The list stays as it is, whether or not it contains the delivery.
    if (place.filter === null) return
    // An address from elsewhere: typing next adds a new history entry.
    if (place.filter !== deliveries.getState().filter) this.#typing = false
    setFilterFromAddress(place.filter, place.scope)
  }

  /** Writes the filter and the open delivery of a list into the address. Returns a function that stops it. */
  follow(scope: Scope): () => void {
    this.#typing = false
    return useDeliveries.of(scope).subscribe((state, before) => {
      const applied = state.appliedCount !== before.appliedCount
      const typed = state.filter !== before.filter
      if (applied || (typed && state.filter !== placeOf(this.#page.location.hash)?.filter)) {
        this.#changeFilter(state, before, scope)
      } else if (openOf(state) !== openOf(before)) {
        this.#changeDelivery(openOf(before), openOf(state), scope)
      } else if (state.open && state.tab !== before.tab) {
        this.#changeTab(scope)
      }
    })
  }

  #changeFilter(state: DeliveriesState, before: DeliveriesState, scope: Scope): void {
    const place = placeOf(this.#page.location.hash)
    // An address without a filter keeps the filter of the list. Write it first, so that Back returns to it.
    const other = state.filter !== before.filter
    if (other && place?.scope === scope && place.delivery !== null && place.filter === null) {
      this.#go(listAddressOf(before, scope), true)
    }
    const applied = state.appliedCount !== before.appliedCount
    this.#go(
      listAddressOf(state, scope),
      this.#typing && (!applied || state.filter === before.filter),
    )
    this.#typing = !applied
    this.#listBelow = false
  }

  #changeDelivery(before: number | null, now: number | null, scope: Scope): void {
    const place = placeOf(this.#page.location.hash)
    // The list is not shown, or the address already contains this delivery.
    if (place?.scope !== scope || place.delivery === now) return
    const write = (replacing: boolean): void =>
      this.#go(listAddressOf(useDeliveries.of(scope).getState(), scope), replacing)
    clearTimeout(this.#timer)
    if (before !== null && now !== null) {
      this.#timer = setTimeout(() => {
        const here = placeOf(this.#page.location.hash)
        if (here?.scope === scope && here.delivery !== null) write(true)
      }, settleDelay)
      return
    }
    // Opening and closing deliveries in turn uses a single history entry.
    write(now === null || this.#listBelow)
    this.#listBelow = true
  }

  #changeTab(scope: Scope): void {
    const place = placeOf(this.#page.location.hash)
    const state = useDeliveries.of(scope).getState()
    if (place?.scope !== scope || place.delivery !== openOf(state)) return
    this.#go(listAddressOf(state, scope), true)
  }

  #go(address: string, replacing: boolean): void {
    const { location } = this.#page
    if (location.hash === address || location.hash + address === '#/deliveries') return
    this.#written = address
    if (replacing) location.replace(address)
    else location.hash = address
  }
}

function openOf({ open, selectedId }: DeliveriesState): number | null {
  return open ? selectedId : null
}
