import { healthWindow } from '#contract/constants.ts'
import type { ForwardHealth, ForwardTarget } from '#contract/endpoint-rules.ts'
import { backoff } from '#shared/async/retry.ts'
import { formatCount } from '#shared/text/format.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Skip } from '../messages.ts'

export interface TryResult {
  readonly status: number | null
  /** Why there is no usable response, as a sentence. */
  readonly error: string | null
}

class TargetHealth {
  #light: ForwardHealth['state']
  #since: number
  #lastStatus: number | null = null
  #lastError: string | null = null
  #recent: boolean[] = []
  ok = 0
  failed = 0
  skipped = 0

  constructor(on: boolean, now: number) {
    this.#light = on ? 'idle' : 'off'
    this.#since = now
  }

  reset(on: boolean, now: number): void {
    this.#turn(on ? 'idle' : 'off', now)
    this.#lastStatus = null
    this.#lastError = null
    this.#recent = []
  }

  recordAttempt({ status, error }: TryResult, now: number): void {
    this.#lastStatus = status
    this.#lastError = error
    if (this.#light === 'off') return
    if (status === null) this.#turn('down', now)
    else this.#turn(error === null && isOk(status) ? 'good' : 'failing', now)
  }

  settled({ status, error }: TryResult): void {
    const ok = error === null && isOk(status)
    if (ok) this.ok += 1
    else this.failed += 1
    this.#recent.push(ok)
    if (this.#recent.length > healthWindow) this.#recent.shift()
  }

  view(now: Pick<ForwardHealth, 'forwardId' | 'waiting' | 'inFlight' | 'retryAt'>): ForwardHealth {
    const recentOk = this.#recent.filter(Boolean).length
    return {
      ...now,
      state: this.#light,
      since: this.#since,
      ok: this.ok,
      failed: this.failed,
      skipped: this.skipped,
      recent: { ok: recentOk, failed: this.#recent.length - recentOk },
      lastStatus: this.#lastStatus,
      lastError: this.#lastError,
    }
  }

  #turn(light: ForwardHealth['state'], now: number): void {
    if (this.#light === light) return
    this.#light = light
    this.#since = now
  }
}

const waits = { shortest: 1000, longest: 60_000 }
/** Later deliveries wait as well, so a longer `Retry-After` is not obeyed. */
export const maxRetryAfterMs = 600_000
/** The random share of a wait, so that deliveries that failed together are not retried together. */
const jitter = 0.2

/** 1 s, 2 s, 4 s ... 60 s in milliseconds, plus a random share. `random`: from 0 to 1. */
export function retryWait(failures: number, random: number): number {
  return Math.round(backoff(waits, failures - 1) * (1 + jitter * random))
}

/** The outcome of one attempt. `unsendable`: the delivery cannot be sent, regardless of the target. `deleted`: it was deleted meanwhile. */
export type TryOutcome =
  | (TryResult & {
      readonly kind: 'tried'
      readonly mayRetry: boolean
      /** That the target asks for before the next attempt. */
      readonly askedMs?: number
    })
  | { readonly kind: 'unsendable'; readonly reason: string }
  | { readonly kind: 'deleted' }
  /** Its script failed, so it is held; it is queued again when it is released. */
  | { readonly kind: 'held' }

export interface RunParts {
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  readonly attempt: (
    target: ForwardTarget,
    id: number,
    tryNumber: number,
    signal: AbortSignal,
  ) => Promise<TryOutcome>
  readonly changed: () => void
}

class DeliveryRun {
  readonly id: number
  readonly #parts: RunParts
  #retryAt: number | null = null
  #cancelRetry: (() => void) | null = null

  constructor(id: number, parts: RunParts) {
    this.id = id
    this.#parts = parts
  }

  /** In milliseconds since the epoch; null while no retry is scheduled. */
  get retryAt(): number | null {
    return this.#retryAt
  }

  /** Retries until the delivery succeeds or is cancelled. Resolves to the outcome of the last attempt. */
  async start(on: TargetQueue): Promise<TryOutcome> {
    const { attempt, random } = this.#parts
    for (let tryNumber = 1; ; tryNumber += 1) {
      const outcome = await attempt(on.target, this.id, tryNumber, on.signal)
      if (outcome.kind !== 'tried') return outcome
      on.recordAttempt(outcome)
      const again = outcome.mayRetry && tryNumber <= on.target.retries && on.isOpen
      const asked = Math.min(outcome.askedMs ?? 0, maxRetryAfterMs)
      const wait = Math.max(retryWait(tryNumber, random()), asked)
      if (!again || !(await this.#pause(wait))) return outcome
    }
  }

  cancelRetry(): void {
    this.#cancelRetry?.()
  }

  /** Resolves to false if the retry is cancelled. */
  #pause(ms: number): Promise<boolean> {
    const { clock, changed } = this.#parts
    return new Promise((resolve) => {
      const end = (again: boolean): void => {
        cancelTimer()
        this.#retryAt = null
        this.#cancelRetry = null
        resolve(again)
        changed()
      }
      const cancelTimer = clock.after(ms, () => end(true))
      this.#retryAt = clock.now() + ms
      this.#cancelRetry = () => end(false)
      changed()
    })
  }
}

export interface TargetQueueParts extends RunParts {
  readonly skipped: (skip: Skip) => void
  /** A delivery that was queued is sent, or will not be. */
  readonly left: (target: ForwardTarget, id: number) => void
}

export class TargetQueue {
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

function isOk(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}
