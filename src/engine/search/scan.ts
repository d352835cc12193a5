/** Ids of one block. Positions are kept by block, and no statement sorts more than one. */
export const blockSize = 8192

/** Ids from `lo` to `hi`, both included. */
export interface IdRange {
  readonly lo: number
  readonly hi: number
}

export function blockOf(id: number): number {
  return Math.floor(id / blockSize)
}

export function firstOf(block: number): number {
  return block * blockSize
}

export function lastOf(block: number): number {
  return block * blockSize + blockSize - 1
}

/** A statement that took less than this, in milliseconds, is followed by one over twice as many ids; one that took more, by fewer. */
const quickMs = 4
const slowMs = 12
const mostBlocks = 16

/** How many ids the next statement looks at, learnt from those before: nothing is known of what a filter costs until it is tried. */
export class Pace {
  #span: number

  /** `heavy`: headers or bodies are read, of which a few can be many megabytes. */
  constructor(heavy: boolean) {
    this.#span = heavy ? blockSize / 16 : blockSize
  }

  get span(): number {
    return this.#span
  }

  /** Runs a statement over `ids` ids, and draws the conclusion from how long it took. */
  learn<T>(ids: number, run: () => T): T {
    const begun = performance.now()
    const result = run()
    const took = performance.now() - begun
    // A short one at the end of a range says nothing of long ones.
    if (took < quickMs && ids >= this.#span) {
      this.#span = Math.min(this.#span * 2, blockSize * mostBlocks)
    } else if (took > slowMs) {
      this.#span = Math.max(1, 2 ** Math.floor(Math.log2((ids * quickMs) / took)))
    }
    return result
  }
}

/** A walk through ids from the newest to the oldest, a piece at a time. */
export interface Scan {
  readonly pace: Pace
  /** The lowest id of all. */
  readonly lowest: number
  /** The next to be looked at; below `lowest`: done. */
  next: number
}

/**
 * Goes on with a scan until it is done or `performance.now()` has reached `deadline`; at least one piece, so that calling again always ends.
 * `look` does the work of a piece. Returns whether it is done.
 */
export function scanOn(scan: Scan, deadline: number, look: (range: IdRange) => void): boolean {
  while (scan.next >= scan.lowest) {
    const lo = Math.max(scan.lowest, scan.next - scan.pace.span + 1)
    const range = { lo, hi: scan.next }
    scan.pace.learn(range.hi - range.lo + 1, () => look(range))
    scan.next = lo - 1
    if (performance.now() >= deadline) break
  }
  return scan.next < scan.lowest
}
