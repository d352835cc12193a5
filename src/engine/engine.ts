import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import type { HostFrame } from '#contract/host.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import { connect, type Connection } from './connect.ts'
import { createDispatch } from './dispatch.ts'
import { createHandlers } from './handlers.ts'
import type { EngineConfig, EnginePorts } from './ports.ts'
import { lockFolder, type ControlAddress } from './store/lock.ts'
import { openContext } from './open-context.ts'

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

/**
 * Opens the store, starts the threads, and listens. A port that is taken is no failure: the state says so, and the interface offers
 * the next free one. Throws `AppError` when the store cannot be opened.
 */
export async function createEngine(ports: EnginePorts, config: EngineConfig): Promise<Engine> {
  const closers: (() => Promise<void> | void)[] = []
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).toReversed()) {
      try {
        await close()
      } catch (error) {
        // What is left must be closed all the same, the lock of the folder above all.
        ports.log.error('Tabscope could not close everything', error)
      }
    }
  }
  try {
    const lock = lockFolder(config.dataDir, (reason) =>
      ports.log.warn(`The data folder ${config.dataDir}: ${reason}`),
    )
    closers.push(() => lock.release())
    const context = await openContext(ports, config, closers, lock.announce)
    const dispatch = createDispatch(createHandlers(context), ports.log, context.turn)
    if (config.listen !== false) {
      await context.listening.start(config.listenerPort ?? context.settings.listenerPort)
      if (config.tunnel !== 'none') context.tunnel.resume()
    }
    return {
      connect: (send) => connect(context.bus, dispatch, send),
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
      close: closeAll,
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}
