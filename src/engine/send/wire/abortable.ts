/** What ends when a signal says so. One listener for each signal, however many wait for it at once: a job has one for all that it sends. */
export class Abortable<T extends { abort(): void }> {
  readonly #waiting = new WeakMap<AbortSignal, Set<T>>()

  add(one: T, signal: AbortSignal): void {
    const waiting = this.#waiting.get(signal)
    if (waiting) waiting.add(one)
    else this.#listen(signal, new Set([one]))
  }

  remove(one: T, signal: AbortSignal): void {
    this.#waiting.get(signal)?.delete(one)
  }

  /** It stays on for as long as the signal is there. */
  #listen(signal: AbortSignal, waiting: Set<T>): void {
    this.#waiting.set(signal, waiting)
    signal.addEventListener('abort', () => waiting.forEach((one) => one.abort()), { once: true })
  }
}
