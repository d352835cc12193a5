import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { AttemptError } from '#contract/sending.ts'
import { hostOf, knownAddresses, lookUp } from '../../platform/http/addresses.ts'
import { authorityOf, connectionEnded, faultOfError } from '../../platform/http/failures.ts'
import type { Phases } from '../../platform/http/phases.ts'
import { locationOfAddress } from '../target.ts'

const readBytes = 64 * 1024

/** Reuses one buffer for all received bytes: a stream would allocate one for each small response. The bytes are valid during the call. */
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
  /** Something was received for the last request, so the server has read it. */
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
      // These bytes respond to no request.
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

/** `127.0.0.1:3000` */
export function addressOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return remoteAddress.includes(':')
    ? `[${remoteAddress}]:${remotePort}`
    : `${remoteAddress}:${remotePort}`
}

/** Without a connection, the next address is tried after this. */
const nextAfterMs = 1000

export interface DialOptions {
  readonly verifyTls: boolean
  readonly publicAllowed: boolean
}

export interface Dialled {
  /**
   * Ready for writing, with TLS after the handshake, and without listeners. Received bytes go to `incoming`; null: read the socket as a stream.
   */
  ready(socket: Socket, incoming: Incoming | null): void
  /** Called before the TLS handshake. */
  connected(socket: Socket): void
  failed(error: AttemptError): void
}

/** Looks up the name once and tries its addresses in order. Checks each address right before connecting, so that DNS rebinding has no effect. */
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

  cancel(): void {
    this.#over = true
    clearTimeout(this.#next)
    if (this.#socket) dispose(this.#socket)
  }

  #try(addresses: readonly string[], failed: Error | null): void {
    const [address, ...others] = addresses
    if (address === undefined) {
      this.#fail(faultOfTarget(failed ?? connectionEnded(), this.#url))
      return
    }
    if (!this.#options.publicAllowed && locationOfAddress(address) === 'public') {
      this.#fail(unconfirmed(this.#url, address))
      return
    }
    const socket = this.#open(address)
    this.#socket = socket
    const tryNext = (error: Error): void => {
      clearTimeout(this.#next)
      dispose(socket)
      // The first failure is that of the preferred address.
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
      // An IP address is not a server name (RFC 6066, 3). Then the certificate is compared with the address.
      servername: isIP(host) === 0 ? host : '',
      ALPNProtocols: ['http/1.1'],
      // Regardless of the environment.
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

/** Ignores later errors of the socket. */
function dispose(socket: Socket): void {
  socket.removeAllListeners()
  socket.on('error', () => undefined).destroy()
}

function noResponse(): Error {
  return Object.assign(new Error('no response'), { code: 'ETIMEDOUT' })
}

function unconfirmed(url: URL, address: string): AttemptError {
  return {
    code: 'unconfirmed',
    message: `${authorityOf(url)} is at ${address}, outside this machine and its network, and is not confirmed. Confirm the target, then send again.`,
  }
}

function faultOfTarget(error: Error, url: URL): AttemptError {
  const fault = faultOfError(error, url, false)
  return fault.code === 'refused'
    ? { ...fault, message: `${fault.message} Start your handler, or change the target.` }
    : fault
}
