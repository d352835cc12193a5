import type { CallName, CallOutput } from './calls.ts'
import type { WireError } from './errors.ts'
import type { ClientFrame, HostFrame } from './host.ts'
import type { PushName, PushPayload } from './pushes.ts'

/** Null if `kind` is invalid. The rest is trusted, because the engine has the same version. */
export function hostFrame(value: unknown): HostFrame | null {
  if (typeof value !== 'object' || value === null) return null
  const kind: unknown = Reflect.get(value, 'kind')
  if (kind !== 'welcome' && kind !== 'reply' && kind !== 'push') return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parse edge, see above
  return value as HostFrame
}

export interface FrameClientEvents {
  /** `again`: a different engine than before. `reload`: the client's state is outdated, request a new snapshot. */
  welcomed(welcome: Welcome, state: { readonly again: boolean; readonly reload: boolean }): void
  refused(error: WireError): Error
  /** `sent`: the connection ended before the reply. */
  lost(sent: boolean): Error
  /** Gets only pushes that have a listener. Otherwise all. */
  readonly subscribes?: boolean
}

export type Welcome = Extract<HostFrame, { kind: 'welcome' }>

export interface FrameClient {
  readonly opened: (send: (frame: ClientFrame) => void) => void
  readonly received: (frame: HostFrame) => void
  readonly closed: () => void
  readonly wasWelcomed: boolean
  /** `input` is typed by the wrapper, and validated by the engine. */
  readonly call: <N extends CallName>(name: N, input: unknown) => Promise<CallOutput<N>>
  readonly on: <N extends PushName>(
    name: N,
    listener: (payload: PushPayload<N>) => void,
  ) => () => void
}

interface PendingCall {
  readonly resolve: (output: unknown) => void
  readonly reject: (error: Error) => void
}

export function createFrameClient(events: FrameClientEvents): FrameClient {
  const pendingCalls = new Map<number, PendingCall>()
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
    const caller = pendingCalls.get(frame.id)
    pendingCalls.delete(frame.id)
    if (frame.ok) caller?.resolve(frame.output)
    else caller?.reject(events.refused(frame.error))
  }

  function push(frame: Extract<HostFrame, { kind: 'push' }>): void {
    // After a reconnect the host may repeat pushes that were already received.
    if (frame.seq <= lastSeq) return
    lastSeq = frame.seq
    for (const listener of listeners.get(frame.name) ?? []) listener(frame.payload)
  }

  return {
    opened(sendFrame) {
      send = sendFrame
      sendFrame({
        kind: 'hello',
        session,
        lastSeq,
        ...(events.subscribes && { pushes: [...listeners.keys()] }),
      })
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
      const lost = [...pendingCalls.values()]
      pendingCalls.clear()
      for (const caller of lost) caller.reject(events.lost(true))
    },
    get wasWelcomed() {
      return session !== null
    },
    call<N extends CallName>(name: N, input: unknown) {
      return new Promise<CallOutput<N>>((resolve, reject) => {
        if (!send) return reject(events.lost(false))
        const id = nextId++
        // Parse edge: the engine validates the output of call `name` against the contract.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        pendingCalls.set(id, { resolve: (output) => resolve(output as CallOutput<N>), reject })
        send({ kind: 'call', id, name, input })
      })
    },
    on<N extends PushName>(name: N, listener: (payload: PushPayload<N>) => void) {
      // Parse edge for pushes, as above.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const untyped = (payload: unknown): void => listener(payload as PushPayload<N>)
      const set = listeners.get(name) ?? new Set()
      if (events.subscribes && !listeners.has(name)) send?.({ kind: 'subscribe', push: name })
      listeners.set(name, set.add(untyped))
      return () => set.delete(untyped)
    },
  }
}
