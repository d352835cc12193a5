import type { Trace } from '#contract/deliveries.ts'
import { scoped, type Scope } from '../../../../state/scope.ts'
import { openDelivery, useDeliveries } from '../../../../state/deliveries.ts'

interface Going {
  /** The trace that was shown last: what one goes along, also while the next delivery is still to come. */
  readonly trace: Trace | null
  readonly along: number | null
}

/** Ids of one log mean nothing in another. */
const goings = scoped<Going>(() => ({ trace: null, along: null }))

export function showsTrace(trace: Trace, scope: Scope): void {
  goings.of(scope).setState({ trace })
}

/** The trace that was shown last, where this delivery belongs to it. */
export function lastTraceWith(id: number, scope: Scope): Trace | null {
  const { trace } = goings.of(scope).getState()
  const holds = trace?.entries.some(({ row, relation }) => row.id === id && relation === 'tied')
  return holds ? trace : null
}

/** Opens another delivery of the trace; the tab stays, and the focus goes along. */
export function goTo(id: number): void {
  goings.setState({ along: id })
  openDelivery(id)
}

/** Opens the tied one that stands so many places later (earlier when negative) than the one that is open. */
export function goAlong(places: number): void {
  const { selectedId } = useDeliveries.getState()
  const { trace } = goings.getState()
  const entries = trace?.entries.filter(({ relation }) => relation === 'tied') ?? []
  const place = entries.findIndex(({ row }) => row.id === selectedId)
  const next = place < 0 ? undefined : entries[place + places]
  if (next) goTo(next.row.id)
}

/** Whether a delivery was opened from a trace. True once: its entry then takes the focus. */
export function takeTraceFocus(id: number): boolean {
  const came = goings.getState().along === id
  if (came) goings.setState({ along: null })
  return came
}
