import type { ForwardHealth, ForwardTarget } from '#contract/answering.ts'
import type { Clock } from '../../clock.ts'
import { backoff } from './backoff.ts'
import { SkipBook } from './skip-book.ts'
import { TargetHealth, type Tried } from './target-health.ts'
import { WaitingIds } from './waiting-ids.ts'

/** One try. `unsendable`: this delivery cannot go out, whatever the target does. `gone`: it was deleted meanwhile. */
export type TryOutcome =
  | (Tried & { readonly kind: 'tried'; readonly mayRetry: boolean })
  | { readonly kind: 'unsendable'; readonly reason: string }
  | { readonly kind: 'gone' }

export interface LaneParts {
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  /** Sends it once. Never rejects. */
  readonly attempt: (
    target: ForwardTarget,
    id: number,
    tryNumber: number,
    signal: AbortSignal,
  ) => Promise<TryOutcome>
  /** Its health is another. */
  readonly changed: () => void
  /** There is something new in its `skips`. */
  readonly skipped: () => void
}

/** A delivery that has begun: under way, or about to be tried again. */
interface Run {
  readonly id: number
  /** Null: it does not wait for its next try. */
  retryAt: number | null
  giveUp: () => void
}

/** One target with what waits for it. Nothing that becomes of it concerns another. */
export class Lane {
  readonly health: TargetHealth
  /** What it has not forwarded, and is not written yet. */
  readonly skips: SkipBook
  readonly #parts: LaneParts
  readonly #waiting = new WaitingIds()
  readonly #runs = new Set<Run>()
  readonly #abort = new AbortController()
  #target: ForwardTarget
  #closed = false
  #answering = 0
  #idle = Promise.withResolvers<void>()

  constructor(target: ForwardTarget, parts: LaneParts) {
    this.#target = target
    this.#parts = parts
    this.health = new TargetHealth(target.on, parts.clock.now())
    this.skips = new SkipBook(
      (after, before) =>
        this.#waiting.hasBetween(after, before) ||
        [...this.#runs].some(({ id }) => id > after && id < before),
    )
  }

  get target(): ForwardTarget {
    return this.#target
  }

  /** Aborts what is under way. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get isOpen(): boolean {
    return this.#target.on && !this.#closed
  }

  /** Whether deliveries of this type go here. */
  fits(type: string | null): boolean {
    const { types } = this.#target
    return this.isOpen && (types.length === 0 || (type !== null && types.includes(type)))
  }

  /** A delivery to be forwarded when its turn comes. */
  take(id: number): void {
    this.#waiting.add(id)
    this.#begin()
    this.#trim()
    this.#parts.changed()
  }

  /** A delivery that is not forwarded; `reason` is a sentence. */
  leaveOut(id: number, reason: string): void {
    const { id: forwardId, endpointId, types, url } = this.#target
    this.skips.add({
      forwardId,
      endpointId,
      types,
      url,
      id,
      at: this.#parts.clock.now(),
      reason,
    })
    this.health.skipped += 1
    this.#parts.skipped()
    this.#parts.changed()
  }

  /** What waits, for its turn or for another try, is not sent any more; returns how many that were. Those under way go on. */
  drop(reason: string): number {
    let dropped = 0
    for (let id = this.#waiting.take(); id !== undefined; id = this.#waiting.take()) {
      this.leaveOut(id, reason)
      dropped += 1
    }
    for (const run of this.#runs) {
      if (run.retryAt !== null) dropped += 1
      run.giveUp()
    }
    this.#parts.changed()
    return dropped
  }

  /** From now on the target is so. What waits goes to where it is now. */
  configure(target: ForwardTarget): void {
    const before = this.#target
    this.#target = target
    if (before.url !== target.url || before.on !== target.on) {
      this.health.begin(target.on, this.#parts.clock.now())
    }
    if (!target.on) this.drop('The target was switched off.')
    else if (target.mode !== 'after') this.drop('The target answers the service now.')
    this.#begin()
    this.#trim()
    this.#parts.changed()
  }

  /** One more delivery whose answer is the target's. Returns what is to be called when it has it. */
  answering(): (tried: Tried | null) => void {
    this.#answering += 1
    this.#parts.changed()
    return (tried) => {
      this.#answering -= 1
      if (tried) {
        this.health.tried(tried, this.#parts.clock.now())
        this.health.settled(tried)
      }
      this.#settle()
    }
  }

  view(): ForwardHealth {
    const due = [...this.#runs].flatMap(({ retryAt }) => retryAt ?? [])
    return this.health.view({
      forwardId: this.#target.id,
      waiting: this.#waiting.size,
      underWay: this.underWay,
      retryAt: due.length === 0 ? null : Math.min(...due),
    })
  }

  get underWay(): number {
    return this.#runs.size + this.#answering
  }

  /** Takes nothing more; drops what waits; what is under way ends by itself, or after `graceMs` milliseconds as aborted. */
  async close(reason: string, graceMs: number): Promise<void> {
    this.#closed = true
    this.drop(reason)
    if (this.underWay === 0) return
    const callOff = this.#parts.clock.after(graceMs, () => this.#abort.abort())
    await this.#idle.promise
    callOff()
  }

  #begin(): void {
    while (this.isOpen && this.#runs.size < this.#target.inFlight) {
      const id = this.#waiting.take()
      if (id === undefined) return
      const run: Run = { id, retryAt: null, giveUp: () => undefined }
      this.#runs.add(run)
      void this.#go(run).finally(() => {
        this.#runs.delete(run)
        this.#begin()
        this.#settle()
      })
    }
  }

  /** Tries until it succeeds or is given up. The next one waits for that, and so the order stays. */
  async #go(run: Run): Promise<void> {
    for (let tryNumber = 1; ; tryNumber += 1) {
      const tried = await this.#parts.attempt(this.#target, run.id, tryNumber, this.signal)
      if (tried.kind === 'gone') return void (this.health.skipped += 1)
      if (tried.kind === 'unsendable') return this.leaveOut(run.id, tried.reason)
      const { clock } = this.#parts
      this.health.tried(tried, clock.now())
      const again = tried.mayRetry && tryNumber <= this.#target.retries && this.isOpen
      if (!again || !(await this.#pause(run, backoff(tryNumber, this.#parts.random())))) {
        return this.health.settled(tried)
      }
    }
  }

  /** Resolves to false when it is given up meanwhile. */
  #pause(run: Run, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (again: boolean): void => {
        callOff()
        run.retryAt = null
        run.giveUp = () => undefined
        resolve(again)
        this.#parts.changed()
      }
      const callOff = this.#parts.clock.after(ms, () => end(true))
      run.retryAt = this.#parts.clock.now() + ms
      run.giveUp = () => end(false)
      this.#parts.changed()
    })
  }

  #trim(): void {
    const { queue } = this.#target
    while (this.#waiting.size > queue) {
      const id = this.#waiting.take()
      if (id === undefined) return
      const many = queue === 1 ? '1 was' : `${queue.toLocaleString('en')} were`
      this.leaveOut(id, `${many} waiting already.`)
    }
  }

  #settle(): void {
    this.#parts.changed()
    if (this.underWay > 0) return
    this.#idle.resolve()
    this.#idle = Promise.withResolvers()
  }
}
