import type { Job } from '#contract/sending.ts'
import { prepare, type Db } from '../../store/driver.ts'
import { createWaiting, shownState } from '../../store/sending/job-items.ts'
import { readJob } from '../../store/sending/read-jobs.ts'
import type { SendWrites } from '../../store/send-writes.ts'
import type { ThreadClient } from '../../threads/rpc.ts'
import type { Item } from './claims.ts'
import type { Insisting } from './insist.ts'
import { pacingOf } from './pacing.ts'
import type { RunStore } from './run-parts.ts'

interface Row {
  readonly position: number
  readonly deliveryId: number
}

/** A job's part of the store: read here, written by the writer thread. */
export function createRunStore(
  db: Db,
  writes: ThreadClient<SendWrites>,
  insisting: Insisting,
  job: Job,
): RunStore {
  const jobId = job.id
  const { byArrival } = pacingOf(job.pace)
  const waiting = createWaiting(db)
  const received = prepare<[number], { us: number }>(
    db,
    'SELECT received_us AS us FROM delivery WHERE id = ?',
  )
  const withTime = ({ position, deliveryId }: Row): Item => {
    const receivedUs = byArrival ? (received.get(deliveryId)?.us ?? null) : null
    return { position, deliveryId, receivedUs }
  }
  return {
    waiting: (after, limit) => waiting(jobId, after, limit).map(withTime),
    claim: async (count) => {
      const { claimed, gone } = await insisting.insist(() => writes.call('claim', { jobId, count }))
      return { items: claimed.map(withTime), gone }
    },
    unclaim: (positions) => insisting.insist(() => writes.call('unclaim', { jobId, positions })),
    setState: (state, reason, endedAt) =>
      insisting.insist(() => writes.call('setJobState', { jobId, state, reason, endedAt })),
    job: () => readJob(db, jobId) ?? job,
  }
}

/** The deliveries of a job that still wait or are in doubt, in order. */
export function* openIds(db: Db, jobId: number): Generator<number> {
  const next = prepare<[number, number], Row>(
    db,
    `SELECT position, delivery_id AS deliveryId FROM send_job_item
     WHERE job_id = ? AND position > ? AND ${shownState} IN ('waiting', 'uncertain') ORDER BY position LIMIT 1`,
  )
  let row = next.get(jobId, -1)
  while (row) {
    yield row.deliveryId
    row = next.get(jobId, row.position)
  }
}

/** The deliveries of a job that failed, in order. */
export function failedIds(db: Db, jobId: number): number[] {
  return prepare<[number], Pick<Row, 'deliveryId'>>(
    db,
    `SELECT delivery_id AS deliveryId FROM send_job_item INDEXED BY send_job_item_by_state
     WHERE job_id = ? AND state = 'failed' ORDER BY position`,
  )
    .all(jobId)
    .map(({ deliveryId }) => deliveryId)
}
