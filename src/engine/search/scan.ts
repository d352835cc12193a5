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
/** Ids of the first statement where headers or bodies are read. */
const firstTry = 16

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
    this.#span = heavy ? firstTry : blockSize
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
