import type { ForwardTarget } from '#contract/answering.ts'
import { backoff } from '#shared/async/retry.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Tried } from './target-health.ts'

/** Between tries of one delivery, in milliseconds. */
const waits = { shortest: 1000, longest: 60_000 }
/** Those that failed together are not to come back together: up to this share is added. */
const jitter = 0.2

/** Milliseconds before the next try, after so many failures: 1 s, 2 s, 4 s ... 60 s, and a little more. `random` is from 0 to 1. */
export function retryWait(failures: number, random: number): number {
  return Math.round(backoff(waits, failures - 1) * (1 + jitter * random))
}

/** One try. `unsendable`: this delivery cannot go out, whatever the target does. `gone`: it was deleted meanwhile. */
export type TryOutcome =
  | (Tried & { readonly kind: 'tried'; readonly mayRetry: boolean })
  | { readonly kind: 'unsendable'; readonly reason: string }
  | { readonly kind: 'gone' }

export interface RunParts {
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
  /** The health of the target is another. */
  readonly changed: () => void
}

/** Whose delivery it is, as it is at each try. */
export interface RunOf {
  readonly target: ForwardTarget
  readonly isOpen: boolean
  readonly signal: AbortSignal
  /** One try is over. */
  tried(tried: Tried): void
}

/** A delivery that has begun: under way, or about to be tried again. */
export class Run {
  readonly id: number
  readonly #parts: RunParts
  #retryAt: number | null = null
  #giveUp: (() => void) | null = null

  constructor(id: number, parts: RunParts) {
    this.id = id
    this.#parts = parts
  }

  /** Milliseconds since the epoch; null: it does not wait for another try. */
  get retryAt(): number | null {
    return this.#retryAt
  }

  /** Tries until it succeeds or is given up. The outcome is that of the last try. */
  async go(of: RunOf): Promise<TryOutcome> {
    const { attempt, random } = this.#parts
    for (let tryNumber = 1; ; tryNumber += 1) {
      const outcome = await attempt(of.target, this.id, tryNumber, of.signal)
      if (outcome.kind !== 'tried') return outcome
      of.tried(outcome)
      const again = outcome.mayRetry && tryNumber <= of.target.retries && of.isOpen
      if (!again || !(await this.#pause(retryWait(tryNumber, random())))) return outcome
    }
  }

  /** Is not tried again, if it waits for that; else nothing comes of it. */
  giveUp(): void {
    this.#giveUp?.()
  }

  /** Resolves to false when it is given up meanwhile. */
  #pause(ms: number): Promise<boolean> {
    const { clock, changed } = this.#parts
    return new Promise((resolve) => {
      const end = (again: boolean): void => {
        callOff()
        this.#retryAt = null
        this.#giveUp = null
        resolve(again)
        changed()
      }
      const callOff = clock.after(ms, () => end(true))
      this.#retryAt = clock.now() + ms
      this.#giveUp = () => end(false)
      changed()
    })
  }
}
