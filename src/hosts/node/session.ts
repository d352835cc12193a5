import { setTimeout as pause } from 'node:timers/promises'
import type { Engine, ReadingEngine } from '#engine/engine.ts'
import { AppError } from '#engine/errors.ts'
import { readHolder } from '#engine/store/data-folder.ts'
import { connectControl } from '../control/client.ts'
import { copyOfData, isUnwritable, refuseNoData } from './data-copy.ts'
import type { HostOptions } from './host.ts'
import { version } from './version.ts'

/** The engine of a data folder, wherever it runs. */
export interface Session extends Pick<Engine, 'call' | 'on'>, AsyncDisposable {
  /** Resolves when the engine has ended that the session began with; for one of this process never. */
  readonly gone: Promise<void>
  /** True when the session began with the engine of another process. */
  readonly joined: boolean
}

interface Reached extends ReadingEngine {
  readonly gone: Promise<void>
  readonly joined: boolean
}

/** How long one and the same holder may leave us waiting before we give up, and all of them together, in milliseconds. */
const patienceMs = 15_000
const wholePatienceMs = 180_000

export interface SessionOptions {
  /** True: waits for short commands, too, since what it begins must not end with one of them. */
  readonly lasting?: boolean
  /**
   * What the command does with the data: `create` makes the store where there is none; `change` and `read` refuse a folder without one.
   * With `read` only the calls that change nothing are accepted where nobody holds the folder, which is then not locked; and a folder that
   * cannot be written is read in a temporary copy.
   */
  readonly access?: 'create' | 'change' | 'read'
  /** False: where another process holds the folder and cannot be joined, `store_in_use` is thrown at once. */
  readonly waits?: boolean
}

/**
 * Opens the engine of the folder here, without a listener; or where another process holds the folder, joins that one. A holder that cannot
 * be joined (it just starts, or ends) is waited for. A damaged store is left as it is. Throws `AppError`.
 */
export async function openSession(
  dataDir: string,
  { lasting = false, access = 'create', waits = true }: SessionOptions = {},
): Promise<Session> {
  if (access !== 'create') refuseNoData(dataDir)
  const reach = (): Promise<Reached> =>
    untilFree(
      dataDir,
      async () => {
        try {
          return await joinOrOpen(dataDir, lasting, access === 'read')
        } catch (error) {
          if (access !== 'read' || !isUnwritable(error)) throw error
          return await openCopy(dataDir, error)
        }
      },
      () => waits,
    )
  const first = await reach()
  let reached = first
  return {
    gone: first.gone,
    joined: first.joined,
    on: (name, listener) => reached.on(name, listener),
    call: async (name, input) => {
      for (;;) {
        try {
          return await reached.call(name, input)
        } catch (error) {
          // The holder ended, and did not begin this one: it is asked again where the folder is now.
          const again =
            error instanceof AppError && error.code === 'connection_lost' && error.retry === 'later'
          if (!again) throw error
          await reached.close()
          reached = await reach()
        }
      }
    },
    [Symbol.asyncDispose]: () => reached.close(),
  }
}

/** Joins the Tabscope that runs on the folder, for as long as it runs; null: none does, or it cannot be joined yet. */
export async function joinRunning(dataDir: string): Promise<Session | null> {
  const joined = await join(dataDir, true)
  return joined && { ...joined, [Symbol.asyncDispose]: () => joined.close() }
}

/** Opens the engine here for long, and lets others join it. Waits for short commands that hold the folder. Throws `AppError`. */
export function openLasting(options: HostOptions): Promise<Engine> {
  const { dataDir } = options
  return untilFree(
    dataDir,
    async () => {
      const { openEngine, openLog, withControl } = await engineParts()
      return withControl(await openEngine(options), dataDir, openLog(dataDir))
    },
    () => !readHolder(dataDir)?.control?.lasting,
  )
}

/** Loaded where an engine is opened: to join one takes a third of the time without it. */
async function engineParts() {
  const [{ openEngine }, { withControl }, { openLog }] = await Promise.all([
    import('./host.ts'),
    import('../control/server.ts'),
    import('../log.ts'),
  ])
  return { openEngine, openLog, withControl }
}

async function joinOrOpen(dataDir: string, lasting: boolean, reads: boolean): Promise<Reached> {
  const joined = await join(dataDir, lasting)
  return joined ?? (reads ? await openToRead(dataDir) : null) ?? (await open(dataDir, lasting))
}

/** Null: the folder is held, or a writer has work left in it. */
async function openToRead(dataDir: string): Promise<Reached | null> {
  const { openReadingEngine } = await import('./host.ts')
  const engine = await openReadingEngine(dataDir)
  return engine && { ...engine, gone: new Promise<void>(() => undefined), joined: false }
}

async function open(dataDir: string, lasting: boolean): Promise<Reached> {
  const { openEngine, openLog, withControl } = await engineParts()
  try {
    const engine = await openEngine({
      dataDir,
      listen: false,
      background: false,
      keepDamaged: true,
    })
    const options = { lasting, lingers: true }
    const gone = new Promise<void>(() => undefined)
    return {
      ...(await withControl(engine, dataDir, openLog(dataDir), options)),
      gone,
      joined: false,
    }
  } catch (error) {
    // Somebody took it in between.
    const joined = isInUse(error) ? await join(dataDir, lasting) : null
    if (!joined) throw error
    return joined
  }
}

/** Opens the engine on a temporary copy of the folder. Throws `cause` where it cannot be copied. */
async function openCopy(dataDir: string, cause: AppError): Promise<Reached> {
  const copy = copyOfData(dataDir, cause)
  try {
    const opened = (await openToRead(copy.path)) ?? (await open(copy.path, false))
    return {
      ...opened,
      close: async () => {
        await opened.close()
        copy.remove()
      },
    }
  } catch (error) {
    copy.remove()
    throw error
  }
}

/** The engine of whoever says to hold the folder; null: nobody says so, or it cannot be joined, or a crash left the word behind. */
async function join(dataDir: string, lasting: boolean): Promise<Reached | null> {
  const control = readHolder(dataDir)?.control
  if (!control || (lasting && !control.lasting)) return null
  try {
    return { ...(await connectControl(control, version())), joined: true }
  } catch (error) {
    // Of another version: nothing that is waited for changes that.
    if (error instanceof AppError) throw error
    return null
  }
}

function isInUse(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'store_in_use'
}

/** Tries until the folder is not held by somebody who cannot be joined. Each new holder gets the whole patience: things move on. */
async function untilFree<T>(
  dataDir: string,
  open: () => Promise<T>,
  worthWaiting: () => boolean,
): Promise<T> {
  const began = performance.now()
  let holder: number | null = null
  let since = began
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!isInUse(error) || !worthWaiting()) throw error
      const now = performance.now()
      const pid = readHolder(dataDir)?.pid ?? null
      if (pid !== holder) {
        holder = pid
        since = now
      }
      if (now - since > patienceMs || now - began > wholePatienceMs) throw error
      // Not all at the same formatTime, where many wait.
      await pause(20 + Math.random() * 60)
    }
  }
}
