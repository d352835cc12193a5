import { useEffect, useRef, useState } from 'react'
import type { Job, JobItem } from '#contract/sending.ts'
import { sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { latestOnly } from '../../platform/latest-only.ts'
import { useClient } from '../../platform/use-client.ts'
import type { Shown } from './items.ts'
import { itemsAtOnce, itemsMost, withFreshStart } from './items.ts'

interface Items {
  readonly rows: readonly JobItem[]
  /** Null: they are here. */
  readonly failure: string | null
  readonly ready: boolean
  readonly loadMore: () => void
}

interface Held {
  readonly rows: readonly JobItem[]
  readonly failure: string | null
  readonly ready: boolean
}

/** The items of a job, those of one state or all, asked for anew as the job goes on. For a component keyed by job and `shown`. */
export function useItems(job: Job, shown: Shown): Items {
  const client = useClient()
  const [held, setHeld] = useState<Held>({ rows: [], failure: null, ready: false })
  const size = useRef(0)
  const run = useRef<((wanted: null) => void) | null>(null)

  useEffect(() => {
    size.current = held.rows.length
  }, [held])
  useEffect(() => {
    run.current ??= latestOnly<null>(async () => {
      const limit = Math.min(Math.max(size.current, itemsAtOnce), itemsMost)
      try {
        const fresh = await ask(client, job.id, shown, -1, limit)
        setHeld(({ rows }) => ({
          rows: withFreshStart(rows, fresh, limit),
          failure: null,
          ready: true,
        }))
      } catch (error) {
        setHeld((before) => ({ ...before, failure: sentence(error) }))
      }
    })
    run.current(null)
    // The job is another object with each push: then something of it changed.
  }, [client, job, shown])

  function loadMore(): void {
    const last = held.rows.at(-1)?.position ?? -1
    ask(client, job.id, shown, last, itemsAtOnce).then(
      (more) => setHeld((before) => ({ ...before, rows: [...before.rows, ...more] })),
      (error: unknown) => setHeld((before) => ({ ...before, failure: sentence(error) })),
    )
  }

  return { ...held, loadMore }
}

function ask(
  client: Client,
  id: number,
  shown: Shown,
  after: number,
  limit: number,
): Promise<JobItem[]> {
  return client.call('jobs.items', { id, states: shown === 'all' ? [] : [shown], after, limit })
}
