import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import type { HostFrame } from '#contract/host.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import type { EngineConfig, EnginePorts } from './ports.ts'

/** One interface that is connected. */
export interface Connection {
  /** Takes a frame as it came over the wire, unparsed. */
  receive(frame: unknown): void
  close(): void
}

export interface Engine {
  /** Joins an interface; frames for it go to `send`. */
  connect(send: (frame: HostFrame) => void): Connection
  /** The same calls in the same process, for the command line. Throws `AppError`. */
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
  on<N extends PushName>(name: N, listener: (payload: PushPayload<N>) => void): () => void
  /** Stops accepting, answers what is in flight, commits, closes in reverse order of opening. */
  close(): Promise<void>
}

/** Opens the store, starts the threads and the listener. Throws `AppError` when the store cannot be opened. */
export async function createEngine(_ports: EnginePorts, _config: EngineConfig): Promise<Engine> {
  throw new Error('under construction')
}
