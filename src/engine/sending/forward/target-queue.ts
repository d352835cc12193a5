import type { ForwardHealth, ForwardTarget } from '#contract/answering.ts'
import { formatCount } from '#shared/text/format.ts'
import { Run, type RunOf, type RunParts } from './run.ts'
import { TargetHealth, type Tried } from './target-health.ts'
import type { Skip } from '../store/send-writes.ts'

/** More stretches than this are not held: then neighbours become one, and memory stays as it is. */
const mostStretches = 1000

/**
 * What was not forwarded to one target, as stretches of deliveries that were left out for the same reason. `undecided` says whether anything
 * between two ids is still to be sent, or just being sent: that would be in a stretch that it does not belong to.
 */
export class SkipBook {
  readonly #undecided: (after: number, before: number) => boolean
  #stretches: Skip[] = []

  constructor(undecided: (after: number, before: number) => boolean) {
    this.#undecided = undecided
  }

  get isEmpty(): boolean {
    return this.#stretches.length === 0
  }

  add({ id, ...skip }: Omit<Skip, 'fromId' | 'toId' | 'count'> & { readonly id: number }): void {
    this.#put(this.#stretches, { ...skip, fromId: id, toId: id, count: 1 })
    if (this.#stretches.length <= mostStretches) return
    const [first, second, ...rest] = this.#stretches
    if (first && second) this.#stretches = [joined(first, second), ...rest]
  }

  /** All there are; from now on it is empty. What could not be one stretch when it was added may be by now. */
  take(): Skip[] {
    const taken: Skip[] = []
    for (const stretch of this.#stretches) this.#put(taken, stretch)
    this.#stretches = []
    return taken
  }

  #put(stretches: Skip[], next: Skip): void {
    const last = stretches.at(-1)
    const joins =
      last !== undefined &&
      last.reason === next.reason &&
      last.url === next.url &&
      last.types.join() === next.types.join() &&
      last.toId < next.fromId &&
      !this.#undecided(last.toId, next.fromId)
    if (joins) stretches[stretches.length - 1] = joined(last, next)
    else stretches.push(next)
  }
}

function joined(first: Skip, second: Skip): Skip {
  return {
    ...first,
    toId: Math.max(first.toId, second.toId),
    count: first.count + second.count,
  }
}

/** Ids that wait for their turn, oldest first. Nothing but the ids, so that a long queue is still a small one. */
export class WaitingIds {
  #ids: number[] = []
  #first = 0

  get size(): number {
    return this.#ids.length - this.#first
  }

  add(id: number): void {
    this.#ids.push(id)
  }

  /** The oldest, which waits no longer. */
  take(): number | undefined {
    const id = this.#ids[this.#first]
    if (id === undefined) return undefined
    this.#first += 1
    // The room before the first is given back once it is as much as what waits.
    if (this.#first >= 1024 && this.#first * 2 >= this.#ids.length) {
      this.#ids = this.#ids.slice(this.#first)
      this.#first = 0
    }
    return id
  }

  /** Whether one of them is between the two. They were added in order. */
  hasBetween(after: number, before: number): boolean {
    let low = this.#first
    let high = this.#ids.length
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if ((this.#ids[middle] ?? 0) <= after) low = middle + 1
      else high = middle
    }
    return (this.#ids[low] ?? before) < before
  }
}

export interface TargetQueueParts extends RunParts {
  /** There is something new in its `skips`. */
  readonly skipped: () => void
}

/** One target with what waits for it. Nothing that becomes of it concerns another. */
export class TargetQueue implements RunOf {
  readonly health: TargetHealth
  /** What it has not forwarded, and is not written yet. */
  readonly skips: SkipBook
  readonly #parts: TargetQueueParts
  readonly #waiting = new WaitingIds()
  readonly #runs = new Set<Run>()
  readonly #abort = new AbortController()
  #target: ForwardTarget
  #closed = false
  #answering = 0
  #idle = Promise.withResolvers<void>()

  constructor(target: ForwardTarget, parts: TargetQueueParts) {
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
    else if (target.mode !== 'after')
      this.drop('The target’s response is now returned to the service.')
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
      const many = queue === 1 ? '1 was' : `${formatCount(queue)} were`
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
