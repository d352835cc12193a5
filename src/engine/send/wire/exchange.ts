import type { AttemptError } from '#contract/sending.ts'
import {
  abortedFault,
  authorityOf,
  connectionEnded,
  faultOfError,
  timeoutFault,
} from '../../http/failures.ts'
import { Phases } from '../../http/phases.ts'
import { AnswerReader } from './answer-reader.ts'
import { addressOf, type Connection, type Holder } from './connection.ts'
import { Dial } from './dial.ts'
import type { Incoming } from './incoming.ts'
import { aroundBody, awaitsWord, headText } from './request-bytes.ts'
import type { WireOptions, WireOutcome, WireRequest } from './wire.ts'

/** What is not kept of a body is counted up to so many times of what is; then the connection is cut. */
const countedTimes = 8
/** A server that says nothing to `Expect: 100-continue` is sent the body after so many milliseconds (RFC 9110, 10.1.1). */
const expectMs = 1000
/** Up to so many bytes, head and body are copied together rather than written as two. */
const copied = 64 * 1024

/** What an exchange needs of those around it. */
export interface Surroundings {
  opened(socket: Connection['socket'], incoming: Incoming | null, exchange: Exchange): Connection
  /** Called once, before the outcome is handed out. `keepMs`: the connection can be used again for so long. */
  over(exchange: Exchange, connection: Connection | null, keepMs: number): void
  /** `tick` is to be called at this time by `performance.now()`. */
  wakeBy(time: number): void
}

/** One request and its answer. */
export class Exchange implements Holder {
  readonly request: WireRequest
  readonly options: WireOptions
  /** Until when nothing but waiting is to be done, by `performance.now()`. */
  wakeAt: number
  readonly #deadline: number
  readonly #around: Surroundings
  readonly #done: (outcome: WireOutcome) => void
  readonly #phases = new Phases()
  readonly #reader: AnswerReader
  #dial: Dial | null = null
  #connection: Connection | null = null
  #remoteAddress: string | null = null
  #reused = false
  #heard = false
  #bodyWaits = false
  #sent = false
  #over = false

  constructor(
    request: WireRequest,
    options: WireOptions,
    around: Surroundings,
    done: (outcome: WireOutcome) => void,
  ) {
    this.request = request
    this.options = options
    this.#around = around
    this.#done = done
    this.#deadline = performance.now() + options.timeout
    this.wakeAt = this.#deadline
    this.#reader = new AnswerReader(request.method, options.maxAnswerBytes, (status) =>
      this.#interim(status),
    )
  }

  /** Over a connection that is there, or one of its own. */
  begin(kept: Connection | null): void {
    this.#around.wakeBy(this.wakeAt)
    if (kept) {
      this.#reused = true
      kept.takeUp(this)
      this.#send(kept)
      return
    }
    this.#dial = new Dial(this.request.url, this.options, this.#phases, {
      connected: (socket) => {
        this.#remoteAddress = addressOf(socket)
      },
      ready: (socket, incoming) => this.#send(this.#around.opened(socket, incoming, this)),
      failed: (error) => this.#end(error),
    })
  }

  abort(): void {
    this.#end(abortedFault)
  }

  tick(now: number): void {
    if (now >= this.#deadline) {
      this.#end(timeoutFault(this.request.url, this.options.timeout, this.#reader.answering))
    } else if (now >= this.wakeAt) this.#sendBody()
  }

  data(bytes: Buffer): void {
    this.#heard = true
    this.#phases.answered()
    try {
      this.#reader.take(bytes)
    } catch (error) {
      this.#fail(error instanceof Error ? error : connectionEnded())
      return
    }
    if (this.#reader.whole) this.#end(null)
    else if (this.#reader.bytes > this.options.maxAnswerBytes * countedTimes) this.#end(null)
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
    if (awaitsWord(this.request)) {
      this.#bodyWaits = true
      this.wakeAt = Math.min(this.#deadline, performance.now() + expectMs)
      this.#around.wakeBy(this.wakeAt)
      connection.socket.write(headText(this.request), 'latin1')
      return
    }
    this.#write(connection, headText(this.request))
  }

  #sendBody(): void {
    if (!this.#bodyWaits || !this.#connection) return
    this.#bodyWaits = false
    this.wakeAt = this.#deadline
    this.#write(this.#connection, '')
  }

  #write({ socket }: Connection, head: string): void {
    const { body } = this.request
    const { before, behind } = aroundBody(this.request)
    const done = (): void => {
      this.#sent = true
      this.#phases.sent()
    }
    const text = head + before
    const length = text.length + body.byteLength + behind.length
    if (length <= copied) {
      const bytes = Buffer.allocUnsafe(length)
      bytes.write(text, 0, 'latin1')
      bytes.set(body, text.length)
      bytes.write(behind, text.length + body.byteLength, 'latin1')
      socket.write(bytes, done)
      return
    }
    socket.cork()
    if (text !== '') socket.write(text, 'latin1')
    if (behind === '') socket.write(body, done)
    else {
      socket.write(body)
      socket.write(behind, 'latin1', done)
    }
    socket.uncork()
  }

  #interim(status: number): void {
    this.#phases.interim()
    if (status === 100) this.#sendBody()
  }

  #fail(error: Error): void {
    const fault = faultOfError(error, this.request.url, this.#reader.answering)
    // It may have arrived, so it is not for us to send it again.
    if (fault.code === 'reset' && this.#reused && !this.#heard) {
      this.#end({ code: 'reset', message: keptWasClosed(this.request.url) })
    } else this.#end(fault)
  }

  #end(error: AttemptError | null): void {
    if (this.#over) return
    this.#over = true
    this.#dial?.cancel()
    const connection = this.#connection
    const keepMs = error === null && this.#sent ? this.#reader.keep() : 0
    if (connection) connection.answered = this.#heard
    this.#around.over(this, connection, keepMs)
    this.#done({
      answer: this.#reader.answer(),
      error,
      timings: this.#phases.timings(),
      remoteAddress: this.#remoteAddress,
      reused: this.#reused,
      tlsVerified:
        connection && this.request.url.protocol === 'https:' ? this.options.verifyTls : null,
    })
  }
}

function keptWasClosed(url: URL): string {
  return `${authorityOf(url)} closed a connection that had been kept from an earlier request, and answered nothing. It may have read the request: look there before you send it again.`
}
