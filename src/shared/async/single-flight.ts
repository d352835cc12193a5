/** Shares running work between concurrent callers with the same key. */
export class SingleFlight<K, T> {
  readonly #flying = new Map<K, Promise<T>>()
  readonly #changed: () => void

  /** `changed` is called when work starts or ends. */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** Joins the running work for `key`, or starts the given work. */
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

  /** Resolves when all running work has settled. */
  async landed(): Promise<void> {
    await Promise.allSettled(this.#flying.values())
  }
}
