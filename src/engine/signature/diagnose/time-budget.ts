import { setImmediate as pause } from 'node:timers/promises'

export interface BudgetLimits {
  /** Milliseconds of computing, without pauses. */
  readonly ms: number
  /** Bytes that are hashed. */
  readonly bytes: number
  /** Maximum time without a pause, in milliseconds. */
  readonly sliceMs: number
}

const MiB = 1024 * 1024

export const defaultLimits: BudgetLimits = { ms: 3000, bytes: 1536 * MiB, sliceMs: 8 }

/** Limits the time and the hashed bytes of a diagnosis, and yields to other work on the thread. */
export class TimeBudget {
  /** Signatures computed. */
  tried = 0
  /** The longest time without a pause so far, in milliseconds. */
  longestSlice = 0
  readonly #limits: BudgetLimits
  readonly #now: () => number
  #share = 1
  #spent = 0
  #bytes = 0
  #since: number

  /** `now`: a monotonic clock, in milliseconds. */
  constructor(limits: BudgetLimits = defaultLimits, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#now = now
    this.#since = now()
  }

  /** Limits the budget to a share of it, from 0 to 1, so that a part is left for later steps. */
  upTo(share: number): void {
    this.#share = share
  }

  /** True if the budget is used up. */
  get over(): boolean {
    const { ms, bytes } = this.#limits
    return this.#bytes > bytes * this.#share || this.#computed() > ms * this.#share
  }

  count(bytes: number): void {
    this.#bytes += bytes
  }

  /** True if `yield` must be called. Every loop must check this often. */
  get due(): boolean {
    return this.#now() - this.#since > this.#limits.sliceMs
  }

  /** Lets other work on this thread run. */
  async yield(): Promise<void> {
    const slice = this.#now() - this.#since
    this.longestSlice = Math.max(this.longestSlice, slice)
    this.#spent += slice
    await pause()
    this.#since = this.#now()
  }

  #computed(): number {
    return this.#spent + this.#now() - this.#since
  }
}
