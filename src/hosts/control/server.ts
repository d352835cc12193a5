/*
 * The control socket for other processes of the same user: one process holds a data folder, and the command line must work while it runs.
 *
 * Threat model. Only processes that can read `running.json` in the data folder may use the engine. All others are refused:
 *  - another machine, or a page in a browser: neither can reach a Unix domain socket or a named pipe.
 *  - another user of this machine: the socket is created with mode 0600. On systems that ignore the mode of a socket, and on Windows, the token protects it:
 *    256 random bits, new with each start, compared in constant time, and written only to `running.json` (0600, deleted at the end).
 *  - clients that send nothing, too much or invalid data: without the token, a connection is closed after two seconds or one KiB; with the token, at a frame
 *    that is over the limit or not in the contract. The number of connections is limited.
 *  - another process that creates the socket's path: the folder is locked, and its holder replaces the file.
 * Out of scope: other programs of the same user, which can read the folder and its key anyway.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { Engine } from '#engine/app/engine.ts'
import type { Log } from '#engine/platform/ports.ts'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ClientFrame, type HostFrame } from '#contract/host.ts'
import type { Connection } from '#engine/app/connect.ts'
import { AppError } from '#engine/platform/errors.ts'
import { encodeFrame, farewell, FrameReader } from './frames.ts'
import { messageOf } from '#shared/text/errors.ts'

/** The first frame holds the token. */
const greetingLimit = 1024
/** The largest calls hold a replaced body. */
const frameLimit = 32 * 1024 * 1024
/** A client that does not read is disconnected at this backlog. */
const backlogLimit = 64 * 1024 * 1024

class ClientConnection {
  readonly #socket: Socket
  readonly #reader = new FrameReader(greetingLimit)
  readonly #accept: () => Connection
  readonly #token: Buffer
  readonly #greetingTimer: NodeJS.Timeout
  readonly #onSettled: () => void
  readonly #idle = Promise.withResolvers<void>()
  #connection: Connection | null = null
  #inFlight = 0
  #closing = false
  #hasEnded = false

  constructor(
    socket: Socket,
    engine: Pick<Engine, 'connect'>,
    { token, greetingMs, onSettled }: { token: string; greetingMs: number; onSettled: () => void },
  ) {
    this.#socket = socket
    this.#token = Buffer.from(token)
    this.#onSettled = onSettled
    this.#accept = () =>
      engine.connect(
        (frame) => this.#send(frame),
        () => socket.writableLength,
      )
    this.#greetingTimer = setTimeout(() => socket.destroy(), greetingMs)
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(this.#greetingTimer)
      this.#connection?.close()
      this.#idle.resolve()
    })
  }

  get isBusy(): boolean {
    return this.#inFlight > 0
  }

  /** Resolves when all earlier calls have their reply. */
  finish(): Promise<void> {
    this.#closing = true
    if (this.#inFlight === 0) this.#idle.resolve()
    return this.#idle.promise
  }

  /** Reads on and drops the data until the other side has seen the end: closing a socket with unread data could discard data that was written. */
  end(): void {
    if (!this.isBusy && this.#connection) this.#socket.write(encodeFrame(farewell))
    this.#hasEnded = true
    this.#socket.end()
    setTimeout(() => this.#socket.destroy(), 500).unref()
  }

  #read(chunk: Buffer): void {
    if (this.#hasEnded) return
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
    const sentToken = Buffer.from(typeof value === 'string' ? value : '')
    const sameLength = sentToken.byteLength === this.#token.byteLength
    if (!sameLength || !timingSafeEqual(sentToken, this.#token)) {
      this.#socket.destroy()
      return
    }
    clearTimeout(this.#greetingTimer)
    this.#reader.limit = frameLimit
    this.#connection = this.#accept()
  }

  #receive(connection: Connection, value: unknown): void {
    const frame = ClientFrame.parse(value)
    if (frame.kind === 'call') this.#inFlight += 1
    if (frame.kind === 'call' && this.#closing) {
      this.#send({ kind: 'reply', id: frame.id, ok: false, error: closingError.toWire() })
    } else connection.receive(frame)
  }

  #send(frame: HostFrame): void {
    if (frame.kind === 'reply') {
      this.#inFlight -= 1
      if (this.#closing && this.#inFlight === 0) setImmediate(() => this.#idle.resolve())
    }
    if (this.#socket.writableLength > backlogLimit) this.#socket.destroy()
    else if (this.#socket.writable) this.#socket.write(encodeFrame(frame))
    if (frame.kind === 'reply') this.#onSettled()
  }
}

/** The call arrived after the server started to close and was not executed, so it can be retried. */
const closingError = new AppError('connection_lost', 'Tabscope is closing. Retry the call.', {
  retry: 'later',
})

/** With the final zero, macOS allows 104, Linux 108. */
const maxPathBytes = 100

interface SocketLocation {
  readonly path: string
  remove(): void
}

/** In the folder, or if its path is too long in a new temporary folder (0700); on Windows a pipe with a random name. Deletes the sockets of crashed processes. */
export function socketLocation(
  dataDir: string,
  platform: NodeJS.Platform = process.platform,
): SocketLocation {
  if (platform === 'win32') {
    return { path: `\\\\.\\pipe\\tabscope-${randomBytes(16).toString('hex')}`, remove: () => {} }
  }
  // Named after the process, since closing deletes the file: another process may have created the folder again, with its own socket.
  const socketPath = path.join(dataDir, `control-${process.pid}.sock`)
  if (Buffer.byteLength(socketPath) <= maxPathBytes) {
    for (const name of globSync('control-*.sock', { cwd: dataDir }))
      rmSync(path.join(dataDir, name))
    return { path: socketPath, remove: () => discard(socketPath) }
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-'))
  return {
    path: path.join(folder, 'control.sock'),
    remove: () => discard(folder),
  }
}

/** Must not fail: leftovers in a folder that is not writable are deleted at the next start. */
function discard(file: string): void {
  try {
    rmSync(file, { recursive: true, force: true })
  } catch {
    // See above.
  }
}

const connectionLimit = 512

export interface ControlOptions {
  /** See `ControlAddress`. */
  readonly program?: string | null
  /** Stays open until all calls in flight have their reply. */
  readonly lingers?: boolean
  /** For a connection to send its token. */
  readonly greetingMs?: number
  /** For calls in flight at the end. */
  readonly closingMs?: number
}

/** If that fails, logs a warning and the engine runs without it. */
export async function openControl(
  engine: Pick<Engine, 'connect' | 'announceControl'>,
  dataDir: string,
  log: Pick<Log, 'warn'>,
  {
    program = 'desktop',
    lingers = false,
    greetingMs = 2000,
    closingMs = 2000,
  }: ControlOptions = {},
) {
  const token = randomBytes(32).toString('base64url')
  const clients = new Set<ClientConnection>()
  const idle = Promise.withResolvers<void>()
  let isClosing = false
  const onSettled = (): void => {
    if (isClosing && ![...clients].some(({ isBusy }) => isBusy)) idle.resolve()
  }
  const server = createServer((socket) => {
    const client = new ClientConnection(socket, engine, { token, greetingMs, onSettled })
    clients.add(client)
    socket.on('close', () => {
      clients.delete(client)
      onSettled()
    })
  })
  server.maxConnections = connectionLimit
  let location: SocketLocation
  try {
    location = await listen(server, dataDir)
  } catch (error) {
    const reason = messageOf(error)
    log.warn(`Other processes cannot use this data folder while Tabscope runs: ${reason}`)
    return { close: async () => undefined }
  }
  engine.announceControl({ path: location.path, token, program })
  const close = async (): Promise<void> => {
    isClosing = true
    onSettled()
    if (lingers) await idle.promise
    engine.announceControl(null)
    const closed = new Promise((resolve) => server.close(resolve))
    const answered = Promise.all([...clients].map((client) => client.finish()))
    await within(closingMs, answered)
    for (const client of clients) client.end()
    await closed
    location.remove()
  }
  let closing: Promise<void> | null = null
  return {
    /** Completes calls in flight within a time limit. Call it before the engine is closed. */
    close: () => (closing ??= close()),
  }
}

/** The control socket closes before the engine. */
export async function withControl(
  engine: Engine,
  dataDir: string,
  log: Pick<Log, 'warn'>,
  options: ControlOptions = {},
): Promise<Engine> {
  const control = await openControl(engine, dataDir, log, options)
  return {
    ...engine,
    // A later call would find the capture thread closed.
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

/** Accessible only to its owner. */
async function listen(server: Server, dataDir: string): Promise<SocketLocation> {
  const location = socketLocation(dataDir)
  // The call creates the socket with this mask, so another user can never connect.
  const mask = process.platform === 'win32' ? null : process.umask(0o177)
  try {
    server.listen(location.path)
  } finally {
    if (mask !== null) process.umask(mask)
  }
  try {
    await once(server, 'listening')
    // A failure to accept a connection, such as a lack of file handles, must not end Tabscope: the client retries.
    server.on('error', () => undefined)
    return location
  } catch (error) {
    location.remove()
    throw error
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([work, late])
  clearTimeout(timer)
}
