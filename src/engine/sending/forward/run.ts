import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import { backoff } from '#shared/async/retry.ts'
import type { Clock } from '../../platform/clock.ts'
import type { TryResult } from './target-health.ts'

const waits = { shortest: 1000, longest: 60_000 }
/** The random share of a wait, so that deliveries that failed together are not retried together. */
const jitter = 0.2

/** 1 s, 2 s, 4 s ... 60 s in milliseconds, plus a random share. `random`: from 0 to 1. */
export function retryWait(failures: number, random: number): number {
  return Math.round(backoff(waits, failures - 1) * (1 + jitter * random))
}

/** The outcome of one attempt. `unsendable`: the delivery cannot be sent, regardless of the target. `deleted`: it was deleted meanwhile. */
export type TryOutcome =
  | (TryResult & { readonly kind: 'tried'; readonly mayRetry: boolean })
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

export interface RunTarget {
  readonly target: ForwardTarget
  readonly isOpen: boolean
  readonly signal: AbortSignal
  recordAttempt(result: TryResult): void
}

/** A delivery that is being sent or waits for a retry. */
export class DeliveryRun {
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
  async start(on: RunTarget): Promise<TryOutcome> {
    const { attempt, random } = this.#parts
    for (let tryNumber = 1; ; tryNumber += 1) {
      const outcome = await attempt(on.target, this.id, tryNumber, on.signal)
      if (outcome.kind !== 'tried') return outcome
      on.recordAttempt(outcome)
      const again = outcome.mayRetry && tryNumber <= on.target.retries && on.isOpen
      if (!again || !(await this.#pause(retryWait(tryNumber, random())))) return outcome
    }
  }

  /** Cancels a scheduled retry. A pending attempt continues. */
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
