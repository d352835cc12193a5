import { Listener, type ListenerOptions } from './listener.ts'

/** How long connections stay open for what is on its way, and how long the rest may take, in milliseconds. */
const closing = { graceMs: 200, deadlineMs: 2000 }

interface Opened {
  readonly listener: Listener
  readonly port: number
}

/**
 * The way in for tunnels of our own: another listener, on a port that the system chooses. A tunnel's client keeps connections that may say
 * nothing for hours: they are not closed by us, since a request may be on its way in any of them.
 */
export class TunnelListener {
  readonly #options: Omit<ListenerOptions, 'via' | 'ownOf'>
  readonly #hasten: () => void
  readonly #now: () => number
  #opened: Promise<Opened> | null = null
  #closed: Promise<unknown> = Promise.resolve()
  #last = 0
  #listener: Listener | null = null

  /** `hasten` is called when it closes: what waits by our own will is to be answered now. `now` in milliseconds since the epoch. */
  constructor(
    options: Omit<ListenerOptions, 'via' | 'ownOf'>,
    hasten: () => void,
    now: () => number,
  ) {
    this.#options = options
    this.#hasten = hasten
    this.#now = now
  }

  /** When a request last came in by it, a self-probe or another; 0: none has. One that was cut off proves no way that lives. */
  get last(): number {
    return this.#last
  }

  /** Connections whose answer waits by our own will. */
  get holding(): number {
    return this.#listener?.holding ?? 0
  }

  /** Resolves to its port. Open already: as it is. Rejects with the system's error. */
  async open(): Promise<number> {
    const opened = (this.#opened ??= this.#listen())
    try {
      return (await opened).port
    } catch (error) {
      if (this.#opened === opened) this.#opened = null
      throw error
    }
  }

  /** Stops accepting, and resolves when what was in flight is answered, or its time is over. */
  async close({ graceMs, deadlineMs } = closing): Promise<void> {
    const opened = this.#opened
    this.#opened = null
    this.#listener = null
    if (opened) {
      const end = async (): Promise<void> => {
        const { listener } = await opened
        const closed = listener.close(graceMs, deadlineMs)
        this.#hasten()
        await closed
      }
      // One that could not be opened needs no closing.
      this.#closed = Promise.all([this.#closed, end().catch(() => undefined)])
    }
    await this.#closed
  }

  async #listen(): Promise<Opened> {
    const { arrived } = this.#options
    const listener = new Listener({
      ...this.#options,
      via: 'tunnel',
      // The sender marks its ports on the way to the listener. A tunnel's client may have the same port on its way to here.
      ownOf: () => null,
      arrived: (request) => {
        if (request.arrival !== 'cut_off') this.#last = this.#now()
        arrived(request)
      },
    })
    const port = await listener.open(0)
    this.#listener = listener
    return { listener, port }
  }
}
