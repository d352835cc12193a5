import type { TraceMark } from '#contract/deliveries.ts'
import type { Placed, Traced } from './traced.ts'

/** Deliveries of one trace; those that are farthest in arrival from the one that was asked about are left out beyond this. */
export const traceLimit = 2000

/** What is gathered for one trace, each delivery once. */
export class Gathering {
  readonly limit = traceLimit
  /** True: there are more than could be looked for. */
  cut = false
  readonly #placed = new Map<number, Placed>()
  readonly #notes: string[] = []

  /** The id of the delivery that was asked about. */
  readonly around: number

  constructor(around: number) {
    this.around = around
  }

  has(id: number): boolean {
    return this.#placed.has(id)
  }

  /** Ties a delivery by a field; the first reason counts, marks add up. */
  tie(traced: Traced, by: string, mark?: TraceMark): void {
    this.#place(traced, 'tied', by, mark)
  }

  /** Puts a delivery beside those that are tied, which nothing but time and place does. */
  near(traced: Traced, by: string, mark?: TraceMark): void {
    this.#place(traced, 'near', by, mark)
  }

  mark(id: number, mark: TraceMark): void {
    const placed = this.#placed.get(id)
    if (placed) this.#placed.set(id, { ...placed, marks: [...placed.marks, mark] })
  }

  note(sentence: string): void {
    if (!this.#notes.includes(sentence)) this.#notes.push(sentence)
  }

  notes(): readonly string[] {
    return this.#notes
  }

  /** Those nearest to the one that was asked about, in order of arrival. */
  placed(): Placed[] {
    const all = [...this.#placed.values()]
    const kept =
      all.length <= this.limit
        ? all
        : all
            .sort((a, b) => Math.abs(a.row.id - this.around) - Math.abs(b.row.id - this.around))
            .slice(0, this.limit)
    return kept.sort((a, b) => a.row.id - b.row.id)
  }

  tied(): Placed[] {
    return this.placed().filter(({ relation }) => relation === 'tied')
  }

  truncated(): boolean {
    return this.cut || this.#placed.size > this.limit
  }

  #place(traced: Traced, relation: Placed['relation'], by: string, mark?: TraceMark): void {
    const before = this.#placed.get(traced.row.id)
    if (before) {
      if (mark) this.mark(traced.row.id, mark)
      return
    }
    this.#placed.set(traced.row.id, { ...traced, relation, by, marks: mark ? [mark] : [] })
  }
}
