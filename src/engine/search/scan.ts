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

/** A statement may take about so long over its rows, in milliseconds; or as long as it takes to begin, where that is more. */
const targetMs = 8
const mostBlocks = 16

/**
 * How many ids the next statement looks at, learnt from those before: nothing is known of what a filter costs until it is tried. What a
 * statement takes to begin (the text index has many parts) is told from what it takes for each id, or pieces would get ever smaller.
 */
export class Pace {
  readonly #least: number
  #span: number
  #last: { readonly ids: number; readonly took: number } | null = null

  /** `heavy`: headers or bodies are read, of which a few can be many megabytes. Others take a block at least. */
  constructor(heavy: boolean) {
    this.#span = heavy ? blockSize / 16 : blockSize
    this.#least = heavy ? 1 : blockSize
  }

  get span(): number {
    return this.#span
  }

  /** Runs a statement over `ids` ids, and draws the conclusion from how long it took. */
  learn<T>(ids: number, run: () => T): T {
    const begun = performance.now()
    const result = run()
    this.took(ids, performance.now() - begun)
    return result
  }

  /** A statement over `ids` ids took so many milliseconds. */
  took(ids: number, took: number): void {
    const last = this.#last
    this.#last = { ids, took }
    // What took no longer over more ids took it to begin.
    const each =
      last && last.ids !== ids
        ? Math.max(0, (took - last.took) / (ids - last.ids))
        : took / Math.max(ids, 1)
    const begin = Math.max(0, took - each * ids)
    const wanted = each > 0 ? Math.max(targetMs, begin) / each : Infinity
    // A short one at the end of a range says little of long ones.
    const most = ids < this.#span ? this.#span : this.#span * 2
    const power = 2 ** Math.floor(Math.log2(Math.max(1, Math.min(wanted, most))))
    this.#span = Math.max(this.#least, Math.min(power, blockSize * mostBlocks))
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
