import { Listener, type ListenerOptions } from './listener.ts'

const closing = { graceMs: 200, deadlineMs: 2000 }

interface Opened {
  readonly listener: Listener
  readonly port: number
}

/**
 * On a port that the system assigns. Tunnel clients keep connections that may be idle for hours. These are not closed, because a request may be in
 * transit on any of them.
 */
export class TunnelListener {
  readonly #options: Omit<ListenerOptions, 'via' | 'ownOf'>
  readonly #expedite: () => void
  readonly #now: () => number
  #opened: Promise<Opened> | null = null
  #closed: Promise<unknown> = Promise.resolve()
  #lastRequestAt = 0
  #listener: Listener | null = null

  /** `expedite` is called on close, to send delayed responses immediately. `now`: milliseconds since the epoch. */
  constructor(
    options: Omit<ListenerOptions, 'via' | 'ownOf'>,
    expedite: () => void,
    now: () => number,
  ) {
    this.#options = options
    this.#expedite = expedite
    this.#now = now
  }

  /** Includes self-probes; 0: never. Incomplete requests do not count, as they do not prove that the tunnel works. */
  get lastRequestAt(): number {
    return this.#lastRequestAt
  }

  get waiting(): number {
    return this.#listener?.waiting ?? 0
  }

  /** Resolves to the port. Rejects with the system's error. */
  async open(): Promise<number> {
    const opened = (this.#opened ??= this.#listen())
    try {
      return (await opened).port
    } catch (error) {
      if (this.#opened === opened) this.#opened = null
      throw error
    }
  }

  /** Resolves when requests in flight have their response, or at the deadline. */
  async close({ graceMs, deadlineMs } = closing): Promise<void> {
    const opened = this.#opened
    this.#opened = null
    this.#listener = null
    if (opened) {
      const closeListener = async (): Promise<void> => {
        const { listener } = await opened
        const closed = listener.close(graceMs, deadlineMs)
        this.#expedite()
        await closed
      }
      this.#closed = Promise.all([this.#closed, closeListener().catch(() => undefined)])
    }
    await this.#closed
  }

  async #listen(): Promise<Opened> {
    const options = this.#options
    const listener = new Listener({
      ...options,
      via: 'tunnel',
      // Own ports are those of connections to the main listener. A tunnel client may use the same port number here.
      ownOf: () => null,
      received: (request) => {
        if (request.arrival !== 'cut_off') this.#lastRequestAt = this.#now()
        options.received(request)
      },
    })
    const port = await listener.open(0)
    this.#listener = listener
    return { listener, port }
  }
}
