import { timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import { ClientFrame, type HostFrame } from '#contract/host.ts'
import type { Connection } from '#engine/connect.ts'
import type { Engine } from '#engine/engine.ts'
import { AppError } from '#engine/errors.ts'
import { encodeFrame, farewell, FrameReader } from './frames.ts'

/** The token and a few bytes around it. */
const greetingLimit = 1024
/** The largest call, in bytes; a body in place of a captured one is the largest thing in one. */
const frameLimit = 32 * 1024 * 1024
/** A process that does not read what it asked for is let go when this much waits, in bytes. */
const backlogLimit = 64 * 1024 * 1024

/** One process that is connected to the control socket; `server.ts` has the threat model. */
export class Caller {
  readonly #socket: Socket
  readonly #reader = new FrameReader(greetingLimit)
  readonly #accept: () => Connection
  readonly #token: Buffer
  readonly #silence: NodeJS.Timeout
  readonly #settled: () => void
  readonly #idle = Promise.withResolvers<void>()
  #connection: Connection | null = null
  #inFlight = 0
  #closing = false
  #left = false

  constructor(
    socket: Socket,
    engine: Pick<Engine, 'connect'>,
    { token, greetingMs, settled }: { token: string; greetingMs: number; settled: () => void },
  ) {
    this.#socket = socket
    this.#token = Buffer.from(token)
    this.#settled = settled
    this.#accept = () => engine.connect((frame) => this.#send(frame))
    this.#silence = setTimeout(() => socket.destroy(), greetingMs)
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    // The close that follows says all there is to say.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(this.#silence)
      this.#connection?.close()
      this.#idle.resolve()
    })
  }

  get isBusy(): boolean {
    return this.#inFlight > 0
  }

  /** From now on refuses what comes; resolves when all that came before is answered. */
  finish(): Promise<void> {
    this.#closing = true
    if (this.#inFlight === 0) this.#idle.resolve()
    return this.#idle.promise
  }

  /**
   * Ends the connection. It is read on, and what comes is dropped, until the other side has seen the end: closed with something unread, the
   * system might take back what was written.
   */
  end(): void {
    if (!this.isBusy && this.#connection) this.#socket.write(encodeFrame(farewell))
    this.#left = true
    this.#socket.end()
    setTimeout(() => this.#socket.destroy(), 500).unref()
  }

  #read(chunk: Buffer): void {
    if (this.#left) return
    try {
      for (const value of this.#reader.read(chunk)) {
        if (this.#connection) this.#receive(this.#connection, value)
        else this.#greet(value)
        if (this.#socket.destroyed) return
      }
    } catch {
      this.#socket.destroy()
    }
  }

  #greet(value: unknown): void {
    const given = Buffer.from(typeof value === 'string' ? value : '')
    const known = given.byteLength === this.#token.byteLength
    if (!known || !timingSafeEqual(given, this.#token)) {
      this.#socket.destroy()
      return
    }
    clearTimeout(this.#silence)
    this.#reader.limit = frameLimit
    this.#connection = this.#accept()
  }

  #receive(connection: Connection, value: unknown): void {
    const frame = ClientFrame.parse(value)
    if (frame.kind === 'call') this.#inFlight += 1
    if (frame.kind === 'call' && this.#closing) {
      this.#send({ kind: 'reply', id: frame.id, ok: false, error: leaving.toWire() })
    } else connection.receive(frame)
  }

  #send(frame: HostFrame): void {
    if (frame.kind === 'reply') {
      this.#inFlight -= 1
      if (this.#closing && this.#inFlight === 0) setImmediate(() => this.#idle.resolve())
    }
    if (this.#socket.writableLength > backlogLimit) this.#socket.destroy()
    else if (this.#socket.writable) this.#socket.write(encodeFrame(frame))
    if (frame.kind === 'reply') this.#settled()
  }
}

/** The answer to a call that came too late; it was not begun, so it may be asked again elsewhere. */
const leaving = new AppError('connection_lost', 'Tabscope is about to end. Ask again.', {
  retry: 'later',
})
