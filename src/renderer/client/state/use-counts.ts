import { useEffect, useState } from 'react'
import type { CallInput, CallOutput } from '#contract/calls.ts'
import { messageOf } from '#kit/use-action.ts'
import type { Client } from '../client.ts'
import { useClient } from '../use-client.ts'
import { useShell } from './app.ts'
import { useDeliveries } from './deliveries.ts'
import { type Scope, useLog } from './scope.ts'

interface Asked {
  readonly log: Scope
  /** Milliseconds since the epoch. */
  readonly asOf: number
}

interface Input {
  readonly filter: string
  readonly by: string
}

type Ask<I extends Input, R> = (client: Client, input: I & Asked) => Promise<R>

export interface Counted<I extends Input, R> {
  readonly result: R | null
  /** Why counting failed; null if it did not. */
  readonly message: string | null
  /** What was counted; null before the first result. */
  readonly by: I['by'] | null
}

export type GroupsInput = Pick<CallInput<'deliveries.groups'>, 'by'> & Input

const askGroups: Ask<GroupsInput, CallOutput<'deliveries.groups'>> = async (client, input) =>
  client.call('deliveries.groups', input)

/** Groups of the deliveries that match a filter, kept up to date; null: nothing is counted. */
export function useGroups(input: GroupsInput | null) {
  return useCounts(input, askGroups)
}

/** Minimum pause between counts in milliseconds; after a slow count, the pause is `restShare` times its duration. */
const rest = 1000
const restShare = 10
/** Milliseconds between two updates of a partial count. */
const updateEvery = 150

/** Counts of a filter, kept up to date. The previous ones stay until the first of the next are in. Null: nothing is counted. */
export function useCounts<I extends Input, R extends { readonly complete: boolean }>(
  input: I | null,
  ask: Ask<I, R>,
): Counted<I, R> {
  const client = useClient()
  const log = useLog()
  const [counted, setCounted] = useState<Counted<I, R>>({ result: null, message: null, by: null })
  const key = input && JSON.stringify(input)
  useEffect(() => {
    if (key === null) return undefined
    const wanted: I = JSON.parse(key)
    return follow(client, log, wanted.filter, {
      ask: (asOf) => ask(client, { ...wanted, log, asOf }),
      show: (next) => setCounted({ ...next, by: wanted.by }),
    })
  }, [ask, client, key, log])
  return counted
}

interface Following<R> {
  readonly ask: (asOf: number) => Promise<R>
  readonly show: (counted: { readonly result: R | null; readonly message: string | null }) => void
}

function follow<R extends { readonly complete: boolean }>(
  client: Client,
  log: Scope,
  filter: string,
  { ask, show }: Following<R>,
): () => void {
  const deliveries = useDeliveries.of(log)
  /** Stopping a search stops the counting as well. */
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
        const result = await ask(asOf)
        if (ended) return
        const now = performance.now()
        const last = result.complete || stopped()
        if (last || now - shown > updateEvery) {
          shown = now
          show({ result, message: null })
        }
        if (last) break
      }
    } catch (error) {
      if (ended) return
      show({ result: null, message: messageOf(error) })
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
      // These are statistics of the live store; a log never changes.
      if (log !== null) return
      if (
        newestId !== old.newestId ||
        deliveries !== old.deliveries ||
        (indexedId !== old.indexedId && filter !== '')
      ) {
        changed()
      }
    }),
    client.on('deliveries.changed', () => log === null && changed()),
    client.onConnection(({ phase }) => phase === 'connected' && changed()),
  ]
  void count()
  return () => {
    ended = true
    window.clearTimeout(timer)
    for (const stop of stops) stop()
  }
}
