/** The sends that are under way, so that they can be cancelled: each by the key that its caller chose, all of them at the end. */
export class Running {
  readonly #open = new Map<AbortController, { key: string | null; over: Promise<unknown> }>()

  /** Runs `send` with a signal of its own. */
  run<T>(key: string | null, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController()
    const sending = send(abort.signal).finally(() => void this.#open.delete(abort))
    this.#open.set(abort, { key, over: sending })
    return sending
  }

  cancel(key: string): void {
    for (const [abort, entry] of this.#open) if (entry.key === key) abort.abort()
  }

  /** Cancels all; resolves when each has written down how it ended. */
  async close(): Promise<void> {
    for (const abort of this.#open.keys()) abort.abort()
    await Promise.allSettled([...this.#open.values()].map(({ over }) => over))
  }
}
