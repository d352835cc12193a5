import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import type { HostFrame } from '#contract/host.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import { connect, type Connection } from './connect.ts'
import { createDispatch } from './dispatch.ts'
import { createHandlers } from './handlers.ts'
import type { EnginePorts, Log } from '../platform/ports.ts'
import type { EngineConfig } from './context.ts'
import { lockFolder } from '../platform/store/lock.ts'
import { openStore } from './threads/store.ts'
import { type ControlAddress } from '../platform/store/data-folder.ts'
import { openContext } from './opening/open-context.ts'

export interface Engine {
  /** `send` gets frames for the interface; `backlog` returns how many bytes of them it has not read yet. */
  connect(send: (frame: HostFrame) => void, backlog?: () => number): Connection
  /** For callers in the same process. Throws `AppError`. */
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
  on<N extends PushName>(name: N, listener: (payload: PushPayload<N>) => void): () => void
  /** Resolves when all deliveries received before are stored, with the times of their responses. */
  catchUp(): Promise<void>
  /** Publishes, in the data folder, where other processes can call this engine; null: nowhere. */
  announceControl(control: ControlAddress | null): void
  /** Call when the computer wakes up: checks connections that may have died, and does what fell due. */
  woke(): void
  /** Finishes requests in flight. Queries keep working. */
  stopListening(): Promise<void>
  /** Finishes requests in flight, commits, and closes everything in reverse order of opening. */
  close(): Promise<void>
}

/** A port in use is no error: the interface offers the next free port. Throws `AppError` if the store cannot be opened. */
export function createEngine(ports: EnginePorts, config: EngineConfig): Promise<Engine> {
  return opened<Omit<Engine, 'close'>>(ports.log, async (closers) => {
    const lock = lockFolder(config.dataDir, (reason) =>
      ports.log.warn(`The data folder ${config.dataDir}: ${reason}`),
    )
    closers.push(() => lock.release())
    const context = await openContext(ports, config, closers, lock.announce, (on) =>
      openStore(config.dataDir, stampOf(new Date()), ports.threads, on, config.keepDamaged),
    )
    const dispatch = createDispatch(createHandlers(context), ports.log, context.turn, () =>
      context.store.damageFound(),
    )
    if (config.listen !== false) {
      await context.listening.start(config.listenerPort ?? context.settings.listenerPort)
      if (config.tunnel !== 'none') context.tunnel.resume()
      context.diagnosis.wake()
    }
    return {
      connect: (send, backlog) => connect(context.bus, dispatch, config.version, { send, backlog }),
      call: (name, input) => dispatch.call(name, input),
      on: (name, listener) => context.bus.on(name, listener),
      announceControl: lock.announceControl,
      woke: () => context.sleep.woke(),
      stopListening: async () => {
        // Before the listener, which must respond to requests in transit through the tunnel.
        await context.tunnel.end()
        await context.capture.close()
      },
      catchUp: () => context.capture.drained(),
    }
  })
}

/** `close` closes what was opened in reverse order; an error of `open` does so immediately. */
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
        // The rest must still be closed, most importantly the lock of the folder.
        log.error('Tabscope could not close everything cleanly', error)
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

function stampOf(now: Date): string {
  return now.toISOString().replaceAll(/[-:.Z]/g, '')
}
