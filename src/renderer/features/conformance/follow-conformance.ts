import type { TypeConformance } from '#contract/deliveries.ts'
import { CallError, sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'

/** Milliseconds between two askings while deliveries arrive. */
export const askedEvery = 4000

/** What is known of the store's conformance. */
export interface Conformance {
  /** Null: no answer yet. The last one stays while another is asked for, and when that fails. */
  readonly types: readonly TypeConformance[] | null
  /** When the answer came, in milliseconds since the epoch. */
  readonly at: number | null
  readonly asking: boolean
  /** Why the last asking failed, as a sentence. */
  readonly failure: string | null
}

export const nothingAsked: Conformance = { types: null, at: null, asking: false, failure: null }

export interface Following {
  /** Asks now, or as soon as the asking that goes on has its answer. */
  ask(): void
  stop(): void
}

/** Asks at once, and again while deliveries of the live store come, go or change, one asking at a time. A log never changes. `now` in milliseconds since the epoch. */
export function followConformance(
  client: Client,
  log: number | null,
  tell: (change: Partial<Conformance>) => void,
  now: () => number,
): Following {
  let stopped = false
  let asking = false
  /** Something came while an answer was on its way: it may not know of it. */
  let stale = false
  let askedAt = 0
  let timer: ReturnType<typeof setTimeout> | null = null

  async function ask(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (asking) {
      stale = true
      return
    }
    asking = true
    stale = false
    askedAt = now()
    tell({ asking: true })
    try {
      const { types } = await client.call('deliveries.conformance', {
        log,
        since: null,
        before: null,
      })
      if (!stopped) tell({ types, at: now(), failure: null })
    } catch (error) {
      // A connection that is lost has its own banner, and all is asked again when it is back.
      const lost = error instanceof CallError && error.code === 'connection_lost'
      if (!stopped && !lost) tell({ failure: sentence(error) })
    }
    asking = false
    if (stopped) return
    tell({ asking: false })
    if (stale) soon()
  }

  function soon(): void {
    if (stopped) return
    if (asking) stale = true
    else timer ??= setTimeout(() => void ask(), Math.max(0, askedAt + askedEvery - now()))
  }

  const ends = [
    ...(log === null
      ? [
          client.on('deliveries.arrived', soon),
          client.on('deliveries.indexed', soon),
          client.on('deliveries.removed', soon),
        ]
      : []),
    client.onReload(soon),
    client.onConnection(({ phase }) => {
      if (phase === 'connected') soon()
    }),
  ]
  void ask()

  return {
    ask: () => void ask(),
    stop() {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      for (const end of ends) end()
    },
  }
}
