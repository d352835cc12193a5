import { useEffect, useState } from 'react'
import type { Related, Trace } from '#contract/deliveries.ts'
import { type Loaded, useClient, useQuery } from '../../../../platform/use-client.ts'
import { useLog } from '../../../../state/scope.ts'
import { lastTraceWith, showsTrace } from './going.ts'

/** Milliseconds between two looks at what has arrived since. */
const refreshEvery = 1000

/** The trace of a delivery, fresh when the search index goes on. Along a trace the next delivery shows it at once. */
export function useTrace(id: number): { state: Loaded<Trace>; reload: () => void } {
  const log = useLog()
  const { state, reload } = useQuery('deliveries.trace', { id, log })
  const [before] = useState(() => lastTraceWith(id, log))
  useRefresh(reload)
  useEffect(() => {
    if (state.phase === 'ready') showsTrace(state.value, log)
  }, [log, state])
  return {
    state: state.phase === 'loading' && before ? { phase: 'ready', value: before } : state,
    reload,
  }
}

/** What is like a delivery, fresh when the search index goes on. */
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
    // Nothing comes into a log.
    if (log !== null) return undefined
    const { run, stop } = paced(refreshEvery, reload)
    const stops = [client.on('deliveries.indexed', run), client.on('deliveries.removed', run), stop]
    return () => stops.forEach((end) => end())
  }, [client, log, reload])
}

/** Runs at most once in `ms` milliseconds: what is wanted meanwhile is done once, at the end of them. */
export function paced(
  ms: number,
  work: () => void,
): { readonly run: () => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null
  let wanted = false

  function begin(): void {
    wanted = false
    work()
    timer = setTimeout(() => {
      timer = null
      if (wanted) begin()
    }, ms)
  }

  return {
    run: () => {
      if (timer === null) begin()
      else wanted = true
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      wanted = false
    },
  }
}
