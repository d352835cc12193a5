/** Something that is due at a time, in milliseconds of any clock. Of two that are due at once the one added first comes first. */
interface Entry<T> {
  readonly item: T
  dueAt: number
  readonly order: number
}

/** What waits for its time, in a binary heap: adding to and taking from ten thousand is some fourteen steps. */
export class WaitingLine<T> {
  #heap: Entry<T>[] = []
  #added = 0

  get size(): number {
    return this.#heap.length
  }

  /** When the first one is due; null: nothing waits. */
  get nextAt(): number | null {
    return this.#heap[0]?.dueAt ?? null
  }

  add(item: T, dueAt: number): void {
    this.#added += 1
    this.#heap.push({ item, dueAt, order: this.#added })
    this.#rise(this.#heap.length - 1)
  }

  /** Takes the first one out, due or not; undefined: nothing waits. */
  take(): T | undefined {
    const first = this.#heap[0]
    const last = this.#heap.pop()
    if (!first || !last) return undefined
    if (this.#heap.length > 0) {
      this.#heap[0] = last
      this.#sink()
    }
    return first.item
  }

  /** Makes those for which it holds due at once, in the order in which they would have been. */
  hasten(holds: (item: T) => boolean): void {
    const entries = this.#heap.toSorted((a, b) => a.dueAt - b.dueAt || a.order - b.order)
    const early = entries.filter(({ item }) => holds(item))
    const rest = entries.filter(({ item }) => !holds(item))
    this.#heap = []
    for (const { item } of early) this.add(item, Number.NEGATIVE_INFINITY)
    for (const { item, dueAt } of rest) this.add(item, dueAt)
  }

  #isBefore(one: number, other: number): boolean {
    const a = this.#heap[one]
    const b = this.#heap[other]
    if (!a || !b) return false
    return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order)
  }

  #swap(one: number, other: number): void {
    const a = this.#heap[one]
    const b = this.#heap[other]
    if (!a || !b) return
    this.#heap[one] = b
    this.#heap[other] = a
  }

  #rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(): void {
    for (let at = 0; ;) {
      const left = 2 * at + 1
      const child = this.#isBefore(left + 1, left) ? left + 1 : left
      if (!this.#isBefore(child, at)) return
      this.#swap(at, child)
      at = child
    }
  }
}
