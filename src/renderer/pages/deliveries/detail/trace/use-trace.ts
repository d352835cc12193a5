import { useEffect, useState } from 'react'
import type { Related, Trace } from '#contract/deliveries.ts'
import { type Loaded } from '#kit/use-action.ts'
import { useQuery, useRefresh } from '#client/use-client.ts'
import { useLog } from '#client/state/scope.ts'
import { lastTraceWith, rememberTrace } from './trace-navigation.ts'

/** Minimum milliseconds between two refreshes. */
const refreshEvery = 1000

/** The trace of a delivery, refreshed as the search index grows. Shows the last trace immediately when moving along it. */
export function useTrace(id: number): { state: Loaded<Trace>; reload: () => void } {
  const log = useLog()
  const { state, reload } = useQuery('deliveries.trace', { id, log })
  const [before] = useState(() => lastTraceWith(id, log))
  useRefresh(log, ['deliveries.indexed', 'deliveries.removed'], refreshEvery, reload)
  useEffect(() => {
    if (state.phase === 'ready') rememberTrace(state.value, log)
  }, [log, state])
  return {
    state: state.phase === 'loading' && before ? { phase: 'ready', value: before } : state,
    reload,
  }
}

/** Deliveries related to this one, refreshed as the search index grows. */
export function useRelated(id: number): { state: Loaded<Related>; reload: () => void } {
  const log = useLog()
  const { state, reload } = useQuery('deliveries.related', { id, log })
  useRefresh(log, ['deliveries.indexed', 'deliveries.removed'], refreshEvery, reload)
  return { state, reload }
}
