/** In IDs. Positions are stored by block, and no statement sorts more than one block. */
export const blockSize = 8192

/** Both inclusive. */
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

const targetMs = 8
const maxBlocks = 16
const initialHeavySpan = 16

/** The cost of a filter is not known in advance. The fixed cost of a statement (the text index has many segments) is separate, or spans would keep shrinking. */
export class Pace {
  readonly #minSpan: number
  #span: number
  #last: { ids: number; took: number } | null = null

  /** `heavy`: headers or bodies are read, which can be many megabytes. Other filters scan at least one block. */
  constructor(heavy: boolean) {
    this.#span = heavy ? initialHeavySpan : blockSize
    this.#minSpan = heavy ? 1 : blockSize
  }

  get span(): number {
    return this.#span
  }

  measure<T>(ids: number, run: () => T): T {
    const startedAt = performance.now()
    const result = run()
    this.record(ids, performance.now() - startedAt)
    return result
  }

  /** `took`: in milliseconds. */
  record(ids: number, took: number): void {
    const last = this.#last
    this.#last = { ids, took }
    // What does not grow with the number of IDs is the fixed cost.
    const perId =
      last && last.ids !== ids
        ? Math.max(0, (took - last.took) / (ids - last.ids))
        : took / Math.max(ids, 1)
    const fixed = Math.max(0, took - perId * ids)
    const wanted = perId > 0 ? Math.max(targetMs, fixed) / perId : Infinity
    // A short statement at the end of a range says little about long ones.
    const most = ids < this.#span ? this.#span : this.#span * 2
    const power = 2 ** Math.floor(Math.log2(Math.max(1, Math.min(wanted, most))))
    this.#span = Math.max(this.#minSpan, Math.min(power, blockSize * maxBlocks))
  }
}
