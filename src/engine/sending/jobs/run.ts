import type { Job, JobPace } from '#contract/sending.ts'
import { Claims, type Item, type RunParts } from './claims.ts'
import { type Pacing, pacingOf, Schedule } from './pacing.ts'
import { AppError } from '../../platform/errors.ts'

const maxOutcomes = 20

type Counted = 'waiting' | 'inFlight' | 'ok' | 'failed' | 'skipped' | 'uncertain'

class Tally {
  #job: Job
  /** Updated in place: a new object for each of many thousands of items would create too much garbage. */
  #counts: Record<Counted, number>
  readonly #outcomes: Map<string, Job['results'][number]>

  constructor(job: Job) {
    this.#job = job
    this.#counts = countsOf(job)
    this.#outcomes = new Map(job.results.map((outcome) => [keyOf(outcome), { ...outcome }]))
  }

  get job(): Job {
    const outcomes = [...this.#outcomes.values()]
      .toSorted((a, b) => b.count - a.count)
      .map((outcome) => ({ ...outcome }))
    return { ...this.#job, ...this.#counts, results: outcomes.slice(0, maxOutcomes) }
  }

  get isOver(): boolean {
    return this.#counts.waiting + this.#counts.inFlight === 0
  }

  set(change: Partial<Pick<Job, 'state' | 'reason' | 'endedAt'>>): void {
    this.#job = { ...this.#job, ...change }
  }

  move(from: Counted, to: Counted, count = 1): void {
    this.#counts[from] -= count
    this.#counts[to] += count
  }

  /** `error`: a sentence. */
  ended(as: 'ok' | 'failed' | 'skipped', status: number | null, error: string | null): void {
    this.move('inFlight', as)
    const key = keyOf({ status, error })
    const known = this.#outcomes.get(key)
    if (known) known.count += 1
    else this.#outcomes.set(key, { status, error, count: 1 })
  }

  replace(job: Job): void {
    this.#job = job
    this.#counts = countsOf(job)
    this.#outcomes.clear()
    for (const outcome of job.results) this.#outcomes.set(keyOf(outcome), { ...outcome })
  }
}

function countsOf({
  waiting,
  inFlight,
  ok,
  failed,
  skipped,
  uncertain,
}: Job): Record<Counted, number> {
  return { waiting, inFlight, ok, failed, skipped, uncertain }
}

function keyOf({ status, error }: { status: number | null; error: string | null }): string {
  return `${status ?? ''} ${error ?? ''}`
}

/** How long a batch should last: enough to never wait for the disk, and short enough to leave few uncertain items after a crash. */
const minBatchMs = 50
const maxBatchMs = 200
const maxBatch = 512

/** The number of items to claim together. Grows while batches are used up quickly, and shrinks while they last long. */
export class BatchSize {
  readonly #least: number
  #size: number
  #at: number | null = null
  #claims = 0

  /** `concurrency`: the number of concurrent requests. */
  constructor(concurrency: number) {
    this.#least = Math.min(concurrency, maxBatch)
    this.#size = this.#least
  }

  /** `now`: milliseconds of the clock. */
  next(now: number): number {
    // The second batch is claimed right after the first, so its timing means nothing yet.
    const lasted = this.#at === null || this.#claims < 2 ? null : now - this.#at
    this.#at = now
    this.#claims += 1
    if (lasted !== null && lasted < minBatchMs) this.#size = Math.min(maxBatch, this.#size * 2)
    if (lasted !== null && lasted > maxBatchMs) {
      this.#size = Math.max(this.#least, Math.floor(this.#size / 2))
    }
    return this.#size
  }
}

type Stop = { readonly as: 'paused'; readonly reason: string | null } | { as: 'ending' }

/** With a timed pace, only items that are due this soon are claimed. */
const aheadMs = 250
/** Claims this much earlier, to allow for the disk. */
const diskMs = 20
/** No new requests start while this many attempts or bytes are not stored yet. */
const unstoredCount = 4000
const unstoredBytes = 32 * 1024 * 1024
const graceMs = 1000

/** A job that is running, or paused while requests are still pending. */
export class JobRun {
  readonly #parts: RunParts
  readonly #tally: Tally
  readonly #pace: JobPace
  readonly #pacing: Pacing
  readonly #abort = new AbortController()
  #batch: BatchSize
  #schedule: Schedule
  #claims: Claims
  #claiming: Promise<void> | null = null
  #low = 0
  #open = 0
  #unstored = { count: 0, bytes: 0 }
  #stop: Stop | null = null
  /** A failure is about to pause the job. It is reported once it is stored; until then no new requests start. */
  #failing = false
  #looping = false
  #running: Promise<void> | null = null
  #over: Promise<void> | null = null
  #waiting: (() => void)[] = []

  constructor(job: Job, parts: RunParts) {
    this.#parts = parts
    this.#tally = new Tally(job)
    this.#pace = job.pace
    this.#pacing = pacingOf(job.pace)
    this.#batch = new BatchSize(this.#pacing.concurrency)
    this.#schedule = new Schedule(this.#pacing)
    this.#claims = new Claims(parts.store)
  }

  get job(): Job {
    return this.#tally.job
  }

  /** The stored state must be `running` already. */
  start(): void {
    this.#stop = null
    this.#failing = false
    this.#tally.set({ state: 'running', reason: null, endedAt: null })
    this.#batch = new BatchSize(this.#pacing.concurrency)
    this.#schedule = new Schedule(this.#pacing)
    this.#claims = new Claims(this.#parts.store)
    this.#low = 0
    this.#looping = true
    this.#running = this.#run()
    this.#parts.changed()
  }

  /** Resumes once `ready` has updated the store. Does nothing if the job has ended meanwhile. Throws what `ready` throws. */
  async resume(ready: () => Promise<void>): Promise<void> {
    await this.#over
    if (this.#over) return
    this.#looping = true
    try {
      await ready()
    } catch (error) {
      this.#looping = false
      this.#settleIfIdle()
      throw error
    }
    this.start()
  }

  /** Resolves once no new requests start and the stored state is `paused`. */
  async pause(reason: string | null = null): Promise<void> {
    this.#halt({ as: 'paused', reason })
    await this.#running
    await this.#over
  }

  /** Pending requests get a moment to finish before they are aborted. */
  async cancel(): Promise<void> {
    await this.#end('cancelled')
    await this.#until(() => this.#unstored.count === 0)
    await this.#over
    if (!this.#over) await this.#settle('cancelled')
  }

  /** Stops without changing the stored state. */
  async close(): Promise<void> {
    await this.#end('closing')
  }

  async #end(why: 'cancelled' | 'closing'): Promise<void> {
    this.#stop = { as: 'ending' }
    this.#notice()
    const cancelTimer = this.#parts.clock.after(graceMs, () => this.#abort.abort(why))
    await this.#running
    await this.#until(() => this.#open === 0)
    cancelTimer()
  }

  #halt(stop: Stop): void {
    this.#stop ??= stop
    this.#notice()
  }

  async #run(): Promise<void> {
    while (!this.#stop) {
      const wait = this.#step(this.#parts.clock.now())
      if (wait === null) break
      if (wait > 0) {
        await this.#noticed(wait)
        // Starting a request after each response would wake a fast target each time, instead of once for several requests.
        if (this.#pacing.concurrency > 1 && !this.#pacing.timed) await this.#parts.yieldToOthers()
      }
    }
    await this.#claiming
    await this.#stored(this.#claims.release())
    if (this.#stop?.as === 'paused' && !this.#tally.isOver) {
      const { reason } = this.#stop
      this.#tally.set({ state: 'paused', reason })
      await this.#stored(this.#parts.store.setState('paused', reason, null))
      this.#parts.changed()
    }
    this.#looping = false
    this.#settleIfIdle()
  }

  /** Starts or claims what it can. Returns the milliseconds until the next step is due; null if no items wait. */
  #step(now: number): number | null {
    if (!this.#hasRoom()) return Infinity
    const [item] = this.#claims.claimed
    const next = item ?? this.#claims.waiting(1)[0]
    if (!next) return this.#claiming ? Infinity : null
    const early = this.#schedule.due(next.receivedUs, now) - now
    if (!item) {
      if (this.#claiming) return Infinity
      if (early > diskMs) return early - diskMs
      this.#claim(now)
      return Infinity
    }
    if (early > 0) return early
    this.#claims.take()
    this.#schedule.started(item.receivedUs, now)
    this.#start(item)
    if (!this.#claiming && this.#isLow()) this.#claim(now)
    return 0
  }

  /** A timed pace keeps its last item: the next one may be far away. */
  #isLow(): boolean {
    const { length } = this.#claims.claimed
    return length <= this.#low && (length > 0 || !this.#pacing.timed)
  }

  #hasRoom(): boolean {
    const { count, bytes } = this.#unstored
    if (this.#failing) return false
    return this.#open < this.#pacing.concurrency && count < unstoredCount && bytes < unstoredBytes
  }

  #claim(now: number): void {
    const { claimed } = this.#claims
    const waiting = this.#claims.waiting(this.#batch.next(now))
    const times = [...claimed, ...waiting].map(({ receivedUs }) => receivedUs)
    const count = this.#pacing.timed
      ? this.#schedule.dueBy(now + aheadMs, times, now) - claimed.length
      : waiting.length
    // Claim early: the writer may be busy with a group of attempts, and the disk takes time too.
    this.#low = Math.floor(Math.max(0, count) * 0.75)
    if (count <= 0) return
    this.#claiming = this.#claims
      .claim(count)
      .then((deleted) => this.#tally.move('waiting', 'skipped', deleted))
      .catch((error: unknown) => this.#halt({ as: 'paused', reason: claimFailureSentence(error) }))
      .finally(() => {
        this.#claiming = null
        this.#notice()
      })
  }

  #start(item: Item): void {
    this.#open += 1
    this.#unstored.count += 1
    this.#tally.move('waiting', 'inFlight')
    this.#parts.changed()
    void this.#follow(item)
  }

  async #follow(item: Item): Promise<void> {
    const result = await this.#parts.send(item, this.#claims.claimed, this.#abort.signal)
    this.#open -= 1
    if (result.as === 'halted') return this.#unclaim(item, result.reason)
    const { as, status, error, bytes, stored } = result
    this.#unstored.bytes += bytes
    const stops = as === 'failed' && this.#pace.how === 'one_by_one' && this.#pace.stopOnFailure
    if (stops) this.#failing = true
    this.#notice()
    await this.#stored(stored)
    this.#unstored.bytes -= bytes
    this.#unstored.count -= 1
    if (as !== 'left') this.#tally.ended(as, status, error)
    if (stops) this.#halt({ as: 'paused', reason: failureSentence(item, status, error) })
    this.#parts.changed()
    this.#notice()
    this.#settleIfIdle()
  }

  async #unclaim({ position }: Item, reason: string): Promise<void> {
    this.#halt({ as: 'paused', reason })
    await this.#stored(this.#parts.store.unclaim([position]))
    this.#unstored.count -= 1
    this.#tally.move('inFlight', 'waiting')
    this.#parts.changed()
    this.#settleIfIdle()
  }

  #settleIfIdle(): void {
    if (this.#looping || this.#unstored.count > 0 || this.#stop?.as === 'ending') return
    if (this.#tally.isOver) this.#over ??= this.#stored(this.#settle('done'))
    else if (this.#stop?.as === 'paused') this.#parts.settled()
  }

  async #settle(as: 'done' | 'cancelled'): Promise<void> {
    const endedAt = Math.round(this.#parts.clock.now())
    await this.#parts.store.setState(as, null, endedAt)
    this.#tally.replace(this.#parts.store.job())
    this.#parts.changed()
    this.#parts.settled()
  }

  /** Logs a failed write. Reopening the store detects what is missing. */
  async #stored(write: Promise<unknown>): Promise<void> {
    try {
      await write
    } catch (error) {
      this.#parts.failed(error)
    }
  }

  /** Resolves after a notification, or after `ms`. */
  #noticed(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancelTimer = ms < Infinity ? this.#parts.clock.after(ms, () => this.#notice()) : null
      this.#waiting.push(() => {
        cancelTimer?.()
        resolve()
      })
    })
  }

  #notice(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) await this.#noticed(Infinity)
  }
}

function failureSentence(
  { deliveryId }: Item,
  status: number | null,
  error: string | null,
): string {
  const how = error ?? `The target responded with ${status}.`
  return `Delivery ${deliveryId} failed. ${how} Resume to continue with the next one.`
}

function claimFailureSentence(error: unknown): string {
  return error instanceof AppError
    ? error.message
    : 'The next deliveries could not be reserved in the store. Resume to retry.'
}
