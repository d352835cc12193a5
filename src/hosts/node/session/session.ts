import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '#engine/app/engine.ts'
import { AppError } from '#engine/platform/errors.ts'
import { holderPath, readHolder, storePath } from '#engine/platform/store/data-folder.ts'
import { connectControl } from '../../control/client.ts'
import type { HostOptions } from './host.ts'
import { io } from '../command-line/io.ts'
import type { StoredCalls } from './stored-calls.ts'
import { version } from '../version.ts'

export interface Session extends Pick<Engine, 'call' | 'on'>, AsyncDisposable {
  /** The engine that the session started with has closed; never for one in this process. */
  readonly gone: Promise<void>
  /** The session started with the engine of another process. */
  readonly joined: boolean
  /** What reads the store without an engine; null if there is an engine. */
  readonly stored: StoredCalls | null
}

interface ConnectedEngine extends Pick<Engine, 'call' | 'on' | 'close'> {
  readonly gone: Promise<void>
  readonly joined: boolean
}

/** For one holder of the folder, and for all of them together. */
const holderTimeoutMs = 15_000
const totalTimeoutMs = 180_000

export interface SessionOptions {
  /** Waits for short commands instead of joining them, since their engine closes when they exit. */
  readonly lasting?: boolean
  /** `change` and `read` refuse a folder without a store. With `read`, an unheld folder is only locked for what `StoredCalls` cannot answer. */
  readonly access?: 'create' | 'change' | 'read'
  /** False: throws `store_in_use` immediately if the holder of the folder cannot be joined. */
  readonly waits?: boolean
}

/** In this process, without a listener, or by joining the holder of the folder, once that has started. Leaves a damaged store unchanged. Throws `AppError`. */
export async function openSession(dataDir: string, options: SessionOptions = {}): Promise<Session> {
  const { access = 'create' } = options
  if (access !== 'create') refuseNoData(dataDir)
  if (access === 'read' && !existsSync(holderPath(dataDir))) {
    const { openStoredCalls } = await import('./stored-calls.ts')
    const stored = openStoredCalls(dataDir)
    if (stored) return storedSession(stored, () => openEngineSession(dataDir, options))
  }
  return openEngineSession(dataDir, options)
}

function storedSession(stored: StoredCalls, open: () => Promise<Session>): Session {
  let opened: Promise<Session> | null = null
  let engine: Session | null = null
  const waiting = new Set<(session: Session) => void>()
  const needed = async (): Promise<Session> => {
    opened ??= open()
    engine = await opened
    for (const listen of waiting) listen(engine)
    waiting.clear()
    return engine
  }
  return {
    gone: new Promise<void>(() => undefined),
    joined: false,
    stored,
    on: (name, listener) => {
      if (engine) return engine.on(name, listener)
      let off = (): void => void waiting.delete(listen)
      const listen = (session: Session): void => void (off = session.on(name, listener))
      waiting.add(listen)
      return () => off()
    },
    // Once there is an engine, it knows what it did.
    call: async (name, input) =>
      (opened ? null : await stored.call(name, input)) ?? (await needed()).call(name, input),
    [Symbol.asyncDispose]: async () => {
      stored[Symbol.dispose]()
      // A failure was thrown by the call that opened it.
      await opened?.then((session) => session[Symbol.asyncDispose]()).catch(() => undefined)
    },
  }
}

async function openEngineSession(
  dataDir: string,
  { lasting = false, waits = true }: SessionOptions,
): Promise<Session> {
  const reach = (): Promise<ConnectedEngine> =>
    untilFree(
      dataDir,
      () => joinOrOpen(dataDir, lasting),
      () => waits,
    )
  const first = await reach()
  let connected = first
  let reconnection: Promise<void> | null = null
  let isClosed = false
  const reconnect = async (): Promise<void> => {
    await connected.close()
    connected = await reach()
  }
  return {
    gone: first.gone,
    joined: first.joined,
    stored: null,
    on: (name, listener) => connected.on(name, listener),
    call: async (name, input) => {
      for (;;) {
        const used = connected
        try {
          return await used.call(name, input)
        } catch (error) {
          // The holder closed before it started this call: repeat it with the next engine.
          const again =
            error instanceof AppError && error.code === 'connection_lost' && error.retry === 'later'
          if (!again || isClosed) throw error
          if (used !== connected) continue
          // One for all calls that failed: each would open an engine of its own.
          reconnection ??= reconnect().finally(() => (reconnection = null))
          await reconnection
        }
      }
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      // A failure is thrown by the call that waits for it.
      await reconnection?.catch(() => undefined)
      await connected.close()
    },
  }
}

/** A command that reads or changes data must not create a store. Throws `not_found`. */
export function refuseNoData(dataDir: string): void {
  if (existsSync(storePath(dataDir))) return
  throw new AppError(
    'not_found',
    `No Tabscope data in ${dataDir}. To use another folder: --data DIR`,
  )
}

/** Null if no Tabscope is running on the folder, or it cannot be joined yet. */
export async function joinRunning(dataDir: string): Promise<Session | null> {
  const joined = await join(dataDir, true)
  return joined && { ...joined, stored: null, [Symbol.asyncDispose]: () => joined.close() }
}

/** Others can join it; `program`: see `ControlAddress`. Waits for short commands that hold the folder. Throws `AppError`. */
export function openLasting(options: HostOptions, program: string): Promise<Engine> {
  const { dataDir } = options
  return untilFree(
    dataDir,
    async () => {
      const { openEngine, openLog, withControl } = await engineParts()
      return withControl(await openEngine(options), dataDir, openLog(dataDir, io), { program })
    },
    () => (readHolder(dataDir)?.control?.program ?? null) === null,
  )
}

/** Joining an engine takes a third of the time without these modules. */
async function engineParts() {
  const [{ openEngine }, { withControl }, { openLog }] = await Promise.all([
    import('./host.ts'),
    import('../../control/server.ts'),
    import('../../log.ts'),
  ])
  return { openEngine, openLog, withControl }
}

async function joinOrOpen(dataDir: string, lasting: boolean): Promise<ConnectedEngine> {
  return (await join(dataDir, lasting)) ?? (await open(dataDir, lasting))
}

async function open(dataDir: string, lasting: boolean): Promise<ConnectedEngine> {
  const { openEngine, openLog, withControl } = await engineParts()
  try {
    const engine = await openEngine({
      dataDir,
      listen: false,
      background: false,
      keepDamaged: true,
    })
    const options = { program: lasting ? 'authorize' : null, lingers: true }
    const gone = new Promise<void>(() => undefined)
    return {
      ...(await withControl(engine, dataDir, openLog(dataDir, io), options)),
      gone,
      joined: false,
    }
  } catch (error) {
    // Another process has locked the folder meanwhile.
    const joined = isInUse(error) ? await join(dataDir, lasting) : null
    if (!joined) throw error
    return joined
  }
}

async function join(dataDir: string, lasting: boolean): Promise<ConnectedEngine | null> {
  const control = readHolder(dataDir)?.control
  if (!control || (lasting && control.program === null)) return null
  try {
    return { ...(await connectControl(control, version())), joined: true }
  } catch (error) {
    // Another version: waiting does not help.
    if (error instanceof AppError) throw error
    return null
  }
}

function isInUse(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'store_in_use'
}

/** Retries while the holder of the folder cannot be joined. The timeout restarts with each new holder. */
async function untilFree<T>(
  dataDir: string,
  open: () => Promise<T>,
  shouldWait: () => boolean,
): Promise<T> {
  const began = performance.now()
  let holder: number | null = null
  let since = began
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!isInUse(error) || !shouldWait()) throw error
      const now = performance.now()
      const pid = readHolder(dataDir)?.pid ?? null
      if (pid !== holder) {
        holder = pid
        since = now
      }
      if (now - since > holderTimeoutMs || now - began > totalTimeoutMs) throw error
      // Random, so that many waiting processes do not retry at the same time.
      await pause(20 + Math.random() * 60)
    }
  }
}
