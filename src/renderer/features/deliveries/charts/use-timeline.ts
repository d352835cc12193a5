import { useEffect, useState } from 'react'
import type { Timeline } from '#contract/deliveries.ts'
import { sentence } from '#renderer/platform/call-error.ts'
import type { Client } from '#renderer/platform/client.ts'
import { useClient } from '#renderer/platform/use-client.ts'
import { useShell } from '../../shell/store.ts'
import type { Scope } from '../scope/scope.ts'
import { useLog } from '../scope/scope.ts'
import { useDeliveries } from '../store.ts'
import type { ChartKind } from './store.ts'

/** Milliseconds between two looks at what has changed; where counting takes long, so many times as long as it took. */
const rest = 1000
const restShare = 10
/** Milliseconds between two pictures of what is counted so far. */
const pictureEvery = 150

interface Charted {
  readonly timeline: Timeline | null
  /** Why it could not be counted. */
  readonly message: string | null
}

interface Question {
  readonly log: Scope
  readonly filter: string
  readonly by: ChartKind
  readonly buckets: number
}

/** The timeline of a filter, kept up to date. The one before stays until there is something of the next. */
export function useTimeline({ filter, by, buckets }: Omit<Question, 'log'>): Charted {
  const client = useClient()
  const log = useLog()
  const [charted, setCharted] = useState<Charted & { readonly by: ChartKind }>({
    timeline: null,
    message: null,
    by,
  })
  useEffect(() => {
    if (buckets === 0) return undefined
    return follow(client, { log, filter, by, buckets }, (next) => setCharted({ ...next, by }))
  }, [buckets, by, client, filter, log])
  // One kind's counts are not drawn in another's colours.
  return charted.by === by ? charted : { timeline: null, message: null }
}

function follow(client: Client, question: Question, show: (charted: Charted) => void): () => void {
  const deliveries = useDeliveries.of(question.log)
  /** Whoever stops a search wants nothing of it to go on, the picture of it included. */
  const stopped = (): boolean => deliveries.getState().stopped
  const asOf = deliveries.getState().search.asOf ?? Date.now()
  let ended = false
  let timer = 0
  let stale = false
  let state: 'counting' | 'resting' | 'waiting' = 'waiting'

  async function count(): Promise<void> {
    const begun = performance.now()
    let shown = begun
    stale = false
    state = 'counting'
    try {
      for (;;) {
        const timeline = await client.call('deliveries.timeline', { ...question, asOf })
        if (ended) return
        const now = performance.now()
        const last = timeline.complete || stopped()
        if (last || now - shown > pictureEvery) {
          shown = now
          show({ timeline, message: null })
        }
        if (last) break
      }
    } catch (error) {
      if (ended) return
      show({ timeline: null, message: sentence(error) })
    }
    state = 'resting'
    timer = window.setTimeout(
      () => {
        state = 'waiting'
        if (stale && !stopped()) void count()
      },
      Math.max(rest, (performance.now() - begun) * restShare),
    )
  }

  function changed(): void {
    stale = true
    if (state === 'waiting' && !stopped()) void count()
  }

  const stops = [
    deliveries.subscribe((state, before) => {
      if (before.stopped && !state.stopped) changed()
    }),
    useShell.subscribe((state, before) => {
      const { newestId, deliveries, indexedId } = state.stats
      const old = before.stats
      // Those are figures of the live store; a log never changes.
      if (question.log !== null) return
      if (
        newestId !== old.newestId ||
        deliveries !== old.deliveries ||
        (indexedId !== old.indexedId && question.filter !== '')
      ) {
        changed()
      }
    }),
    client.on('deliveries.changed', () => question.log === null && changed()),
    client.onConnection(({ phase }) => phase === 'connected' && changed()),
  ]
  void count()
  return () => {
    ended = true
    window.clearTimeout(timer)
    for (const stop of stops) stop()
  }
}
