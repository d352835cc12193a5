import type { ForwardHealth, ForwardTarget } from '#contract/endpoint-rules.ts'
import { formatCount } from '#shared/text/format.ts'
import { DeliveryRun, type RunTarget, type RunParts } from './run.ts'
import { TargetHealth, type TryResult } from './target-health.ts'
import type { Skip } from '../messages.ts'

export interface TargetQueueParts extends RunParts {
  readonly skipped: (skip: Skip) => void
  /** A delivery that was queued is sent, or will not be. */
  readonly left: (target: ForwardTarget, id: number) => void
}

export class TargetQueue implements RunTarget {
  readonly health: TargetHealth
  readonly #parts: TargetQueueParts
  /** In ascending order. Only ids, so that a long queue needs little memory. */
  readonly #waiting: number[] = []
  readonly #runs = new Set<DeliveryRun>()
  readonly #abort = new AbortController()
  #target: ForwardTarget
  #closed = false
  #responding = 0
  #idle = Promise.withResolvers<void>()

  constructor(target: ForwardTarget, parts: TargetQueueParts) {
    this.#target = target
    this.#parts = parts
    this.health = new TargetHealth(target.enabled, parts.clock.now())
  }

  get target(): ForwardTarget {
    return this.#target
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get isOpen(): boolean {
    return this.#target.enabled && !this.#closed
  }

  accepts(type: string | null): boolean {
    const { types } = this.#target
    return this.isOpen && (types.length === 0 || (type !== null && types.includes(type)))
  }

  enqueue(id: number): void {
    this.#waiting.push(id)
    this.#startNext()
    this.#trim()
    this.#parts.changed()
  }

  /** `reason`: a sentence. */
  skip(id: number, reason: string): void {
    const { id: forwardId, url } = this.#target
    this.health.skipped += 1
    this.#parts.skipped({ deliveryId: id, forwardId, url, reason })
    this.#parts.changed()
  }

  /** Drops deliveries that wait for an attempt or a retry, and returns how many. Pending requests continue. */
  drop(reason: string): number {
    let dropped = 0
    for (let id = this.#waiting.shift(); id !== undefined; id = this.#waiting.shift()) {
      this.#leave(id, reason)
      dropped += 1
    }
    for (const run of this.#runs) {
      if (run.retryAt !== null) dropped += 1
      run.cancelRetry()
    }
    this.#parts.changed()
    return dropped
  }

  /** Waiting deliveries are sent to the new URL. */
  configure(target: ForwardTarget): void {
    const before = this.#target
    this.#target = target
    if (before.url !== target.url || before.enabled !== target.enabled) {
      this.health.reset(target.enabled, this.#parts.clock.now())
    }
    if (!target.enabled) this.drop('The target was turned off.')
    else if (target.mode !== 'after')
      this.drop('The target’s response is now returned to the service.')
    this.#startNext()
    this.#trim()
    this.#parts.changed()
  }

  recordAttempt(result: TryResult): void {
    this.health.recordAttempt(result, this.#parts.clock.now())
  }

  /** Counts a pending delivery that gets the target's response. Call the returned function with the result. */
  startPassThrough(): (result: TryResult | null) => void {
    this.#responding += 1
    this.#parts.changed()
    return (result) => {
      this.#responding -= 1
      if (result) {
        this.recordAttempt(result)
        this.health.settled(result)
      }
      this.#settle()
    }
  }

  view(): ForwardHealth {
    const due = [...this.#runs].flatMap(({ retryAt }) => retryAt ?? [])
    return this.health.view({
      forwardId: this.#target.id,
      waiting: this.#waiting.length,
      inFlight: this.inFlight,
      retryAt: due.length === 0 ? null : Math.min(...due),
    })
  }

  get inFlight(): number {
    return this.#runs.size + this.#responding
  }

  /** Drops waiting deliveries. Pending requests are aborted after `graceMs`. */
  async close(reason: string, graceMs: number): Promise<void> {
    this.#closed = true
    this.drop(reason)
    if (this.inFlight === 0) return
    const cancelTimer = this.#parts.clock.after(graceMs, () => this.#abort.abort())
    await this.#idle.promise
    cancelTimer()
  }

  #startNext(): void {
    while (this.isOpen && this.#runs.size < this.#target.concurrency) {
      const id = this.#waiting.shift()
      if (id === undefined) return
      const run = new DeliveryRun(id, this.#parts)
      this.#runs.add(run)
      void this.#settleAfter(run)
    }
  }

  // Waits for all retries of this delivery before the next one starts, which keeps the order.
  async #settleAfter(run: DeliveryRun): Promise<void> {
    const outcome = await run.start(this)
    switch (outcome.kind) {
      case 'tried':
        this.health.settled(outcome)
        break
      case 'unsendable':
        this.skip(run.id, outcome.reason)
        break
      case 'held':
        break
      case 'deleted':
        this.health.skipped += 1
        break
    }
    this.#runs.delete(run)
    this.#parts.left(this.#target, run.id)
    this.#startNext()
    this.#settle()
  }

  #leave(id: number, reason: string): void {
    this.skip(id, reason)
    this.#parts.left(this.#target, id)
  }

  #trim(): void {
    const { queueLimit } = this.#target
    while (this.#waiting.length > queueLimit) {
      const id = this.#waiting.shift()
      if (id === undefined) return
      const many = queueLimit === 1 ? '1 was' : `${formatCount(queueLimit)} were`
      this.#leave(id, `${many} already waiting.`)
    }
  }

  #settle(): void {
    this.#parts.changed()
    if (this.inFlight > 0) return
    this.#idle.resolve()
    this.#idle = Promise.withResolvers()
  }
}
