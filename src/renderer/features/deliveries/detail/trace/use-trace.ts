import { useEffect, useState } from 'react'
import type { Related, Trace } from '#contract/deliveries.ts'
import { type Loaded, useClient, useQuery } from '../../../../platform/use-client.ts'
import { useLog } from '../../../../state/scope.ts'
import { lastTraceWith, rememberTrace } from './trace-navigation.ts'

/** Minimum milliseconds between two refreshes. */
const refreshEvery = 1000

/** The trace of a delivery, refreshed as the search index grows. Shows the last trace immediately when moving along it. */
export function useTrace(id: number): { state: Loaded<Trace>; reload: () => void } {
  const log = useLog()
  const { state, reload } = useQuery('deliveries.trace', { id, log })
  const [before] = useState(() => lastTraceWith(id, log))
  useRefresh(reload)
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
  useRefresh(reload)
  return { state, reload }
}

function useRefresh(reload: () => void): void {
  const client = useClient()
  const log = useLog()
  useEffect(() => {
    // A log never changes.
    if (log !== null) return undefined
    const { run, stop } = throttled(refreshEvery, reload)
    const stops = [client.on('deliveries.indexed', run), client.on('deliveries.removed', run), stop]
    return () => stops.forEach((end) => end())
  }, [client, log, reload])
}

/** Throttles `work` to once in `ms` milliseconds. Calls in between run once at the end of the interval. */
export function throttled(
  ms: number,
  work: () => void,
): { readonly run: () => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null
  let pending = false

  function begin(): void {
    pending = false
    work()
    timer = setTimeout(() => {
      timer = null
      if (pending) begin()
    }, ms)
  }

  return {
    run: () => {
      if (timer === null) begin()
      else pending = true
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      pending = false
    },
  }
}
