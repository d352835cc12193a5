import type { TraceMark } from '#contract/deliveries.ts'
import type { Placed, Traced } from './model.ts'

/** Beyond this, the deliveries farthest from the requested one are omitted. */
export const traceLimit = 2000

export class TraceCollector {
  readonly limit = traceLimit
  isIncomplete = false
  readonly #placed = new Map<number, Placed>()
  readonly #notes: string[] = []

  readonly around: number

  constructor(around: number) {
    this.around = around
  }

  has(id: number): boolean {
    return this.#placed.has(id)
  }

  /** `by`: the field that links the delivery. Only the first reason is kept; marks are added up. */
  tie(traced: Traced, by: string, mark?: TraceMark): void {
    const before = this.#placed.get(traced.row.id)
    if (before) {
      if (mark) this.#placed.set(traced.row.id, { ...before, marks: [...before.marks, mark] })
      return
    }
    this.#placed.set(traced.row.id, {
      ...traced,
      relation: 'linked',
      by,
      marks: mark ? [mark] : [],
    })
  }

  note(sentence: string): void {
    if (!this.#notes.includes(sentence)) this.#notes.push(sentence)
  }

  notes(): readonly string[] {
    return this.#notes
  }

  /** The deliveries nearest to the requested one, in order of arrival. */
  placed(): Placed[] {
    const all = [...this.#placed.values()]
    const nearest =
      all.length <= this.limit
        ? all
        : all
            .sort((a, b) => Math.abs(a.row.id - this.around) - Math.abs(b.row.id - this.around))
            .slice(0, this.limit)
    return nearest.sort((a, b) => a.row.id - b.row.id)
  }

  tied(): Placed[] {
    return this.placed().filter(({ relation }) => relation === 'linked')
  }

  truncated(): boolean {
    return this.isIncomplete || this.#placed.size > this.limit
  }
}
