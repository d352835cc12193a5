/** Cancelled by the key that the caller chose, or all together on shutdown. */
export class RunningRequests {
  readonly #open = new Map<
    AbortController,
    { key: string | null | undefined; over: Promise<unknown> }
  >()

  run<T>(key: string | null | undefined, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController()
    const sending = send(abort.signal).finally(() => void this.#open.delete(abort))
    this.#open.set(abort, { key, over: sending })
    return sending
  }

  cancel(key: string): void {
    for (const [abort, entry] of this.#open) if (entry.key === key) abort.abort()
  }

  /** Resolves when each request is over. */
  async close(): Promise<void> {
    for (const abort of this.#open.keys()) abort.abort()
    await Promise.allSettled([...this.#open.values()].map(({ over }) => over))
  }
}
