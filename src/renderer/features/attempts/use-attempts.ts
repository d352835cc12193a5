import { useEffect, useRef, useState } from 'react'
import type { AttemptSummary } from '#contract/sending.ts'
import { sentence } from '../../platform/call-error.ts'
import { latestOnly } from '../../platform/latest-only.ts'
import type { Loaded } from '../../platform/use-client.ts'
import { useClient } from '../../platform/use-client.ts'
import { say } from '../../platform/toasts.ts'
import { useLog } from '../../state/scope.ts'
import type { AttemptsOf } from './pages.ts'
import { concerns, withNewest, withOlder } from './pages.ts'
import { useAttemptsStore } from './store.ts'

const pageSize = 50

export interface AttemptsListed {
  /** Newest first. */
  readonly rows: readonly AttemptSummary[]
  readonly total: number
  /** As sentences. */
  readonly notForwarded: readonly string[]
}

export interface AttemptsSource {
  readonly state: Loaded<AttemptsListed>
  /** True while older ones are on their way. */
  readonly busy: boolean
  readonly loadOlder: () => void
  readonly reload: () => void
}

/** The attempts of a delivery, a draft or a job, as they are made. For a component that is keyed by which. */
export function useAttempts(of: AttemptsOf): AttemptsSource {
  const client = useClient()
  const log = useLog()
  const [state, setState] = useState<Loaded<AttemptsListed>>({ phase: 'loading' })
  const [busy, setBusy] = useState(false)
  const refreshed = useRef<(wanted: null) => void>(() => undefined)
  const { deliveryId, draftId, jobId } = of

  useEffect(() => {
    let current = true
    const wanted = { log, deliveryId, draftId, jobId }
    const refresh = latestOnly<null>(async () => {
      try {
        const page = await client.call('attempts.list', { ...wanted, limit: pageSize })
        if (!current) return
        setState((before) => {
          const held = before.phase === 'ready' ? before.value.rows : []
          return { phase: 'ready', value: { ...page, rows: withNewest(held, page.rows) } }
        })
      } catch (error) {
        if (!current) return
        // What is shown stays: it is asked for again when the connection is back.
        setState((before) =>
          before.phase === 'ready' ? before : { phase: 'failed', message: sentence(error) },
        )
      }
    })
    refreshed.current = refresh
    refresh(null)
    const stops = [
      useAttemptsStore.subscribe(({ made }, before) => {
        if (log === null && made !== before.made && (made.gap || concerns(made.rows, wanted)))
          refresh(null)
      }),
      // That it was not forwarded somewhere changes the delivery, and makes no attempt.
      client.on('deliveries.changed', ({ rows }) => {
        if (log === null && rows.some(({ id }) => id === deliveryId)) refresh(null)
      }),
      client.onConnection(({ phase }) => phase === 'connected' && refresh(null)),
    ]
    return () => {
      current = false
      for (const stop of stops) stop()
    }
  }, [client, deliveryId, draftId, jobId, log])

  async function fetchOlder(before: number): Promise<void> {
    try {
      const page = await client.call('attempts.list', { log, ...of, before, limit: pageSize })
      setState((now) =>
        now.phase === 'ready'
          ? { phase: 'ready', value: { ...now.value, rows: withOlder(now.value.rows, page.rows) } }
          : now,
      )
    } catch (error) {
      say('invalid', sentence(error))
    }
    setBusy(false)
  }

  return {
    state,
    busy,
    reload() {
      setState((before) => (before.phase === 'failed' ? { phase: 'loading' } : before))
      refreshed.current(null)
    },
    loadOlder() {
      const last = state.phase === 'ready' ? state.value.rows.at(-1) : undefined
      if (busy || last === undefined) return
      setBusy(true)
      void fetchOlder(last.id)
    },
  }
}
