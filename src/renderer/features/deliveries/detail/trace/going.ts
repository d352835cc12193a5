import type { Trace } from '#contract/deliveries.ts'
import { openDelivery, useDeliveries } from '../../store.ts'

/** The trace that was shown last: what one goes along, also while the next delivery is still to come. */
let trace: Trace | null = null
let along: number | null = null

export function showsTrace(shown: Trace): void {
  trace = shown
}

/** The trace that was shown last, where this delivery belongs to it. */
export function lastTraceWith(id: number): Trace | null {
  const holds = trace?.entries.some(({ row, relation }) => row.id === id && relation === 'tied')
  return holds ? trace : null
}

/** Opens another delivery of the trace; the tab stays, and the focus goes along. */
export function goTo(id: number): void {
  along = id
  openDelivery(id)
}

/** Opens the tied one that stands so many places later (earlier when negative) than the one that is open. */
export function goAlong(places: number): void {
  const { selectedId } = useDeliveries.getState()
  const entries = trace?.entries.filter(({ relation }) => relation === 'tied') ?? []
  const place = entries.findIndex(({ row }) => row.id === selectedId)
  const next = place < 0 ? undefined : entries[place + places]
  if (next) goTo(next.row.id)
}

/** Whether a delivery was opened from a trace. True once: its entry then takes the focus. */
export function cameAlong(id: number): boolean {
  const came = along === id
  if (came) along = null
  return came
}
