/** What is sent just now, to be cancelled by the key that its caller chose. */
export class UnderWay {
  readonly #running = new Map<
    AbortController,
    { key: string | undefined; done: Promise<unknown> }
  >()

  run<T>(key: string | undefined, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const done = send(controller.signal).finally(() => this.#running.delete(controller))
    this.#running.set(controller, { key, done: done.catch(() => undefined) })
    return done
  }

  cancel(key: string): void {
    for (const [controller, running] of this.#running) {
      if (running.key === key) controller.abort()
    }
  }

  /** Ends all of it; resolves when it is recorded. */
  async close(): Promise<void> {
    const running = [...this.#running]
    for (const [controller] of running) controller.abort()
    await Promise.all(running.map(([, { done }]) => done))
  }
}
