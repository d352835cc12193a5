import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Timings } from '#contract/http.ts'
import type { AttemptError } from '#contract/sending.ts'
import { addressOf, Dial } from '../../platform/http/dial.ts'
import {
  abortedFault,
  authorityOf,
  ConnectFailure,
  connectionEnded,
  faultOfError,
  timeoutFault,
} from '../../platform/http/failures.ts'
import type { Network } from '../../platform/http/network.ts'
import { Phases } from '../../platform/http/phases.ts'
import { proxyFault, responderOf, type Proxy } from '../../platform/http/proxy.ts'
import { locationOfAddress } from '../../platform/http/addresses.ts'
import { Connection, Incoming, type Holder } from './connection.ts'
import { aroundBody, headText, type Transmission, type WireRequest } from './request-bytes.ts'
import { ResponseReader, type WireResponse } from './response-reader.ts'

export interface WireOptions {
  /** Milliseconds for the whole exchange. */
  readonly timeout: number
  readonly maxResponseBytes: number
  readonly verifyTls: boolean
  /** False: only loopback and private addresses are connected to (else `unconfirmed`). */
  readonly publicAllowed: boolean
  /** False: uses a new connection, so that all phases are timed. */
  readonly keepAlive: boolean
  /** How the Tabscope listener recognizes the request if it is sent there. */
  readonly own: 'forward' | 'send'
  readonly signal?: AbortSignal | undefined
}

export interface WireOutcome {
  /** Null without a complete head. Set together with `error` if the response was cut off. */
  readonly response: WireResponse | null
  readonly error: AttemptError | null
  readonly timings: Timings
  /** False: it ended before the complete request was written. */
  readonly sent: boolean
  /** `127.0.0.1:3000`; null without a connection. */
  readonly remoteAddress: string | null
  /** `host:port` of the proxy that the request went through; null: none. */
  readonly proxy: string | null
  readonly reused: boolean
  /** Null without TLS. */
  readonly tlsVerified: boolean | null
}

/** A body that exceeds the kept part by this factor closes the connection. */
const maxBodyFactor = 8
const copyLimit = 64 * 1024

export interface ExchangeEvents {
  /** Called before anything is written to a new connection. */
  opened(connection: Connection): void
  /** Called once, before the outcome is returned. `keepMs`: how long the connection can be reused. */
  over(connection: Connection | null, keepMs: number): void
}

export class Exchange implements Holder {
  readonly #request: WireRequest
  readonly #options: WireOptions
  readonly #network: Network
  readonly #events: ExchangeEvents
  readonly #done: (outcome: WireOutcome) => void
  readonly #phases = new Phases()
  readonly #reader: ResponseReader
  #timer: NodeJS.Timeout | undefined
  #dial: Dial | null = null
  #connection: Connection | null = null
  #remoteAddress: string | null = null
  #proxy: Proxy | null = null
  #reused = false
  #received = false
  #sent = false
  #over = false

  constructor(
    request: WireRequest,
    options: WireOptions,
    network: Network,
    events: ExchangeEvents,
    done: (outcome: WireOutcome) => void,
  ) {
    this.#request = request
    this.#options = options
    this.#network = network
    this.#events = events
    this.#done = done
    this.#reader = new ResponseReader(request.method, options.maxResponseBytes, () =>
      this.#phases.interim(),
    )
  }

  start(kept: Connection | null): void {
    const { timeout } = this.#options
    const { url } = this.#request
    this.#timer = setTimeout(
      () => this.#end(timeoutFault(url, timeout, this.#reader.responding)),
      timeout,
    )
    if (kept) {
      this.#reused = true
      kept.use(this)
      this.#send(kept)
      return
    }
    // A target that is not confirmed is on this machine or in its network, which a proxy could leave.
    const proxy = this.#options.publicAllowed ? this.#network.proxyFor(url) : null
    if (proxy === null) this.#connect(null)
    else {
      proxy.then(
        (proxy) => this.#over || this.#connect(proxy),
        (error: unknown) => {
          if (!(error instanceof ConnectFailure)) throw error
          this.#end(error.fault)
        },
      )
    }
  }

  #connect(proxy: Proxy | null): void {
    const { verifyTls, publicAllowed } = this.#options
    const { url } = this.#request
    const isPlain = url.protocol === 'http:' && (proxy?.url.protocol ?? 'http:') === 'http:'
    const incoming = isPlain ? new Incoming() : null
    let remoteAddress = ''
    const options = { proxy, network: this.#network, verifyTls, onread: incoming?.onread }
    this.#dial = new Dial(url, options, this.#phases, {
      allowed: (address) => {
        if (publicAllowed || locationOfAddress(address) !== 'public') return true
        this.#end(unconfirmed(url, address))
        return false
      },
      connected: (socket) => {
        remoteAddress = addressOf(socket)
        this.#remoteAddress = remoteAddress
        this.#proxy = proxy
      },
      ready: (socket) => {
        const connection = new Connection(socket, { remoteAddress, proxy }, incoming, this)
        this.#events.opened(connection)
        this.#send(connection)
      },
      failed: ({ code, message }) => {
        const advice = code === 'refused' ? ' Start your handler, or change the target.' : ''
        this.#end({ code, message: message + advice })
      },
    })
  }

  abort(): void {
    this.#end(abortedFault)
  }

  data(bytes: Buffer): void {
    this.#received = true
    this.#phases.answered()
    try {
      this.#reader.take(bytes)
    } catch (error) {
      this.#fail(error instanceof Error ? error : connectionEnded())
      return
    }
    if (this.#reader.whole) this.#end(null)
    else if (this.#reader.bytes > this.#options.maxResponseBytes * maxBodyFactor) this.#end(null)
  }

  ended(): void {
    if (this.#reader.ended()) this.#end(null)
    else this.#fail(connectionEnded())
  }

  lost(error: Error | null): void {
    this.#fail(error ?? connectionEnded())
  }

  #send(connection: Connection): void {
    this.#dial = null
    this.#connection = connection
    this.#remoteAddress = connection.remoteAddress
    this.#proxy = connection.proxy
    this.#write(connection.socket)
  }

  #write(socket: Socket): void {
    const { body, transmission } = this.#request
    const { before, after } = aroundBody(this.#request)
    const text = headText(this.#request, this.#proxy) + before
    if (transmission) {
      void this.#writePieces(socket, text, after, transmission)
      return
    }
    const done = (): void => {
      this.#sent = true
      this.#phases.sent()
    }
    const length = text.length + body.byteLength + after.length
    if (length <= copyLimit) {
      const bytes = Buffer.allocUnsafe(length)
      bytes.write(text, 0, 'latin1')
      bytes.set(body, text.length)
      bytes.write(after, text.length + body.byteLength, 'latin1')
      socket.write(bytes, done)
      return
    }
    socket.cork()
    socket.write(text, 'latin1')
    if (after === '') socket.write(body, done)
    else {
      socket.write(body)
      socket.write(after, 'latin1', done)
    }
    socket.uncork()
  }

  /** Closes the connection where the transmission stops. Ends early if the exchange is over. */
  async #writePieces(
    socket: Socket,
    before: string,
    after: string,
    { pieceBytes = Number.POSITIVE_INFINITY, part, pauseMs = 0, stopAfter }: Transmission,
  ): Promise<void> {
    const { body } = this.#request
    const start = Buffer.from(before, 'latin1')
    const all = Buffer.concat(
      stopAfter === undefined
        ? [start, body, Buffer.from(after, 'latin1')]
        : [start, body.subarray(0, stopAfter)],
    )
    socket.setNoDelay(true)
    const endOf = (at: number): number => {
      const isHead = at < start.byteLength
      const end = isHead && part ? start.byteLength : all.byteLength
      return part === (isHead ? 'body' : 'head') ? end : Math.min(at + pieceBytes, end)
    }
    for (let at = 0; at < all.byteLength && !this.#over; at = endOf(at)) {
      const piece = all.subarray(at, endOf(at))
      const written = Promise.withResolvers<void>()
      socket.write(piece, () => written.resolve())
      socket.once('close', written.resolve)
      await written.promise
      socket.off('close', written.resolve)
      if (pauseMs > 0) await delay(pauseMs)
    }
    this.#sent = true
    this.#phases.sent()
    if (stopAfter !== undefined) this.#end(abortedFault)
  }

  #fail(error: Error): void {
    const responder = responderOf(this.#request.url, this.#proxy)
    const fault = faultOfError(error, responder, this.#reader.responding)
    // The target may have received the request, so it is not resent automatically.
    if (fault.code === 'reset' && this.#reused && !this.#received) {
      this.#end({ code: 'reset', message: reusedConnectionClosed(this.#request.url) })
    } else this.#end(fault)
  }

  #end(error: AttemptError | null): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    this.#dial?.cancel()
    const connection = this.#connection
    const keepMs = error === null && this.#sent ? this.#reader.keep() : 0
    if (connection) connection.answered = this.#received
    this.#events.over(connection, keepMs)
    const response = this.#reader.response()
    const { url } = this.#request
    const fault =
      this.#proxy && url.protocol === 'http:' && response?.status === 407
        ? proxyFault(this.#proxy, 407, authorityOf(url))
        : null
    this.#done({
      response: fault ? null : response,
      error: fault ?? error,
      timings: this.#phases.timings(),
      sent: this.#sent,
      remoteAddress: this.#remoteAddress,
      proxy: this.#proxy && this.#proxy.name,
      reused: this.#reused,
      tlsVerified:
        connection && this.#request.url.protocol === 'https:' ? this.#options.verifyTls : null,
    })
  }
}

function reusedConnectionClosed(url: URL): string {
  return `${authorityOf(url)} closed a reused connection without a response. It may have processed the request: check there before you send it again.`
}

function unconfirmed(url: URL, address: string): AttemptError {
  return {
    code: 'unconfirmed',
    message: `${authorityOf(url)} is at ${address}, outside this machine and its network, and is not confirmed. Confirm the target, then send again.`,
  }
}
