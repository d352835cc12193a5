import type { Socket } from 'node:net'
import type { Incoming } from './incoming.ts'

/** Whose turn it is on a connection: what comes is handed to it. */
export interface Holder {
  /** They last for the time of the call. */
  data(bytes: Buffer): void
  /** The other side has sent all it will. */
  ended(): void
  /** Nothing more will come or go. */
  lost(error: Error | null): void
}

/** One connection, held by one exchange at a time. It listens all the time, so that one that ends while idle is known to have ended. */
export class Connection {
  readonly socket: Socket
  /** `127.0.0.1:3000` */
  readonly remoteAddress: string
  /** Something came back for what was sent over it last: so that was read. */
  answered = false
  #holder: Holder | null
  #idleLost: (() => void) | null = null
  #error: Error | null = null
  #closed = false

  constructor(socket: Socket, incoming: Incoming | null, holder: Holder) {
    this.socket = socket
    this.remoteAddress = addressOf(socket)
    this.#holder = holder
    const take = (bytes: Buffer): void => {
      if (this.#holder) this.#holder.data(bytes)
      // Nobody has asked for anything.
      else this.destroy()
    }
    if (incoming) incoming.take = take
    else socket.on('data', take)
    socket.on('end', () => {
      if (this.#holder) this.#holder.ended()
      else this.destroy()
    })
    socket.on('error', (error) => {
      this.#error = error
    })
    socket.on('close', () => {
      this.#closed = true
      this.#holder?.lost(this.#error)
      this.#holder = null
      this.#idle()
    })
  }

  get usable(): boolean {
    return !this.#closed && !this.socket.destroyed && this.socket.writable
  }

  /** Idle from now on. `lost` is called when it ends before it is taken again. */
  rest(lost: () => void): void {
    this.#holder = null
    this.#idleLost = lost
  }

  takeUp(holder: Holder): void {
    this.answered = false
    this.#idleLost = null
    this.#holder = holder
  }

  destroy(): void {
    this.#holder = null
    this.#idle()
    this.socket.destroy()
  }

  #idle(): void {
    const lost = this.#idleLost
    this.#idleLost = null
    lost?.()
  }
}

/** Address and port of the other side. */
export function addressOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return remoteAddress.includes(':')
    ? `[${remoteAddress}]:${remotePort}`
    : `${remoteAddress}:${remotePort}`
}
