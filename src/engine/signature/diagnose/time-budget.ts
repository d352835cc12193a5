import { setImmediate as pause } from 'node:timers/promises'

export interface WorkLimits {
  /** Milliseconds of computing, pauses not counted. */
  readonly ms: number
  /** Bytes that go through a hash. */
  readonly bytes: number
  /** Longest stretch of computing without a pause, in milliseconds. */
  readonly sliceMs: number
}

const MiB = 1024 * 1024

export const usualLimits: WorkLimits = { ms: 3000, bytes: 1536 * MiB, sliceMs: 8 }

/** Counts what a diagnosis costs, ends it in time, and lets the thread do something else in between. */
export class Work {
  /** Signatures computed. */
  tried = 0
  /** The longest stretch without a pause so far, in milliseconds. */
  longestSlice = 0
  readonly #limits: WorkLimits
  readonly #now: () => number
  #share = 1
  #spent = 0
  #bytes = 0
  #since: number

  /** `now`: a clock that never goes back, in milliseconds. */
  constructor(limits: WorkLimits = usualLimits, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#now = now
    this.#since = now()
  }

  /** From now on only this share of the limits may be used up, 0 to 1, so that something is left for what comes behind. */
  upTo(share: number): void {
    this.#share = share
  }

  /** True: all that may be done is done. */
  get over(): boolean {
    const { ms, bytes } = this.#limits
    return this.#bytes > bytes * this.#share || this.#computed() > ms * this.#share
  }

  count(bytes: number): void {
    this.#bytes += bytes
  }

  /** Must be asked often in every loop; when true, `breathe` is due. */
  get due(): boolean {
    return this.#now() - this.#since > this.#limits.sliceMs
  }

  /** Lets whatever waits for this thread have its turn. */
  async breathe(): Promise<void> {
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
