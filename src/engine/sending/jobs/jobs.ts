import { type Job, keptAnswerBytes } from '#contract/sending.ts'
import { mayPass } from '../store-trouble.ts'
import { steadyClock, systemClock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { createKeyedMutex } from '#shared/async/mutex.ts'
import { retry } from '#shared/async/retry.ts'
import { throttle } from '#shared/async/throttle.ts'
import { readJob, readJobRequest, createWaiting, shownState } from '../store/jobs.ts'
import type { JobRequest } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import { assertConfirmed, parseTarget, defaultUrlOf } from '../target.ts'
import { JobRun } from './run.ts'
import { type Db, prepare } from '../../platform/sqlite.ts'
import type { SendWrites } from '../store/send-writes.ts'
import type { ThreadClient } from '../../platform/rpc.ts'
import type { Item, RunStore, Ended, RunParts } from './claims.ts'
import { pacingOf } from './pacing.ts'
import { isExpected } from '#contract/broken-signature.ts'
import type { Captured } from '../../deliveries/store.ts'
import { readLastUrl } from '../store/attempts.ts'
import { attemptFields } from '../attempt-fields.ts'
import { type Prepared, prepareResend } from '../prepare/prepare.ts'

/** So many deliveries are read together, and so many bytes of bodies at most: more than that is not kept. */
const most = 32
const mostBytes = 1024 * 1024

/**
 * Reads deliveries a few at a time. One transaction for each would have SQLite lock, look whether anything was written since, and then read
 * its pages anew: that took longer than all else that is done for a delivery.
 */
class ReadAhead {
  readonly #read: (ids: readonly number[]) => void
  readonly #kept = new Map<number, Captured | null>()

  constructor(db: Db, captured: (id: number) => Captured | null) {
    this.#read = db.transaction((ids: readonly number[]) => {
      let bytes = 0
      for (const id of ids) {
        const one = captured(id)
        this.#kept.set(id, one)
        bytes += one?.body.byteLength ?? 0
        if (bytes > mostBytes) return
      }
    })
  }

  /** One, and with it some of those that come next; null: it is gone. */
  take({ deliveryId: id }: Item, next: readonly Item[]): Captured | null {
    if (!this.#kept.has(id)) {
      this.#kept.clear()
      this.#read([id, ...next.slice(0, most - 1).map(({ deliveryId }) => deliveryId)])
    }
    const one = this.#kept.get(id) ?? null
    this.#kept.delete(id)
    return one
  }
}

/** A delivery ready to go out; `to` null: to where it goes by itself. Throws as `deliveries.resend`. */
function prepareItem(
  parts: SenderParts,
  { sign, edits }: JobRequest,
  captured: Captured,
  to: URL | null,
): Prepared {
  const url = to ?? defaultUrlOf(captured, readLastUrl(parts.db, captured.id), parts.world)
  return prepareResend(captured, { url, sign, edits }, parts.world)
}

/** Sends the deliveries of a job, each once. */
function createItemSender(parts: SenderParts, jobId: number, wish: JobRequest): RunParts['send'] {
  const { recorder, world, wire } = parts
  const to = wish.url === null ? null : parseTarget(wish.url)
  const ahead = new ReadAhead(parts.db, parts.captured)

  const without = (item: Item, as: 'skipped' | 'failed', error: string): Ended => {
    const { position } = item
    const stored = recorder.settle({ jobId, position, state: as, error })
    return { as, status: null, error, bytes: 0, stored }
  }

  return async (item, next, signal) => {
    const captured = ahead.take(item, next)
    if (!captured) return without(item, 'skipped', 'Its delivery is gone.')
    let prepared: Prepared
    try {
      prepared = prepareItem(parts, wish, captured, to)
    } catch (error) {
      // A mistake of ours with one delivery is not to end the thread that sends all of them.
      if (!(error instanceof AppError)) return without(item, 'failed', 'It could not be prepared.')
      if (error.code === 'secret_unavailable') return { as: 'halted', reason: error.message }
      return without(item, 'failed', error.message)
    }
    const at = systemClock.now()
    const known = world.known(prepared.request.url.origin)
    const outcome = await wire.exchange(prepared.request, {
      timeout: wish.timeout,
      maxAnswerBytes: keptAnswerBytes,
      verifyTls: !wish.insecure && known?.verifyTls !== false,
      publicAllowed: known?.confirmed === true,
      keepAlive: true,
      own: 'send',
      signal,
    })
    // Cut off because Tabscope ends: it may have arrived, and whoever resumes is asked.
    const left = outcome.error?.code === 'aborted' && signal.reason === 'closing'
    const fields = attemptFields(prepared, outcome, {
      kind: 'resend',
      deliveryId: captured.id,
      jobId,
      ...(left ? {} : { position: item.position }),
      at,
    })
    const { status, error, requestBody, answerBody } = fields
    return {
      as: left ? 'left' : isExpected(fields) ? 'ok' : 'failed',
      status,
      error: error?.message ?? null,
      bytes: (requestBody?.byteLength ?? 0) + (answerBody?.byteLength ?? 0),
      stored: recorder.note(fields),
    }
  }
}

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
/** After a failed write the next try comes this much later, in milliseconds: a disk that is full has room again some time. */
const retryMs = 500

export function createJobs(parts: SenderParts): Jobs {
  const { writes, db, world } = parts
  /** Those that run, or of which something is still under way. */
  const runs = new Map<number, JobRun>()
  const ending = new AbortController()
  /** What is asked of a job is done one after the other. */
  const inTurn = createKeyedMutex<number>()

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
      store: createRunStore(db, writes, ending.signal, job),
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
      ending.abort()
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
  ending: AbortSignal,
  job: Job,
): RunStore {
  const jobId = job.id
  const untilStored = <T>(write: () => Promise<T>): Promise<T> =>
    retry(write, { clock: steadyClock, wait: () => retryMs, mayPass, signal: ending })
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
      const { claimed, gone } = await untilStored(() => writes.call('claim', { jobId, count }))
      return { items: claimed.map(withTime), gone }
    },
    unclaim: (positions) => untilStored(() => writes.call('unclaim', { jobId, positions })),
    setState: (state, reason, endedAt) =>
      untilStored(() => writes.call('setJobState', { jobId, state, reason, endedAt })),
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
