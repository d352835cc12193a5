import type { ForwardHealth, ForwardTarget } from '#contract/answering.ts'
import { Run, type RunOf, type RunParts } from './run.ts'
import { SkipBook } from './skip-book.ts'
import { TargetHealth, type Tried } from './target-health.ts'
import { WaitingIds } from './waiting-ids.ts'

export interface LaneParts extends RunParts {
  /** There is something new in its `skips`. */
  readonly skipped: () => void
}

/** One target with what waits for it. Nothing that becomes of it concerns another. */
export class Lane implements RunOf {
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

  tried(tried: Tried): void {
    this.health.tried(tried, this.#parts.clock.now())
  }

  /** One more delivery whose answer is the target's. Returns what is to be called when it has it. */
  answering(): (tried: Tried | null) => void {
    this.#answering += 1
    this.#parts.changed()
    return (tried) => {
      this.#answering -= 1
      if (tried) {
        this.tried(tried)
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
      const run = new Run(id, this.#parts)
      this.#runs.add(run)
      void this.#settleAfter(run)
    }
  }

  /** The next one waits for this one to be over, with all of its tries, and so the order stays. */
  async #settleAfter(run: Run): Promise<void> {
    const outcome = await run.go(this)
    switch (outcome.kind) {
      case 'tried':
        this.health.settled(outcome)
        break
      case 'unsendable':
        this.leaveOut(run.id, outcome.reason)
        break
      case 'gone':
        this.health.skipped += 1
        break
    }
    this.#runs.delete(run)
    this.#begin()
    this.#settle()
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
