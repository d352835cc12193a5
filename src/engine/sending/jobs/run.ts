import type { Job, JobPace } from '#contract/sending.ts'
import { Claims, type Item, type RunParts } from './claims.ts'
import { type Pacing, pacingOf, Schedule } from './pacing.ts'
import { AppError } from '../../platform/errors.ts'

/** So many kinds of outcomes are told; the store counts likewise. */
const toldOutcomes = 20

type Counted = 'waiting' | 'underWay' | 'ok' | 'failed' | 'skipped' | 'uncertain'

/** How far a job is, counted along. */
class Tally {
  #job: Job
  /** Counted in place: a new job for each of many thousands of items would be most of the garbage. */
  #counts: Record<Counted, number>
  readonly #outcomes: Map<string, Job['outcomes'][number]>

  constructor(job: Job) {
    this.#job = job
    this.#counts = countsOf(job)
    this.#outcomes = new Map(job.outcomes.map((outcome) => [keyOf(outcome), { ...outcome }]))
  }

  get job(): Job {
    const outcomes = [...this.#outcomes.values()]
      .toSorted((a, b) => b.count - a.count)
      .map((outcome) => ({ ...outcome }))
    return { ...this.#job, ...this.#counts, outcomes: outcomes.slice(0, toldOutcomes) }
  }

  /** Whether anything waits or is under way. */
  get isOver(): boolean {
    return this.#counts.waiting + this.#counts.underWay === 0
  }

  set(change: Partial<Pick<Job, 'state' | 'reason' | 'endedAt'>>): void {
    this.#job = { ...this.#job, ...change }
  }

  move(from: Counted, to: Counted, count = 1): void {
    this.#counts[from] -= count
    this.#counts[to] += count
  }

  /** One came to its end. `error` as a sentence. */
  ended(as: 'ok' | 'failed' | 'skipped', status: number | null, error: string | null): void {
    this.move('underWay', as)
    const key = keyOf({ status, error })
    const known = this.#outcomes.get(key)
    if (known) known.count += 1
    else this.#outcomes.set(key, { status, error, count: 1 })
  }

  /** What the store says, where it was asked. */
  replace(job: Job): void {
    this.#job = job
    this.#counts = countsOf(job)
    this.#outcomes.clear()
    for (const outcome of job.outcomes) this.#outcomes.set(keyOf(outcome), { ...outcome })
  }
}

function countsOf({
  waiting,
  underWay,
  ok,
  failed,
  skipped,
  uncertain,
}: Job): Record<Counted, number> {
  return { waiting, underWay, ok, failed, skipped, uncertain }
}

function keyOf({ status, error }: { status: number | null; error: string | null }): string {
  return `${status ?? ''} ${error ?? ''}`
}

/** A batch is to last about so long, in milliseconds: then the disk is never waited for, and a crash leaves few in doubt. */
const soonMs = 50
const lateMs = 200
const largest = 512

/** How many are claimed together: more of them while they are used up soon, fewer while they last. */
export class BatchSize {
  readonly #least: number
  #size: number
  #at: number | null = null
  #claims = 0

  /** `width`: so many are under way at once. */
  constructor(width: number) {
    this.#least = Math.min(width, largest)
    this.#size = this.#least
  }

  /** For a batch that is claimed now, in milliseconds of the clock. */
  next(now: number): number {
    // The second one is claimed as soon as the first is there: that says nothing yet.
    const lasted = this.#at === null || this.#claims < 2 ? null : now - this.#at
    this.#at = now
    this.#claims += 1
    if (lasted !== null && lasted < soonMs) this.#size = Math.min(largest, this.#size * 2)
    if (lasted !== null && lasted > lateMs) {
      this.#size = Math.max(this.#least, Math.floor(this.#size / 2))
    }
    return this.#size
  }
}

type Stop = { readonly as: 'paused'; readonly reason: string | null } | { as: 'ending' }

/** What is claimed is due within so many milliseconds, where the pace says when. */
const aheadMs = 250
/** The disk gets a start of so many milliseconds. */
const diskMs = 20
/** Attempts that the store does not have yet: more of them, or of their bytes, and nothing new begins. */
const unstoredCount = 4000
const unstoredBytes = 32 * 1024 * 1024
/** What is under way at the end gets so many milliseconds. */
const graceMs = 1000

/** A job that runs, or that is paused while something of it is still under way. */
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
  /** With so few claimed the next ones are. */
  #low = 0
  #open = 0
  #unstored = { count: 0, bytes: 0 }
  #stop: Stop | null = null
  /** One failed that is to stop the rest: that is told once it is stored, and until then nothing new begins. */
  #failing = false
  #looping = false
  #running: Promise<void> | null = null
  #over: Promise<void> | null = null
  readonly #waiting = new Set<() => void>()

  constructor(job: Job, parts: RunParts) {
    this.#parts = parts
    this.#tally = new Tally(job)
    this.#pace = job.pace
    this.#pacing = pacingOf(job.pace)
    this.#batch = new BatchSize(this.#pacing.width)
    this.#schedule = new Schedule(this.#pacing)
    this.#claims = new Claims(parts.store)
  }

  get job(): Job {
    return this.#tally.job
  }

  /** Goes on with what waits; that it runs is in the store already. */
  start(): void {
    this.#stop = null
    this.#failing = false
    this.#tally.set({ state: 'running', reason: null, endedAt: null })
    this.#batch = new BatchSize(this.#pacing.width)
    this.#schedule = new Schedule(this.#pacing)
    this.#claims = new Claims(this.#parts.store)
    this.#low = 0
    this.#looping = true
    this.#running = this.#run()
    this.#parts.changed()
  }

  /** Goes on after a pause, once `ready` has made it so in the store; it may have ended meanwhile. Throws what that throws. */
  async resume(ready: () => Promise<void>): Promise<void> {
    await this.#over
    if (this.#over) return
    // Until then it cannot end.
    this.#looping = true
    try {
      await ready()
    } catch (error) {
      this.#looping = false
      this.#rest()
      throw error
    }
    this.start()
  }

  /** Nothing new begins when it resolves, and the store says so. */
  async pause(reason: string | null = null): Promise<void> {
    this.#halt({ as: 'paused', reason })
    await this.#running
    await this.#over
  }

  /** What is under way gets a moment, and is then cut off. */
  async cancel(): Promise<void> {
    await this.#end('cancelled')
    await this.#until(() => this.#unstored.count === 0)
    await this.#over
    if (!this.#over) await this.#settle('cancelled')
  }

  /** The same, but it stays as it is in the store. */
  async close(): Promise<void> {
    await this.#end('closing')
  }

  async #end(why: 'cancelled' | 'closing'): Promise<void> {
    this.#stop = { as: 'ending' }
    this.#notice()
    const callOff = this.#parts.clock.after(graceMs, () => this.#abort.abort(why))
    await this.#running
    await this.#until(() => this.#open === 0)
    callOff()
  }

  #halt(stop: Stop): void {
    this.#stop ??= stop
    this.#notice()
  }

  async #run(): Promise<void> {
    while (!this.#stop) {
      const wait = this.#step(this.#parts.clock.now())
      if (wait === null) break
      if (wait > 0) await this.#noticed(wait)
    }
    await this.#claiming
    await this.#claims.giveBack().catch(() => undefined)
    if (this.#stop?.as === 'paused' && !this.#tally.isOver) {
      const { reason } = this.#stop
      this.#tally.set({ state: 'paused', reason })
      await this.#parts.store.setState('paused', reason, null).catch(() => undefined)
      this.#parts.changed()
    }
    this.#looping = false
    this.#rest()
  }

  /** Does what can be done now. Returns in how many milliseconds to look again, unless something happens; null: nothing waits any more. */
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
    this.#schedule.began(item.receivedUs, now)
    this.#begin(item)
    if (!this.#claiming && this.#isLow()) this.#claim(now)
    return 0
  }

  /** Where the pace says when, the last one is left to the next look: it may be far away. */
  #isLow(): boolean {
    const { length } = this.#claims.claimed
    return length <= this.#low && (length > 0 || !this.#pacing.timed)
  }

  #hasRoom(): boolean {
    const { count, bytes } = this.#unstored
    if (this.#failing) return false
    return this.#open < this.#pacing.width && count < unstoredCount && bytes < unstoredBytes
  }

  #claim(now: number): void {
    const { claimed } = this.#claims
    const waiting = this.#claims.waiting(this.#batch.next(now))
    const times = [...claimed, ...waiting].map(({ receivedUs }) => receivedUs)
    const count = this.#pacing.timed
      ? this.#schedule.dueBy(now + aheadMs, times, now) - claimed.length
      : waiting.length
    // Early: the writer may be at a group of attempts, and then comes the disk.
    this.#low = Math.floor(Math.max(0, count) * 0.75)
    if (count <= 0) return
    this.#claiming = this.#claims
      .claim(count)
      .then((gone) => this.#tally.move('waiting', 'skipped', gone))
      .catch((error: unknown) => this.#halt({ as: 'paused', reason: wordsOf(error) }))
      .finally(() => {
        this.#claiming = null
        this.#notice()
      })
  }

  #begin(item: Item): void {
    this.#open += 1
    this.#unstored.count += 1
    this.#tally.move('waiting', 'underWay')
    this.#parts.changed()
    void this.#follow(item)
  }

  async #follow(item: Item): Promise<void> {
    const ended = await this.#parts.send(item, this.#claims.claimed, this.#abort.signal)
    this.#open -= 1
    if (ended.as === 'halted') return this.#takeBack(item, ended.reason)
    const { as, status, error, bytes, stored } = ended
    this.#unstored.bytes += bytes
    const stops = as === 'failed' && this.#pace.how === 'one_by_one' && this.#pace.stopOnFailure
    if (stops) this.#failing = true
    this.#notice()
    await stored.catch(() => undefined)
    this.#unstored.bytes -= bytes
    this.#unstored.count -= 1
    if (as !== 'left') this.#tally.ended(as, status, error)
    if (stops) this.#halt({ as: 'paused', reason: failureWords(item, status, error) })
    this.#parts.changed()
    this.#notice()
    this.#rest()
  }

  async #takeBack({ position }: Item, reason: string): Promise<void> {
    this.#halt({ as: 'paused', reason })
    await this.#parts.store.unclaim([position]).catch(() => undefined)
    this.#unstored.count -= 1
    this.#tally.move('underWay', 'waiting')
    this.#parts.changed()
    this.#rest()
  }

  /** Where nothing runs and nothing is under way any more it is done, or at rest. */
  #rest(): void {
    if (this.#looping || this.#unstored.count > 0 || this.#stop?.as === 'ending') return
    // What cannot be written down at the end of Tabscope is found out when the store is opened again.
    if (this.#tally.isOver) this.#over ??= this.#settle('done').catch(() => undefined)
    else if (this.#stop?.as === 'paused') this.#parts.atRest()
  }

  async #settle(as: 'done' | 'cancelled'): Promise<void> {
    const endedAt = Math.round(this.#parts.clock.now())
    await this.#parts.store.setState(as, null, endedAt)
    this.#tally.replace(this.#parts.store.job())
    this.#parts.changed()
    this.#parts.atRest()
  }

  /** Resolves when something has happened, or after so many milliseconds. */
  #noticed(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const callOff = ms < Infinity ? this.#parts.clock.after(ms, () => this.#notice()) : null
      this.#waiting.add(() => {
        callOff?.()
        resolve()
      })
    })
  }

  #notice(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const goOn of waiting) goOn()
  }

  async #until(what: () => boolean): Promise<void> {
    while (!what()) await this.#noticed(Infinity)
  }
}

/** Why a job that stops at failures has paused. */
function failureWords({ deliveryId }: Item, status: number | null, error: string | null): string {
  const how = error ?? `It was answered with ${status}.`
  return `Delivery ${deliveryId} failed. ${how} Resume to continue with the next one.`
}

/** Why nothing could be claimed. */
function wordsOf(error: unknown): string {
  return error instanceof AppError
    ? error.message
    : 'The store did not take down what comes next. Resume to try it again.'
}
