/** Ids that wait for their turn, oldest first. Nothing but the ids, so that a long queue is still a small one. */
export class WaitingIds {
  #ids: number[] = []
  #first = 0

  get size(): number {
    return this.#ids.length - this.#first
  }

  add(id: number): void {
    this.#ids.push(id)
  }

  /** The oldest, which waits no longer. */
  take(): number | undefined {
    const id = this.#ids[this.#first]
    if (id === undefined) return undefined
    this.#first += 1
    // The room before the first is given back once it is as much as what waits.
    if (this.#first >= 1024 && this.#first * 2 >= this.#ids.length) {
      this.#ids = this.#ids.slice(this.#first)
      this.#first = 0
    }
    return id
  }

  /** Whether one of them is between the two. They were added in order. */
  hasBetween(after: number, before: number): boolean {
    let low = this.#first
    let high = this.#ids.length
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if ((this.#ids[middle] ?? 0) <= after) low = middle + 1
      else high = middle
    }
    return (this.#ids[low] ?? before) < before
  }
}
