/** Work that is done once for all that ask while it is under way, for each key. */
export class SingleFlight<K, T> {
  readonly #flying = new Map<K, Promise<T>>()
  readonly #changed: () => void

  /** `changed` is told when one begins, and when one is over. */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** The work that is under way for `key`, or the given one, begun now. */
  join(key: K, begin: () => Promise<T>): Promise<T> {
    const flying = this.#flying.get(key)
    if (flying) return flying
    const begun = Promise.resolve()
      .then(begin)
      .finally(() => {
        this.#flying.delete(key)
        this.#changed()
      })
    this.#flying.set(key, begun)
    this.#changed()
    return begun
  }

  has(key: K): boolean {
    return this.#flying.has(key)
  }

  /** Resolves when all that is under way now is over, well or not. */
  async landed(): Promise<void> {
    await Promise.allSettled(this.#flying.values())
  }
}
