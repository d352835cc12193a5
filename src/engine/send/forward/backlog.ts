/** So many attempts may be on their way into the store. */
const mostAttempts = 1000
/** Their answers may take so much, in bytes. */
const mostBytes = 32 * 1024 * 1024

/** Keeps back what is to be sent while too much of what was sent is not stored yet: a slow disk costs time, not memory. */
export class Backlog {
  #attempts = 0
  #bytes = 0
  #freed = Promise.withResolvers<void>()

  /** Counts `bytes` of an answer until `stored` is settled. */
  add(bytes: number, stored: Promise<unknown>): void {
    this.#attempts += 1
    this.#bytes += bytes
    const free = (): void => {
      this.#attempts -= 1
      this.#bytes -= bytes
      if (this.isFull) return
      this.#freed.resolve()
      this.#freed = Promise.withResolvers()
    }
    stored.then(free, free)
  }

  get isFull(): boolean {
    return this.#attempts >= mostAttempts || this.#bytes >= mostBytes
  }

  /** Resolves when there is room again, or at `signal`. */
  async room(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>()
    const over = (): void => aborted.resolve()
    signal.addEventListener('abort', over, { once: true })
    while (this.isFull && !signal.aborted)
      await Promise.race([this.#freed.promise, aborted.promise])
    signal.removeEventListener('abort', over)
  }
}
