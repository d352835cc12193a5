import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { AttemptError } from '#contract/sending.ts'
import { hostOf, knownAddresses, lookUp } from '../../platform/http/addresses.ts'
import { authorityOf, connectionEnded, faultOfError } from '../../platform/http/failures.ts'
import type { Phases } from '../../platform/http/phases.ts'
import { placeOfAddress } from '../target.ts'

/** How many bytes are read from a connection at a time. */
const readBytes = 64 * 1024

/**
 * What is received on a connection, in one buffer that is used again and again: a stream would allocate a new one for each small response. It is
 * valid for the time of the call.
 */
class Incoming {
  take: ((bytes: Buffer) => void) | null = null
  readonly onread = {
    buffer: Buffer.allocUnsafeSlow(readBytes),
    callback: (length: number, bytes: Uint8Array): boolean => {
      this.take?.(Buffer.from(bytes.buffer, bytes.byteOffset, length))
      return true
    },
  }
}

/** Who uses a connection now, and is handed what is received. */
export interface Holder {
  /** The bytes are valid for the time of the call. */
  data(bytes: Buffer): void
  /** The other side has sent everything. */
  ended(): void
  /** The connection is closed. */
  lost(error: Error | null): void
}

/** One connection, used by one exchange at a time. It listens all the time, so that a connection that ends while idle is known to have ended. */
export class Connection {
  readonly socket: Socket
  /** `127.0.0.1:3000` */
  readonly remoteAddress: string
  /** Something was received for the last request, so that was read. */
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
      // Nothing was requested.
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

  /** Idle from now on. `lost` is called when it ends before it is used again. */
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

/** Address and port of the other side: `127.0.0.1:3000`. */
export function addressOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return remoteAddress.includes(':')
    ? `[${remoteAddress}]:${remotePort}`
    : `${remoteAddress}:${remotePort}`
}

/** An address that does not respond for so many milliseconds is given up for the next one, if there is one. */
const nextAfterMs = 1000

export interface DialOptions {
  readonly verifyTls: boolean
  readonly publicAllowed: boolean
}

export interface Dialled {
  /**
   * Ready to be written to: with TLS, after its handshake. It has no listeners. What is received is handed to `incoming`; null: it is read as a
   * stream.
   */
  ready(socket: Socket, incoming: Incoming | null): void
  /** Also called before the handshake of TLS. */
  connected(socket: Socket): void
  failed(error: AttemptError): void
}

/**
 * Opens a connection: the name is looked up once, and its addresses are tried one after the other. Each is judged just before it is connected
 * to, so that a name that points elsewhere the next time (DNS rebinding) gains nothing.
 */
export class Dial {
  readonly #url: URL
  readonly #options: DialOptions
  readonly #phases: Phases
  readonly #on: Dialled
  #socket: Socket | null = null
  #incoming: Incoming | null = null
  #next: NodeJS.Timeout | undefined
  #over = false

  constructor(url: URL, options: DialOptions, phases: Phases, on: Dialled) {
    this.#url = url
    this.#options = options
    this.#phases = phases
    this.#on = on
    const host = hostOf(url)
    const known = knownAddresses(host)
    if (known) {
      this.#try(known, null)
      return
    }
    lookUp(host, (error, addresses) => {
      if (this.#over) return
      this.#phases.looked()
      if (error) this.#fail(faultOfError(error, url, false))
      else this.#try(addresses, null)
    })
  }

  /** No callback is called after this. */
  cancel(): void {
    this.#over = true
    clearTimeout(this.#next)
    if (this.#socket) dispose(this.#socket)
  }

  #try(addresses: readonly string[], failed: Error | null): void {
    const [address, ...others] = addresses
    if (address === undefined) {
      this.#fail(faultOfError(failed ?? connectionEnded(), this.#url, false))
      return
    }
    if (!this.#options.publicAllowed && placeOfAddress(address) === 'public') {
      this.#fail(unconfirmed(this.#url, address))
      return
    }
    const socket = this.#open(address)
    this.#socket = socket
    const tryNext = (error: Error): void => {
      clearTimeout(this.#next)
      dispose(socket)
      // Of several failures the first is reported: it is that of the preferred address.
      if (!this.#over) this.#try(others, failed ?? error)
    }
    socket.once('error', tryNext)
    socket.once('connect', () => {
      clearTimeout(this.#next)
      socket.off('error', tryNext)
      this.#phases.connected()
      this.#on.connected(socket)
      if (this.#url.protocol === 'https:') this.#shakeHands(socket)
      else this.#ready(socket)
    })
    if (others.length > 0) {
      this.#next = setTimeout(() => tryNext(noResponse()), nextAfterMs)
    }
  }

  #open(address: string): Socket {
    const { protocol, port } = this.#url
    if (protocol === 'http:') {
      this.#incoming = new Incoming()
      const { onread } = this.#incoming
      return connect({ host: address, port: Number(port) || 80, onread }).setNoDelay()
    }
    const host = hostOf(this.#url)
    const socket = connectTls({
      host: address,
      port: Number(port) || 443,
      // An address is not a server name (RFC 6066, 3): then the certificate is compared with the address.
      servername: isIP(host) === 0 ? host : '',
      ALPNProtocols: ['http/1.1'],
      // Whatever the environment says.
      rejectUnauthorized: this.#options.verifyTls,
    })
    return socket.setNoDelay()
  }

  #shakeHands(socket: Socket): void {
    const fail = (error: Error): void => {
      dispose(socket)
      this.#fail(faultOfError(error, this.#url, false))
    }
    const closed = (): void => fail(connectionEnded())
    socket.once('error', fail)
    socket.once('close', closed)
    socket.once('secureConnect', () => {
      socket.off('error', fail)
      socket.off('close', closed)
      this.#phases.secured()
      this.#ready(socket)
    })
  }

  #ready(socket: Socket): void {
    this.#over = true
    this.#on.ready(socket, this.#incoming)
  }

  #fail(error: AttemptError): void {
    if (this.#over) return
    this.#over = true
    this.#on.failed(error)
  }
}

/** Its later errors are ignored. */
function dispose(socket: Socket): void {
  socket.removeAllListeners()
  socket.on('error', () => undefined).destroy()
}

function noResponse(): Error {
  return Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })
}

function unconfirmed(url: URL, address: string): AttemptError {
  return {
    code: 'unconfirmed',
    message: `${authorityOf(url)} is at ${address}, outside this machine and its network, and is not confirmed yet. Confirm the target, then send again.`,
  }
}
