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
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { Engine } from '#engine/engine.ts'
import type { Log } from '#engine/ports.ts'
import { Caller } from './caller.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A socket's path in bytes, at most: macOS has room for 104 with the zero at its end, Linux for 108. */
const longestPath = 100

interface SocketPlace {
  readonly path: string
  /** Takes away what is left of it. */
  remove(): void
}

/**
 * Where the control socket of a data folder goes: in the folder, or where its path is too long in a new folder of ours (0700) among the
 * temporary ones; on Windows a pipe of a random name. Only for who holds the folder: what a crash left there goes.
 */
export function socketPlace(
  dataDir: string,
  platform: NodeJS.Platform = process.platform,
): SocketPlace {
  if (platform === 'win32') {
    return { path: `\\\\.\\pipe\\tabscope-${randomBytes(16).toString('hex')}`, remove: () => {} }
  }
  const beside = path.join(dataDir, 'control.sock')
  if (Buffer.byteLength(beside) <= longestPath) {
    rmSync(beside, { force: true })
    return { path: beside, remove: () => discard(beside) }
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-'))
  return {
    path: path.join(folder, 'control.sock'),
    remove: () => discard(folder),
  }
}

/** At the end it must not fail: what a folder that cannot be written keeps goes at the next start. */
function discard(file: string): void {
  try {
    rmSync(file, { recursive: true, force: true })
  } catch {
    // As above.
  }
}

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
