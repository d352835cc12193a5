import type { Job } from '#contract/sending.ts'
import { steadyClock, systemClock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import { readJob, readJobRequest } from '../../store/sending/read-jobs.ts'
import { throttle } from '../../throttle.ts'
import type { JobRequest } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import { assertConfirmed, parseTarget } from '../target/look.ts'
import { createRetry, type Retrying } from './retry.ts'
import { createItemSender, prepareItem } from './item-sender.ts'
import { JobRun } from './run.ts'
import { type Db, prepare } from '../../store/driver.ts'
import { createWaiting, shownState } from '../../store/sending/job-items.ts'
import type { SendWrites } from '../../store/send-writes.ts'
import type { ThreadClient } from '../../threads/rpc.ts'
import type { Item } from './claims.ts'
import { pacingOf } from './pacing.ts'
import type { RunStore } from './run-parts.ts'

/** Re-sending many. */
export interface Jobs {
  start(wish: JobRequest, ids: readonly number[]): Promise<Job>
  pause(id: number): Promise<Job>
  resume(id: number, uncertain: 'skip' | 'send'): Promise<Job>
  cancel(id: number): Promise<Job>
  /** Starts another job with the deliveries of one that failed, sent in the same way. */
  resendFailed(id: number): Promise<Job>
  live(): Job[]
  /** Those that run stay as they are in the store, and are `interrupted` when it is opened again. */
  close(): Promise<void>
}

/** A job is told about so often, in milliseconds. */
const toldEveryMs = 200

export function createJobs(parts: SenderParts): Jobs {
  const { writes, db, world } = parts
  /** Those that run, or of which something is still under way. */
  const runs = new Map<number, JobRun>()
  const insisting = createRetry(steadyClock)
  /** What is asked of a job is done one after the other. */
  const turns = new Map<number, Promise<unknown>>()
  const inTurn = async <T>(id: number, work: () => Promise<T>): Promise<T> => {
    const before = turns.get(id) ?? Promise.resolve()
    const mine = before.then(work)
    const over = mine.catch(() => undefined)
    turns.set(id, over)
    try {
      return await mine
    } finally {
      if (turns.get(id) === over) turns.delete(id)
    }
  }

  const stored = (id: number): Job => {
    const job = readJob(db, id)
    if (!job) throw new AppError('not_found', `No job ${id}. It may have been removed.`)
    return job
  }

  /** Throws what would keep every one of them from being sent. */
  const check = async (wish: JobRequest, ids: Iterable<number>): Promise<void> => {
    const to = wish.url === null ? null : parseTarget(wish.url)
    if (to) await assertConfirmed(to, world)
    for (const id of ids) {
      const captured = parts.captured(id)
      if (!captured) continue
      const { request } = prepareItem(parts, wish, captured, to)
      if (!to) await assertConfirmed(request.url, world)
      return
    }
  }

  const run = (job: Job, wish: JobRequest): JobRun => {
    const { id } = job
    const telling = throttle(steadyClock, toldEveryMs, () =>
      parts.tell({ event: 'job', job: live.job }),
    )
    const live = new JobRun(job, {
      store: createRunStore(db, writes, insisting, job),
      clock: steadyClock,
      send: createItemSender(parts, id, wish),
      changed: () => telling.wanted(),
      atRest: () => {
        telling.flush()
        runs.delete(id)
      },
    })
    runs.set(id, live)
    live.start()
    return live
  }

  const start = async (wish: JobRequest, ids: readonly number[]): Promise<Job> => {
    await check(wish, ids)
    const createdAt = systemClock.now()
    const id = await writes.call('createJob', { wish, ids, createdAt })
    return run(stored(id), wish).job
  }

  return {
    start,
    resendFailed: (id) =>
      inTurn(id, async () => {
        const { state } = stored(id)
        if (runs.has(id) || (state !== 'done' && state !== 'cancelled')) {
          throw new AppError('in_use', `Job ${id} is not over. Wait until it is, or cancel it.`)
        }
        const wish = readJobRequest(db, id)
        const ids = failedIds(db, id)
        if (!wish || ids.length === 0) {
          throw new AppError('bad_input', `No delivery of job ${id} failed.`)
        }
        return start({ ...wish, filter: null }, ids)
      }),
    pause: (id) =>
      inTurn(id, async () => {
        const live = runs.get(id)
        await live?.pause()
        return live?.job ?? stored(id)
      }),
    resume: (id, uncertain) =>
      inTurn(id, async () => {
        const live = runs.get(id)
        const job = live?.job ?? stored(id)
        if (job.state === 'running' && live) return job
        if (job.state === 'done' || job.state === 'cancelled') {
          throw new AppError('run_over', 'This job is over. Start another for what is left of it.')
        }
        const wish = readJobRequest(db, id)
        if (!wish) return stored(id)
        const ready = async (): Promise<void> => {
          await check(wish, openIds(db, id))
          await writes.call('settleUncertain', { jobId: id, as: uncertain })
          await writes.call('setJobState', {
            jobId: id,
            state: 'running',
            reason: null,
            endedAt: null,
          })
        }
        if (live) {
          await live.resume(ready)
          return live.job
        }
        await ready()
        return run(stored(id), wish).job
      }),
    cancel: (id) =>
      inTurn(id, async () => {
        const live = runs.get(id)
        if (live) {
          await live.cancel()
          return live.job
        }
        const job = stored(id)
        if (job.state === 'done' || job.state === 'cancelled') return job
        await writes.call('setJobState', {
          jobId: id,
          state: 'cancelled',
          reason: null,
          endedAt: systemClock.now(),
        })
        parts.tell({ event: 'job', job: stored(id) })
        return stored(id)
      }),
    live: () => [...runs.values()].map(({ job }) => job),
    close: async () => {
      insisting.end()
      await Promise.all([...runs.values()].map((live) => live.close()))
    },
  }
}

interface Row {
  readonly position: number
  readonly deliveryId: number
}

/** A job's part of the store: read here, written by the writer thread. */
function createRunStore(
  db: Db,
  writes: ThreadClient<SendWrites>,
  insisting: Retrying,
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
function* openIds(db: Db, jobId: number): Generator<number> {
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
function failedIds(db: Db, jobId: number): number[] {
  return prepare<[number], Pick<Row, 'deliveryId'>>(
    db,
    `SELECT delivery_id AS deliveryId FROM send_job_item INDEXED BY send_job_item_by_state
     WHERE job_id = ? AND state = 'failed' ORDER BY position`,
  )
    .all(jobId)
    .map(({ deliveryId }) => deliveryId)
}
