import { setImmediate as pause } from 'node:timers/promises'

export interface BudgetLimits {
  readonly ms: number
  readonly bytes: number
  /** The longest time without a pause. */
  readonly sliceMs: number
  /** It ends before the longest time, after this one, once so many were tried. */
  readonly enough?: { readonly ms: number; readonly tries: number } | undefined
}

const MiB = 1024 * 1024

export const defaultLimits: BudgetLimits = { ms: 3000, bytes: 1536 * MiB, sliceMs: 5 }
/** In this time, everything that is likely is tried with a body of the usual size; the other steps of a diagnosis take a tenth of a second. */
const usualMs = 900
const usualBytes = 10 * 1024

export function limitsFor(body: Uint8Array): BudgetLimits {
  return body.byteLength <= usualBytes ? { ...defaultLimits, ms: usualMs } : defaultLimits
}

export class TimeBudget {
  tried = 0
  readonly limits: BudgetLimits
  readonly #now: () => number
  #share = 1
  #spent = 0
  #bytes = 0
  #since: number

  /** `now`: a monotonic clock, in milliseconds. */
  constructor(limits: BudgetLimits = defaultLimits, now: () => number = () => performance.now()) {
    this.limits = limits
    this.#now = now
    this.#since = now()
  }

  /** Limits the budget to a share, from 0 to 1, to leave a part for later steps. */
  upTo(share: number): void {
    this.#share = share
  }

  get over(): boolean {
    const { ms, bytes, enough } = this.limits
    const share = this.#share
    if (this.#bytes > bytes * share || this.#computed() > ms * share) return true
    if (enough === undefined || this.tried < enough.tries * share) return false
    return this.#computed() > enough.ms * share
  }

  count(bytes: number): void {
    this.#bytes += bytes
  }

  /** Every loop must check this often, and call `yield` if it is true. */
  get due(): boolean {
    return this.#now() - this.#since > this.limits.sliceMs
  }

  async yield(): Promise<void> {
    this.#spent += this.#now() - this.#since
    await pause()
    this.#since = this.#now()
  }

  #computed(): number {
    return this.#spent + this.#now() - this.#since
  }
}
