import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { AttemptError } from '#contract/sending.ts'
import { authorityOf, connectionEnded, faultOfError } from '../../http/failures.ts'
import type { Phases } from '../../http/phases.ts'
import { Incoming } from './incoming.ts'
import { hostOf, knownAddresses, lookUp } from '../../http/addresses.ts'
import { placeOfAddress } from '../target/place.ts'

/** An address that says nothing for so many milliseconds is left for the next one, where there is one. */
const nextAfterMs = 1000

export interface DialOptions {
  readonly verifyTls: boolean
  readonly publicAllowed: boolean
}

export interface Dialled {
  /**
   * Ready to be written to: with TLS its handshake is over. It has no listeners any more. What comes is handed to `incoming`; null: it is read
   * as a stream.
   */
  ready(socket: Socket, incoming: Incoming | null): void
  /** Also called before the handshake of TLS. */
  connected(socket: Socket): void
  failed(error: AttemptError): void
}

/**
 * Opens a connection: the name is looked up once, and its addresses are tried one after the other; each is judged as it is about to be connected
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

  /** Nothing is called any more. */
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
    const goOn = (error: Error): void => {
      clearTimeout(this.#next)
      dispose(socket)
      // Of several failures the first is told: it is of the address that was meant to be used.
      if (!this.#over) this.#try(others, failed ?? error)
    }
    socket.once('error', goOn)
    socket.once('connect', () => {
      clearTimeout(this.#next)
      socket.off('error', goOn)
      this.#phases.connected()
      this.#on.connected(socket)
      if (this.#url.protocol === 'https:') this.#shakeHands(socket)
      else this.#ready(socket)
    })
    if (others.length > 0) {
      this.#next = setTimeout(() => goOn(silent()), nextAfterMs)
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
      // An address is no server name (RFC 6066, 3): then the certificate is compared with the address.
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

/** A late error of it is nobody's concern. */
function dispose(socket: Socket): void {
  socket.removeAllListeners()
  socket.on('error', () => undefined).destroy()
}

function silent(): Error {
  return Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })
}

function unconfirmed(url: URL, address: string): AttemptError {
  return {
    code: 'unconfirmed',
    message: `${authorityOf(url)} is at ${address}, outside this machine and its network, and nobody has confirmed it yet. Confirm the target, then send again.`,
  }
}
