import type { Job, JobPace } from '#contract/sending.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Pacing, pacingOf, Schedule } from './pacing.ts'
import { AppError } from '../../platform/errors.ts'

export interface Item {
  readonly position: number
  readonly deliveryId: number
  /** Microseconds since the epoch; null if it is unknown or not needed. */
  readonly receivedUs: number | null
}

export interface ItemResult {
  /** `left`: aborted because Tabscope closed, so it is unknown whether the request was received. */
  readonly as: 'ok' | 'failed' | 'skipped' | 'left'
  readonly status: number | null
  readonly error: string | null
  readonly bytes: number
  readonly stored: Promise<unknown>
}

/** The item could not be started, and no other item can. */
export interface Halted {
  readonly as: 'halted'
  readonly reason: string
}

export interface RunStore {
  /** The next ones that are not claimed. */
  waiting(limit: number): Item[]
  /** Marks the next `count` waiting items as about to be sent, durably. */
  claim(count: number): Promise<Item[]>
  unclaim(positions: readonly number[]): Promise<void>
  setState(state: 'paused' | 'done' | 'cancelled', reason: string | null): Promise<void>
  job(): Job
}

export interface RunParts {
  readonly store: RunStore
  readonly clock: Clock
  /** Resolves when the response was received or the request failed; never rejects. `next`: the claimed items after it. */
  send(item: Item, next: readonly Item[], signal: AbortSignal): Promise<ItemResult | Halted>
  /** Lets the event loop read other responses that have arrived. */
  yieldToOthers(): Promise<void>
  changed(): void
  failed(error: unknown): void
  /** The job ended, or paused without pending requests, and everything is stored. */
  settled(): void
}

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

/** Items that are claimed together, unless the last ones took longer than this. A crash leaves them uncertain. */
const batchSize = 256
const batchMs = 200

type Stop = { readonly as: 'paused'; readonly reason: string | null } | { as: 'ending' }

/** With a timed pace, only items that are due this soon are claimed. */
const aheadMs = 250
/** Claims this much earlier, to allow for the disk. */
const diskMs = 20
/** No new requests start while this many attempts or bytes are not stored yet. */
const unstoredCount = 4000
const unstoredBytes = 32 * 1024 * 1024
const graceMs = 1000

/** A job that is running, or pauses while requests are still pending. */
export class JobRun {
  readonly #parts: RunParts
  readonly #tally: Tally
  readonly #pace: JobPace
  readonly #pacing: Pacing
  readonly #abort = new AbortController()
  readonly #schedule: Schedule
  #claimed: Item[] = []
  #claiming: Promise<void> | null = null
  #claimedAt = Number.NEGATIVE_INFINITY
  /** Claims the next ones when this many are left. -1: once none are left, because the target is slow. */
  #low = -1
  #open = 0
  #unstored = { count: 0, bytes: 0 }
  #stop: Stop | null = null
  /** A failure is about to pause the job. It is reported once it is stored; until then no new requests start. */
  #failing = false
  #looping = true
  readonly #idle = Promise.withResolvers<void>()
  #running: Promise<void> = Promise.resolve()
  #over: Promise<void> | null = null
  #waiting: (() => void)[] = []

  constructor(job: Job, parts: RunParts) {
    this.#parts = parts
    this.#tally = new Tally(job)
    this.#pace = job.pace
    this.#pacing = pacingOf(job.pace)
    this.#schedule = new Schedule(this.#pacing)
  }

  /** Once. The stored state must be `running` already. */
  start(): void {
    this.#running = this.#run()
    this.#parts.changed()
  }

  get job(): Job {
    return this.#tally.job
  }

  /** Resolves when the job ended, or paused without pending requests. */
  get idle(): Promise<void> {
    return this.#idle.promise
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
    const unsent = this.#claimed.splice(0).map(({ position }) => position)
    if (unsent.length > 0) await this.#stored(this.#parts.store.unclaim(unsent))
    if (this.#stop?.as === 'paused' && !this.#tally.isOver) {
      const { reason } = this.#stop
      this.#tally.set({ state: 'paused', reason })
      await this.#stored(this.#parts.store.setState('paused', reason))
      this.#parts.changed()
    }
    this.#looping = false
    this.#settleIfIdle()
  }

  #step(now: number): number | null {
    if (!this.#hasRoom()) return Infinity
    const [item] = this.#claimed
    if (!item) return this.#claiming ? Infinity : this.#claim(now)
    const early = this.#schedule.due(item.receivedUs, now) - now
    if (early > 0) return early
    this.#claimed.shift()
    this.#schedule.started(item.receivedUs, now)
    this.#start(item)
    // Early, because the disk takes time. The next item of a timed pace may be far away.
    const isLow = this.#claimed.length <= this.#low && !this.#pacing.timed
    if (isLow && !this.#claiming) this.#claim(now)
    return 0
  }

  #hasRoom(): boolean {
    const { count, bytes } = this.#unstored
    if (this.#failing) return false
    return this.#open < this.#pacing.concurrency && count < unstoredCount && bytes < unstoredBytes
  }

  #claim(now: number): number | null {
    const isSlow = now - this.#claimedAt > batchMs
    const waiting = this.#parts.store.waiting(isSlow ? this.#pacing.concurrency : batchSize)
    const [next] = waiting
    if (!next) return null
    const early = this.#schedule.due(next.receivedUs, now) - now
    if (early > diskMs) return early - diskMs
    const times = waiting.map(({ receivedUs }) => receivedUs)
    const due = this.#pacing.timed ? this.#schedule.dueBy(now + aheadMs, times, now) : times.length
    this.#claimedAt = now
    this.#low = due === batchSize ? batchSize / 2 : -1
    this.#claiming = this.#parts.store
      .claim(due)
      .then((items) => void this.#claimed.push(...items))
      .catch((error: unknown) => this.#halt({ as: 'paused', reason: claimFailureSentence(error) }))
      .finally(() => {
        this.#claiming = null
        this.#notice()
      })
    return Infinity
  }

  #start(item: Item): void {
    this.#open += 1
    this.#unstored.count += 1
    this.#tally.move('waiting', 'inFlight')
    this.#parts.changed()
    void this.#follow(item)
  }

  async #follow(item: Item): Promise<void> {
    const result = await this.#parts.send(item, this.#claimed, this.#abort.signal)
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
    else if (this.#stop?.as === 'paused') this.#settled()
  }

  async #settle(as: 'done' | 'cancelled'): Promise<void> {
    await this.#parts.store.setState(as, null)
    this.#tally.replace(this.#parts.store.job())
    this.#parts.changed()
    this.#settled()
  }

  #settled(): void {
    this.#parts.settled()
    this.#idle.resolve()
  }

  /** Logs a failed write. Reopening the store detects what is missing. */
  async #stored(write: Promise<unknown>): Promise<void> {
    try {
      await write
    } catch (error) {
      this.#parts.failed(error)
    }
  }

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
