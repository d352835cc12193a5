import type { Job } from '#contract/sending.ts'
import { steadyClock, systemClock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import { readJob, readJobWish } from '../../store/sending/read-jobs.ts'
import { throttle } from '../../throttle.ts'
import type { JobWish } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import { assertConfirmed, parseTarget } from '../target/look.ts'
import { createInsisting } from './insist.ts'
import { createItemSender, prepareItem } from './item-sender.ts'
import { createRunStore, failedIds, openIds } from './run-store.ts'
import { JobRun } from './run.ts'

/** Re-sending many. */
export interface Jobs {
  start(wish: JobWish, ids: readonly number[]): Promise<Job>
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
  const insisting = createInsisting(steadyClock)
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
  const check = async (wish: JobWish, ids: Iterable<number>): Promise<void> => {
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

  const run = (job: Job, wish: JobWish): JobRun => {
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

  const start = async (wish: JobWish, ids: readonly number[]): Promise<Job> => {
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
        const wish = readJobWish(db, id)
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
        const wish = readJobWish(db, id)
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
