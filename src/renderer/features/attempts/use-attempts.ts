import { useEffect, useRef, useState } from 'react'
import type { AttemptSummary } from '#contract/sending.ts'
import { messageOf } from '../../platform/call-error.ts'
import { latestOnly } from '../../platform/limit-calls.ts'
import { type Loaded, useClient } from '../../platform/use-client.ts'
import { toastError } from '../../platform/toasts.ts'
import { useLog } from '../../state/scope.ts'
import { type AttemptsOf, concerns, withNewest, withOlder, useAttemptsStore } from './store.ts'

const pageSize = 50

export interface AttemptsListed {
  /** Newest first. */
  readonly rows: readonly AttemptSummary[]
  readonly total: number
  /** Reasons why the delivery was not forwarded, as sentences. */
  readonly notForwarded: readonly string[]
}

export interface AttemptsSource {
  readonly state: Loaded<AttemptsListed>
  readonly busy: boolean
  readonly loadOlder: () => void
  readonly reload: () => void
}

/** The attempts of a delivery, draft or job, kept up to date. Use a component key for each of them. */
export function useAttempts(of: AttemptsOf): AttemptsSource {
  const client = useClient()
  const log = useLog()
  const [state, setState] = useState<Loaded<AttemptsListed>>({ phase: 'loading' })
  const [busy, setBusy] = useState(false)
  const refreshed = useRef<(request: null) => void>(() => undefined)
  const { deliveryId, draftId, jobId } = of

  useEffect(() => {
    let current = true
    const request = { log, deliveryId, draftId, jobId }
    const refresh = latestOnly<null>(async () => {
      try {
        const page = await client.call('attempts.list', { ...request, limit: pageSize })
        if (!current) return
        setState((before) => {
          const held = before.phase === 'ready' ? before.value.rows : []
          return { phase: 'ready', value: { ...page, rows: withNewest(held, page.rows) } }
        })
      } catch (error) {
        if (!current) return
        // Keep the shown attempts. They are requested again once the connection is back.
        setState((before) =>
          before.phase === 'ready' ? before : { phase: 'failed', message: messageOf(error) },
        )
      }
    })
    refreshed.current = refresh
    refresh(null)
    const stops = [
      useAttemptsStore.subscribe(({ made }, before) => {
        if (log === null && made !== before.made && (made.gap || concerns(made.rows, request)))
          refresh(null)
      }),
      // A skipped forward changes the delivery without creating an attempt.
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
      toastError(error)
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
