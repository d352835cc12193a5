import type { Socket } from 'node:net'
import type { Proxy } from '../../platform/http/proxy.ts'

const readBytes = 64 * 1024

/** Reuses one buffer for all received bytes: a stream would allocate one for each small response. The bytes are valid during the call. */
export class Incoming {
  take: ((bytes: Buffer) => void) | null = null
  readonly onread = {
    buffer: Buffer.allocUnsafeSlow(readBytes),
    callback: (length: number, bytes: Uint8Array): boolean => {
      this.take?.(Buffer.from(bytes.buffer, bytes.byteOffset, length))
      return true
    },
  }
}

/** The current user of a connection, which receives its bytes. */
export interface Holder {
  data(bytes: Buffer): void
  ended(): void
  lost(error: Error | null): void
}

/** Used by one exchange at a time. Always listens, so that it notices when it is closed while idle. */
export class Connection {
  readonly socket: Socket
  /** `127.0.0.1:3000` */
  readonly remoteAddress: string
  /** Between us and the server. */
  readonly proxy: Proxy | null
  /** Something was received for the last request, so the server has read it. */
  answered = false
  #holder: Holder | null
  #idleLost: (() => void) | null = null
  #error: Error | null = null
  #closed = false

  /** `incoming`: receives the bytes of the socket; null: the socket is a stream. */
  constructor(
    socket: Socket,
    to: { remoteAddress: string; proxy: Proxy | null },
    incoming: Incoming | null,
    holder: Holder,
  ) {
    this.socket = socket
    this.remoteAddress = to.remoteAddress
    this.proxy = to.proxy
    this.#holder = holder
    const take = (bytes: Buffer): void => {
      if (this.#holder) this.#holder.data(bytes)
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

  /** `lost` is called if the idle connection closes before it is used again. */
  release(lost: () => void): void {
    this.#holder = null
    this.#idleLost = lost
  }

  use(holder: Holder): void {
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
