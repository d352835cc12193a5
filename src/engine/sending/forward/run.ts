import type { ForwardTarget } from '#contract/answering.ts'
import { backoff } from '#shared/async/retry.ts'
import type { Clock } from '../../platform/clock.ts'
import type { TryResult } from './target-health.ts'

/** Waits between attempts for one delivery, in milliseconds. */
const waits = { shortest: 1000, longest: 60_000 }
/** The random share added to a wait, so that deliveries that failed together are not retried together. */
const jitter = 0.2

/** Milliseconds until the next retry: 1 s, 2 s, 4 s ... 60 s, plus a random share. `random`: from 0 to 1. */
export function retryWait(failures: number, random: number): number {
  return Math.round(backoff(waits, failures - 1) * (1 + jitter * random))
}

/** The outcome of one attempt. `unsendable`: the delivery cannot be sent, regardless of the target. `gone`: it was deleted meanwhile. */
export type TryOutcome =
  | (TryResult & { readonly kind: 'tried'; readonly mayRetry: boolean })
  | { readonly kind: 'unsendable'; readonly reason: string }
  | { readonly kind: 'gone' }

export interface RunParts {
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  /** Sends the delivery once. Never rejects. */
  readonly attempt: (
    target: ForwardTarget,
    id: number,
    tryNumber: number,
    signal: AbortSignal,
  ) => Promise<TryOutcome>
  /** The health of the target has changed. */
  readonly changed: () => void
}

/** The target of a run, read at each attempt. */
export interface RunTarget {
  readonly target: ForwardTarget
  readonly isOpen: boolean
  readonly signal: AbortSignal
  /** An attempt has finished. */
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

  /** When it is retried, in milliseconds since the epoch; null: it does not wait for a retry. */
  get retryAt(): number | null {
    return this.#retryAt
  }

  /** Sends the delivery and retries it until it succeeds or is cancelled. Resolves to the outcome of the last attempt. */
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

  /** Cancels the retry, if it waits for one. A pending attempt continues. */
  cancelRetry(): void {
    this.#cancelRetry?.()
  }

  /** Resolves to false if the retry is cancelled meanwhile. */
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
