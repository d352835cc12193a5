import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Job } from '#contract/sending.ts'
import { isTemporaryStoreError } from '../store/send-writes.ts'
import { steadyClock, systemClock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { createKeyedMutex } from '#shared/async/mutex.ts'
import { retry } from '#shared/async/retry.ts'
import { throttle } from '#shared/async/throttle.ts'
import { readJob, readJobRequest, createWaiting, shownState } from '../store/jobs.ts'
import type { JobRequest, SendWrites } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import { assertConfirmed, parseTarget } from '../target.ts'
import { type Db, prepare } from '../../platform/sqlite.ts'
import type { ThreadClient } from '../../platform/rpc.ts'
import { JobRun, type Item, type ItemResult, type RunParts, type RunStore } from './run.ts'
import { pacingOf } from './pacing.ts'
import { isExpected } from '#contract/broken-signature.ts'
import { attemptFields, exchange } from '../attempt-fields.ts'
import type { Prepared } from '../prepare/draft.ts'
import { scenarioSource, storeSource, type JobSource } from './source.ts'

/** Returns a function that sends the deliveries of a job, each once. */
function createItemSender(
  parts: SenderParts,
  jobId: number,
  request: JobRequest,
  source: JobSource,
): RunParts['send'] {
  const endWithoutAttempt = (item: Item, as: 'skipped' | 'failed', error: string): ItemResult => {
    const { position } = item
    const stored = parts.recorder.settle({ jobId, position, state: as, error })
    return { as, status: null, error, bytes: 0, stored }
  }

  return async (item, next, signal) => {
    const captured = source.captured(item.deliveryId, next)
    if (!captured) return endWithoutAttempt(item, 'skipped', 'The delivery was deleted.')
    let prepared: Prepared
    try {
      const preparing = source.prepare(captured)
      prepared = preparing instanceof Promise ? await preparing : preparing
    } catch (error) {
      // A bug that affects one delivery must not end the thread that sends all of them.
      if (!(error instanceof AppError))
        return endWithoutAttempt(
          item,
          'failed',
          'The request could not be prepared because of an internal error.',
        )
      if (error.code === 'secret_unavailable') return { as: 'halted', reason: error.message }
      return endWithoutAttempt(item, 'failed', error.message)
    }
    const at = systemClock.now()
    const { timeout, insecure } = request
    const how = { timeout, insecure, keepAlive: true, own: 'send', signal } as const
    const outcome = source.masked(await exchange(parts, prepared, how))
    // It may have been received, so the user is asked when the job is resumed.
    const left = outcome.error?.code === 'aborted' && signal.reason === 'closing'
    const fields = attemptFields(prepared, outcome, {
      kind: 'resend',
      deliveryId: request.scenario === null ? captured.id : null,
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
      stored: parts.recorder.note(fields),
    }
  }
}

const publishEveryMs = 200
/** A full disk may have space again later. */
const retryMs = 500

export class Jobs {
  readonly #parts: SenderParts
  readonly #runs = new Map<number, JobRun>()
  readonly #closing = new AbortController()
  readonly #exclusively = createKeyedMutex<number>()
  /** By job. Never stored. */
  readonly #secrets = new Map<number, string>()

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /** `ids`: oldest first. Throws if none of the deliveries can be sent. */
  async start(
    request: JobRequest,
    ids: readonly number[],
    secret: string | null = null,
  ): Promise<Job> {
    await this.#assertSendable(request, ids)
    const createdAt = systemClock.now()
    const id = await this.#parts.writes.call('createJob', { request, ids, createdAt })
    if (secret !== null) this.#secrets.set(id, secret)
    const job = this.#stored(id)
    return this.#run(job, request, this.#sourceOf(job, request)).job
  }

  resendFailed(id: number): Promise<Job> {
    return this.#exclusively(id, async () => {
      if (this.#runs.has(id) || isOpen(this.#stored(id))) {
        throw new AppError('in_use', `Job ${id} has not finished. Wait for it, or cancel it.`)
      }
      const request = readJobRequest(this.#parts.db, id)
      if (request?.scenario) {
        throw new AppError('bad_input', 'A scenario is sent as a whole. Run it again.')
      }
      const ids = failedIds(this.#parts.db, id)
      if (!request || ids.length === 0) {
        throw new AppError('bad_input', `Job ${id} has no failed deliveries.`)
      }
      return this.start({ ...request, filter: null }, ids)
    })
  }

  pause(id: number): Promise<Job> {
    return this.#exclusively(id, async () => {
      const live = this.#runs.get(id)
      await live?.pause()
      return live?.job ?? this.#stored(id)
    })
  }

  /** `uncertain`: what to do with deliveries that may have been received. */
  async resume(id: number, uncertain: 'skip' | 'send'): Promise<Job> {
    const live = this.#runs.get(id)
    // Requests that were pending when it paused end first.
    if (live && live.job.state !== 'running') await live.idle
    return this.#exclusively(id, async () => {
      const running = this.#runs.get(id)
      if (running) return running.job
      const job = this.#stored(id)
      if (!isOpen(job)) {
        throw new AppError(
          'run_over',
          'This job has finished. Start a new job for the remaining deliveries.',
        )
      }
      const { db, writes } = this.#parts
      const request = readJobRequest(db, id)
      if (!request) return job
      const source = this.#sourceOf(job, request)
      await this.#assertSendable(request, openIds(db, id))
      await writes.call('settleUncertain', { jobId: id, as: uncertain })
      const state = { state: 'running', reason: null, endedAt: null } as const
      await writes.call('setJobState', { jobId: id, ...state })
      return this.#run(this.#stored(id), request, source).job
    })
  }

  cancel(id: number): Promise<Job> {
    return this.#exclusively(id, async () => {
      const live = this.#runs.get(id)
      if (live) {
        await live.cancel()
        return live.job
      }
      const job = this.#stored(id)
      if (!isOpen(job)) return job
      const state = { state: 'cancelled', reason: null, endedAt: systemClock.now() } as const
      await this.#parts.writes.call('setJobState', { jobId: id, ...state })
      this.#parts.publish({ event: 'job', job: this.#stored(id) })
      return this.#stored(id)
    })
  }

  /** Running and paused jobs with their current progress. The store may be behind. */
  live(): Job[] {
    return [...this.#runs.values()].map(({ job }) => job)
  }

  /** Leaves the stored state alone: the jobs become `interrupted` when the store is opened again. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([...this.#runs.values()].map((live) => live.close()))
  }

  #stored(id: number): Job {
    const job = readJob(this.#parts.db, id)
    if (!job) throw new AppError('not_found', `Job ${id} does not exist. It may have been removed.`)
    return job
  }

  async #assertSendable(request: JobRequest, ids: Iterable<number>): Promise<void> {
    const { configuration } = this.#parts
    const target = request.url === null ? null : parseTarget(request.url)
    if (target) await assertConfirmed(target, configuration)
    if (request.scenario) return
    // Whether a script sends this one says nothing about the others.
    const source = storeSource(this.#parts, { ...request, script: null })
    for (const id of ids) {
      const delivery = source.captured(id)
      if (!delivery) continue
      const prepared = await source.prepare(delivery)
      if (!target) await assertConfirmed(prepared.request.url, configuration)
      return
    }
  }

  #sourceOf({ id, createdAt }: Job, request: JobRequest): JobSource {
    const { scenario } = request
    if (scenario === null) return storeSource(this.#parts, request)
    const secret = this.#secrets.get(id) ?? null
    if (scenario.hasSecret && secret === null) {
      throw new AppError(
        'secret_unavailable',
        'The secret of this run was not stored. Run the scenario again.',
      )
    }
    return scenarioSource(this.#parts, {
      request: { ...request, scenario },
      jobId: id,
      secret,
      startedAt: createdAt,
    })
  }

  #run(job: Job, request: JobRequest, source: JobSource): JobRun {
    const { id } = job
    const { db, writes, publish } = this.#parts
    const publishing = throttle(steadyClock, publishEveryMs, () =>
      publish({ event: 'job', job: live.job }),
    )
    const live = new JobRun(job, {
      store: createRunStore(db, source.db, writes, this.#closing.signal, job),
      clock: steadyClock,
      send: createItemSender(this.#parts, id, request, source),
      yieldToOthers,
      changed: () => publishing.wanted(),
      failed: (error) =>
        publish({ event: 'failed', message: `job ${id} could not be stored`, error }),
      settled: () => {
        publishing.flush()
        this.#runs.delete(id)
        source.close()
        if (!isOpen(live.job)) this.#secrets.delete(id)
      },
    })
    this.#runs.set(id, live)
    live.start()
    return live
  }
}

interface Row {
  readonly position: number
  readonly deliveryId: number
}

function isOpen({ state }: Job): boolean {
  return state !== 'done' && state !== 'cancelled'
}

function createRunStore(
  db: Db,
  source: Db,
  writes: ThreadClient<SendWrites>,
  ending: AbortSignal,
  job: Job,
): RunStore {
  const jobId = job.id
  const untilStored = <T>(write: () => Promise<T>): Promise<T> =>
    retry(write, {
      clock: steadyClock,
      wait: () => retryMs,
      mayPass: isTemporaryStoreError,
      signal: ending,
    })
  const { byArrival } = pacingOf(job.pace)
  const waiting = createWaiting(db)
  const received = prepare<[number], { us: number }>(
    source,
    'SELECT received_us AS us FROM delivery WHERE id = ?',
  )
  const withTime = ({ position, deliveryId }: Row): Item => {
    const receivedUs = byArrival ? (received.get(deliveryId)?.us ?? null) : null
    return { position, deliveryId, receivedUs }
  }
  return {
    waiting: (limit) => waiting(jobId, limit).map(withTime),
    claim: async (count) => {
      const claimed = await untilStored(() => writes.call('claim', { jobId, count }))
      return claimed.map(withTime)
    },
    unclaim: (positions) => untilStored(() => writes.call('unclaim', { jobId, positions })),
    setState: (state, reason) => {
      const endedAt = state === 'paused' ? null : systemClock.now()
      return untilStored(() => writes.call('setJobState', { jobId, state, reason, endedAt }))
    },
    job: () => readJob(db, jobId) ?? job,
  }
}

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

function failedIds(db: Db, jobId: number): number[] {
  return prepare<[number], Pick<Row, 'deliveryId'>>(
    db,
    `SELECT delivery_id AS deliveryId FROM send_job_item INDEXED BY send_job_item_by_state
     WHERE job_id = ? AND state = 'failed' ORDER BY position`,
  )
    .all(jobId)
    .map(({ deliveryId }) => deliveryId)
}
