import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import type { HostFrame } from '#contract/host.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import { connect, type Connection } from './connect.ts'
import { createDispatch } from './dispatch.ts'
import { createHandlers } from './handlers.ts'
import type { EngineConfig, EnginePorts, Log } from '../platform/ports.ts'
import { readCalls } from './read-calls.ts'
import { lockFolder } from '../store/lock.ts'
import { openStore } from '../store/store.ts'
import { type ControlAddress } from '../store/data-folder.ts'
import { openContext } from './open-context.ts'
import { openReadOnlyStore } from '../store/read-only.ts'

export interface Engine {
  /** Joins an interface; frames for it go to `send`. */
  connect(send: (frame: HostFrame) => void): Connection
  /** The same calls in the same process, for the command line. Throws `AppError`. */
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
  on<N extends PushName>(name: N, listener: (payload: PushPayload<N>) => void): () => void
  /** Resolves when all that was answered before is in the store, and so in every query. */
  level(): Promise<void>
  /** Tells other processes, in the data folder, where they may call this engine; null: not any more. */
  announceControl(control: ControlAddress | null): void
  /** The computer was asleep: what may have died meanwhile is looked at now, and what fell due is done. */
  woke(): void
  /** Stops accepting, and answers what is in flight. Queries go on. */
  stopListening(): Promise<void>
  /** Stops accepting, answers what is in flight, commits, closes in reverse order of opening. */
  close(): Promise<void>
}

/** The calls and pushes of an engine that changes nothing. */
export type ReadingEngine = Pick<Engine, 'call' | 'on' | 'close'>

/**
 * Opens the store, starts the threads, and listens. A port that is taken is no failure: the state says so, and the interface offers
 * the next free one. Throws `AppError` when the store cannot be opened.
 */
export function createEngine(ports: EnginePorts, config: EngineConfig): Promise<Engine> {
  return opened<Omit<Engine, 'close'>>(ports.log, async (closers) => {
    const lock = lockFolder(config.dataDir, (reason) =>
      ports.log.warn(`The data folder ${config.dataDir}: ${reason}`),
    )
    closers.push(() => lock.release())
    const context = await openContext(ports, config, closers, lock.announce, (on) =>
      openStore(config.dataDir, stampOf(new Date()), ports.threads, on, config.keepDamaged),
    )
    const dispatch = createDispatch(createHandlers(context), ports.log, context.turn)
    if (config.listen !== false) {
      await context.listening.start(config.listenerPort ?? context.settings.listenerPort)
      if (config.tunnel !== 'none') context.tunnel.resume()
    }
    return {
      connect: (send) => connect(context.bus, dispatch, config.version, send),
      call: (name, input) => dispatch.call(name, input),
      on: (name, listener) => context.bus.on(name, listener),
      announceControl: lock.announceControl,
      woke: () => context.sleep.woke(),
      stopListening: async () => {
        // Before the listener, which answers what is still on its way through it.
        await context.tunnel.end()
        await context.capture.close()
      },
      level: () => context.store.writer.call('level'),
    }
  })
}

/**
 * Opens the data folder for the calls that change nothing (`readCalls`): without its lock, and without threads but those of an export or an
 * imported log. A call that changes something is refused. Throws `AppError`.
 *
 * @returns null when the folder is held, or a writer has work left in it (`openSettled`): then it must be opened by `createEngine`
 */
export async function createReadingEngine(
  ports: EnginePorts,
  config: Pick<EngineConfig, 'dataDir' | 'version'>,
): Promise<ReadingEngine | null> {
  const store = openReadOnlyStore(config.dataDir)
  if (!store) return null
  return opened<Pick<Engine, 'call' | 'on'>>(ports.log, async (closers) => {
    const quiet = { ...config, background: false }
    const context = await openContext(ports, quiet, closers, tellNobody, () => store)
    const dispatch = createDispatch(createHandlers(context), ports.log, context.turn, readCalls)
    return {
      call: (name, input) => dispatch.call(name, input),
      on: (name, listener) => context.bus.on(name, listener),
    }
  })
}

/** Who does not hold the folder has nothing to announce. */
function tellNobody(): void {}

/** What `open` opens, closed in reverse order by `close`, and at once when it throws. */
async function opened<T extends object>(
  log: Pick<Log, 'error'>,
  open: (closers: (() => Promise<void> | void)[]) => Promise<T>,
): Promise<T & Pick<Engine, 'close'>> {
  const closers: (() => Promise<void> | void)[] = []
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) {
      try {
        await closer()
      } catch (error) {
        // What is left must be closed all the same, the lock of the folder above all.
        log.error('Tabscope could not close everything', error)
      }
    }
  }
  try {
    return { ...(await open(closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** `20261121T090000123`, for the names of files. */
function stampOf(now: Date): string {
  return now.toISOString().replaceAll(/[-:.Z]/g, '')
}
