import type { CallName, CallOutput } from './calls.ts'
import type { WireError } from './errors.ts'
import type { ClientFrame, HostFrame } from './host.ts'
import type { PushName, PushPayload } from './pushes.ts'

/** A frame by its `kind`, or null when it is none. The rest of it was checked by the engine, which is of the same version. */
export function hostFrame(value: unknown): HostFrame | null {
  if (typeof value !== 'object' || value === null) return null
  const kind: unknown = Reflect.get(value, 'kind')
  if (kind !== 'welcome' && kind !== 'reply' && kind !== 'push') return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parse edge, as above
  return value as HostFrame
}

export interface FrameClientEvents {
  /** `again`: by another engine than before. `reload`: what was known is no longer to be trusted, take a new snapshot. */
  welcomed(welcome: Welcome, state: { readonly again: boolean; readonly reload: boolean }): void
  /** The error that a call which the engine refused rejects with. */
  refused(error: WireError): Error
  /** The error of a call without a connection. `sent`: the connection ended before the reply came. */
  lost(sent: boolean): Error
}

export type Welcome = Extract<HostFrame, { kind: 'welcome' }>

/** Calls and pushes over the frames of `host.ts`. A transport opens and closes it, any number of times, and hands it the frames. */
export interface FrameClient {
  /** There is a connection: says hello, and takes calls. */
  readonly opened: (send: (frame: ClientFrame) => void) => void
  readonly received: (frame: HostFrame) => void
  /** The connection is gone: rejects all calls under way. */
  readonly closed: () => void
  /** Whether there was a welcome, ever. */
  readonly wasWelcomed: boolean
  /** `input` is typed by whoever hands this on, and checked by the engine. */
  readonly call: <N extends CallName>(name: N, input: unknown) => Promise<CallOutput<N>>
  readonly on: <N extends PushName>(
    name: N,
    listener: (payload: PushPayload<N>) => void,
  ) => () => void
}

interface Waiting {
  readonly resolve: (output: unknown) => void
  readonly reject: (error: Error) => void
}

export function createFrameClient(events: FrameClientEvents): FrameClient {
  const waiting = new Map<number, Waiting>()
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  let send: ((frame: ClientFrame) => void) | null = null
  let session: string | null = null
  let lastSeq = 0
  let nextId = 1

  function welcome(frame: Welcome): void {
    const again = session !== null && frame.session !== session
    const reload = frame.reload || frame.session !== session
    session = frame.session
    if (reload) lastSeq = frame.seq
    events.welcomed(frame, { again, reload })
  }

  function reply(frame: Extract<HostFrame, { kind: 'reply' }>): void {
    const caller = waiting.get(frame.id)
    waiting.delete(frame.id)
    if (frame.ok) caller?.resolve(frame.output)
    else caller?.reject(events.refused(frame.error))
  }

  function push(frame: Extract<HostFrame, { kind: 'push' }>): void {
    // After a reconnect the host may tell again what had come through.
    if (frame.seq <= lastSeq) return
    lastSeq = frame.seq
    for (const listener of listeners.get(frame.name) ?? []) listener(frame.payload)
  }

  return {
    opened(sendFrame) {
      send = sendFrame
      sendFrame({ kind: 'hello', session, lastSeq })
    },
    received(frame) {
      switch (frame.kind) {
        case 'welcome':
          return welcome(frame)
        case 'reply':
          return reply(frame)
        case 'push':
          return push(frame)
      }
    },
    closed() {
      send = null
      const lost = [...waiting.values()]
      waiting.clear()
      for (const caller of lost) caller.reject(events.lost(true))
    },
    get wasWelcomed() {
      return session !== null
    },
    call<N extends CallName>(name: N, input: unknown) {
      return new Promise<CallOutput<N>>((resolve, reject) => {
        if (!send) return reject(events.lost(false))
        const id = nextId++
        // The parse edge: the engine answers call `name` with what the contract says, checked on its side.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        waiting.set(id, { resolve: (output) => resolve(output as CallOutput<N>), reject })
        send({ kind: 'call', id, name, input })
      })
    },
    on<N extends PushName>(name: N, listener: (payload: PushPayload<N>) => void) {
      // The parse edge for pushes, as above.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const untyped = (payload: unknown): void => listener(payload as PushPayload<N>)
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set.add(untyped))
      return () => set.delete(untyped)
    },
  }
}
