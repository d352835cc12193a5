import { AppError } from '#engine/platform/errors.ts'
import { joinRunning, type Session } from './session.ts'

/** How long it may take to store a delivery after its response, in milliseconds. */
const deadlineMs = 10_000
const pageSize = 1000

/** The deliveries that a Tabscope stores, found by their bodies. */
export class StoredDeliveries implements AsyncDisposable {
  readonly #session: Session
  readonly #ids = new Map<string, number>()
  readonly #unlisten: () => void
  #after: number
  #changed = Promise.withResolvers<void>()

  private constructor(session: Session, after: number) {
    this.#session = session
    this.#after = after
    this.#unlisten = session.on('deliveries.arrived', () => {
      this.#changed.resolve()
      this.#changed = Promise.withResolvers()
    })
  }

  /** Follows deliveries that the Tabscope running on the folder stores from now on; null if none is running or it cannot be joined. */
  static async follow(folder: string): Promise<StoredDeliveries | null> {
    const session = await joinRunning(folder)
    if (session === null) return null
    const { stats } = await session.call('app.snapshot', {})
    return new StoredDeliveries(session, stats.newestId)
  }

  /** The ID of the delivery whose body has this SHA-256 in hex; null if it was not stored in time. */
  async idOf(sha256: string): Promise<number | null> {
    const signal = AbortSignal.timeout(deadlineMs)
    const { promise: late, resolve } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => resolve(), { once: true })
    for (;;) {
      // Taken before the query, so that deliveries stored meanwhile end the wait.
      const changed = this.#changed.promise
      if (!(await this.#readNew())) return null
      const id = this.#ids.get(sha256)
      if (id !== undefined || signal.aborted) return id ?? null
      await Promise.race([changed, late, this.#session.gone])
    }
  }

  /** Reads the new deliveries. False if Tabscope has exited. */
  async #readNew(): Promise<boolean> {
    for (;;) {
      const next = { after: this.#after, limit: pageSize }
      const rows = await this.#session.call('deliveries.since', next).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'connection_lost') return null
        throw error
      })
      if (rows === null) return false
      for (const { id, sha256 } of rows) this.#ids.set(sha256, id)
      this.#after = rows.at(-1)?.id ?? this.#after
      if (rows.length < pageSize) return true
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unlisten()
    await this.#session[Symbol.asyncDispose]()
  }
}
