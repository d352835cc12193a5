/*
 * The way in for other processes of the same user: one process holds a data folder, and the command line must also work while it runs.
 *
 * Threat model. Who may speak to the engine is whoever can read `running.json` in the data folder; everybody else is refused:
 *  - another machine, a page in a browser: a Unix domain socket, or a named pipe, is reached by neither.
 *  - another user of this machine: the socket has mode 0600 from its first moment on. Where a system does not look at the mode of a
 *    socket, and on Windows, the token stands in the way: 256 random bits, new with each start, compared in constant time, and
 *    written only to `running.json` (0600, taken away at the end).
 *  - who connects and says nothing, too much or nonsense: without the token a connection ends after two seconds or at its first
 *    KiB; with it at a frame over its limit, or at one that is no frame of the contract. The number of connections is bounded.
 *  - another process that takes the socket's path: the folder is locked, and what lies there is replaced by whoever holds it.
 * Not defended: other programs of the same user, who can read the folder and its key anyway.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { ClientFrame, type HostFrame } from '#contract/host.ts'
import type { Connection } from '#engine/connect.ts'
import type { Engine } from '#engine/engine.ts'
import { AppError } from '#engine/errors.ts'
import type { Log } from '#engine/ports.ts'
import { socketPlace, type SocketPlace } from './address.ts'
import { encodeFrame, farewell, FrameReader } from './frames.ts'

/** The token and a few bytes around it. */
const greetingLimit = 1024
/** The largest call, in bytes; a body of the console is the largest thing in one. */
const frameLimit = 8 * 1024 * 1024
/** A process that does not read what it asked for is let go when this much waits, in bytes. */
const backlogLimit = 64 * 1024 * 1024
const mostConnections = 512

export interface ControlServer {
  /** Takes no more calls, answers those in flight, bounded, and goes. Before the engine is closed. */
  close(): Promise<void>
}

export interface ControlOptions {
  /** False: announced as one that ends by itself. */
  readonly lasting?: boolean
  /** True: at the end it goes on for as long as others have calls in flight. */
  readonly lingers?: boolean
  /** How long a connection may be without its token, in milliseconds. */
  readonly greetingMs?: number
  /** How long calls in flight may take at the end, in milliseconds. */
  readonly closingMs?: number
}

/** Opens the control socket and announces it. Where there can be none, the engine runs without, and the log says so. */
export async function openControl(
  engine: Pick<Engine, 'connect' | 'announceControl'>,
  dataDir: string,
  log: Pick<Log, 'warn'>,
  { lasting = true, lingers = false, greetingMs = 2000, closingMs = 2000 }: ControlOptions = {},
): Promise<ControlServer> {
  const token = randomBytes(32).toString('base64url')
  const callers = new Set<Caller>()
  const idle = Promise.withResolvers<void>()
  let leaves = false
  const settled = (): void => {
    if (leaves && ![...callers].some(({ isBusy }) => isBusy)) idle.resolve()
  }
  const server = createServer((socket) => {
    const caller = new Caller(socket, engine, { token, greetingMs, settled })
    callers.add(caller)
    socket.on('close', () => {
      callers.delete(caller)
      settled()
    })
  })
  server.maxConnections = mostConnections
  let place: SocketPlace
  try {
    place = await listen(server, dataDir)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown reason'
    log.warn(`other processes cannot use this data while Tabscope runs: ${why}`)
    return { close: async () => undefined }
  }
  engine.announceControl({ path: place.path, token, lasting })
  const close = async (): Promise<void> => {
    leaves = true
    settled()
    if (lingers) await idle.promise
    engine.announceControl(null)
    const closed = new Promise((resolve) => server.close(resolve))
    const answered = Promise.all([...callers].map((caller) => caller.finish()))
    await within(closingMs, answered)
    for (const caller of callers) caller.end()
    await closed
    place.remove()
  }
  let closing: Promise<void> | null = null
  return { close: () => (closing ??= close()) }
}

/** The same engine, with a control socket that is closed before it. */
export async function withControl(
  engine: Engine,
  dataDir: string,
  log: Pick<Log, 'warn'>,
  options: ControlOptions = {},
): Promise<Engine> {
  const control = await openControl(engine, dataDir, log, options)
  return {
    ...engine,
    // A call that came after it would find the capture thread gone.
    stopListening: async () => {
      await control.close()
      await engine.stopListening()
    },
    close: async () => {
      await control.close()
      await engine.close()
    },
  }
}

/** Listens where the socket goes, for its owner alone. */
async function listen(server: Server, dataDir: string): Promise<SocketPlace> {
  const place = socketPlace(dataDir)
  // The socket is made in this very call, with this mask: no moment in which another user might connect.
  const mask = process.platform === 'win32' ? null : process.umask(0o177)
  try {
    server.listen(place.path)
  } finally {
    if (mask !== null) process.umask(mask)
  }
  try {
    await once(server, 'listening')
    // One connection that cannot be accepted, for want of file handles say, must not end Tabscope: who came tries again.
    server.on('error', () => undefined)
    return place
  } catch (error) {
    place.remove()
    throw error
  }
}

/** Waits for it, but no longer than so many milliseconds. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([work, late])
  clearTimeout(timer)
}

/** One process that is connected. */
class Caller {
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
