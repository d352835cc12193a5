import type { Trace } from '#contract/deliveries.ts'
import { scoped, useLog } from '#client/state/scope.ts'
import { openDelivery, useDeliveries } from '#client/state/deliveries.ts'
import { useEffect, useState } from 'react'
import { type Loaded } from '#kit/use-action.ts'
import { useQuery, useRefresh } from '#client/use-client.ts'

interface TraceNavigation {
  /** The trace shown last. Keyboard navigation follows it while the next delivery loads. */
  readonly trace: Trace | null
  /** The delivery that was opened from the trace, until its entry takes the focus. */
  readonly focusId: number | null
}

/** Kept per scope, since IDs of one log mean nothing in another. */
const useNavigation = scoped<TraceNavigation>(() => ({ trace: null, focusId: null }))

/** Opens another delivery of the trace. The tab stays, and its entry takes the focus. */
export function openFromTrace(id: number): void {
  useNavigation.setState({ focusId: id })
  openDelivery(id)
}

/** Opens the delivery of the trace that is `places` after the open one, or before it if negative. */
export function stepInTrace(places: number): void {
  const { selectedId } = useDeliveries.getState()
  const { trace } = useNavigation.getState()
  const entries = trace?.entries ?? []
  const index = entries.findIndex(({ delivery }) => delivery.id === selectedId)
  const next = index < 0 ? undefined : entries[index + places]
  if (next) openFromTrace(next.delivery.id)
}

/** Whether a delivery was opened from a trace, so that its entry takes the focus. True only once. */
export function consumeTraceFocus(id: number): boolean {
  const requested = useNavigation.getState().focusId === id
  if (requested) useNavigation.setState({ focusId: null })
  return requested
}

/** Minimum milliseconds between two refreshes. */
const refreshEvery = 1000

const pushes = ['deliveries.indexed', 'deliveries.removed'] as const

/** The trace of a delivery, refreshed as the search index grows. Shows the last trace immediately when moving along it. */
export function useTrace(id: number): { state: Loaded<Trace>; reload: () => void } {
  const log = useLog()
  const { state, reload } = useQuery('deliveries.trace', { id, log })
  useRefresh(log, pushes, refreshEvery, reload)
  const [before] = useState(() => {
    const { trace } = useNavigation.of(log).getState()
    return trace?.entries.some(({ delivery }) => delivery.id === id) ? trace : null
  })
  useEffect(() => {
    if (state.phase === 'ready') useNavigation.of(log).setState({ trace: state.value })
  }, [log, state])
  return {
    state: state.phase === 'loading' && before ? { phase: 'ready', value: before } : state,
    reload,
  }
}

/** Deliveries related to this one. */
export function useRelated(id: number) {
  const log = useLog()
  const query = useQuery('deliveries.related', { id, log })
  useRefresh(log, pushes, refreshEvery, query.reload)
  return query
}

/** The heading of a trace: "This tab", or "All with this target" for an unknown kind of subject. */
export function subjectTitle({ kind }: Trace['subject']): string {
  return kind === 'other' ? 'All with this target' : `This ${kind}`
}
