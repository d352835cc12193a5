import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import type { ClientFrame, HostFrame } from '#contract/host.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import { CallError, connectionLost } from './call-error.ts'
import type { NoSession, Transport } from './transport.ts'

/** `again`: to another engine than before, which was started anew. `retryAt`: milliseconds since the epoch; null when the next step is the host's. */
export type ConnectionState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'connected'; readonly again: boolean }
  | { readonly phase: 'no_session'; readonly reason: NoSession }
  | { readonly phase: 'lost'; readonly retryAt: number | null; readonly everConnected: boolean }

/**
 * What the interface writes in a call. Where a call reads deliveries, whose they are is always written: `log` left out would mean the live
 * store, also where a log is shown.
 */
export type ClientInput<N extends CallName> = string extends keyof CallInput<N>
  ? CallInput<N>
  : 'log' extends keyof CallInput<N>
    ? CallInput<N> & { readonly log: number | null }
    : CallInput<N>

/** The engine, as the interface sees it. */
export interface Client {
  /** Rejects with a `CallError`; with code `connection_lost` when the connection goes before the answer. */
  call<N extends CallName>(name: N, input: ClientInput<N>): Promise<CallOutput<N>>
  on<N extends PushName>(name: N, listener: (payload: PushPayload<N>) => void): () => void
  onConnection(listener: (state: ConnectionState) => void): () => void
  /** Called when what was known is no longer to be trusted: take a new snapshot. */
  onReload(listener: () => void): () => void
  close(): void
}

interface Waiting {
  readonly resolve: (output: unknown) => void
  readonly reject: (error: CallError) => void
}

/** A client over a transport. `now` is asked only to tell when the next try to connect is. */
export function createClient(transport: Transport, now: () => number): Client {
  const waiting = new Map<number, Waiting>()
  const pushListeners = new Map<string, Set<(payload: unknown) => void>>()
  const connectionListeners = new Set<(state: ConnectionState) => void>()
  const reloadListeners = new Set<() => void>()
  let send: ((frame: ClientFrame) => void) | null = null
  let session: string | null = null
  let lastSeq = 0
  let nextId = 1

  function tell(state: ConnectionState): void {
    for (const listener of connectionListeners) listener(state)
  }

  function welcome(frame: Extract<HostFrame, { kind: 'welcome' }>): void {
    const again = session !== null && frame.session !== session
    const reload = frame.reload || frame.session !== session
    session = frame.session
    if (reload) lastSeq = frame.seq
    tell({ phase: 'connected', again })
    if (reload) for (const listener of reloadListeners) listener()
  }

  function reply(frame: Extract<HostFrame, { kind: 'reply' }>): void {
    const caller = waiting.get(frame.id)
    waiting.delete(frame.id)
    if (frame.ok) caller?.resolve(frame.output)
    else caller?.reject(new CallError(frame.error))
  }

  function push(frame: Extract<HostFrame, { kind: 'push' }>): void {
    // After a reconnect the host may tell again what had come through.
    if (frame.seq <= lastSeq) return
    lastSeq = frame.seq
    for (const listener of pushListeners.get(frame.name) ?? []) listener(frame.payload)
  }

  const disconnect = transport({
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
    closed(retryIn) {
      send = null
      const lost = [...waiting.values()]
      waiting.clear()
      tell({
        phase: 'lost',
        retryAt: retryIn === null ? null : now() + retryIn,
        everConnected: session !== null,
      })
      for (const caller of lost) caller.reject(connectionLost())
    },
    noSession: (reason) => tell({ phase: 'no_session', reason }),
  })

  return {
    call<N extends CallName>(name: N, input: ClientInput<N>) {
      return new Promise<CallOutput<N>>((resolve, reject) => {
        if (!send) return reject(connectionLost())
        const id = nextId++
        // The parse edge: the host answers call `name` with what the contract says, checked on its side.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        waiting.set(id, { resolve: (output) => resolve(output as CallOutput<N>), reject })
        send({ kind: 'call', id, name, input })
      })
    },
    on<N extends PushName>(name: N, listener: (payload: PushPayload<N>) => void) {
      // The parse edge for pushes, as above.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const untyped = (payload: unknown): void => listener(payload as PushPayload<N>)
      const set = pushListeners.get(name) ?? new Set()
      pushListeners.set(name, set.add(untyped))
      return () => set.delete(untyped)
    },
    onConnection(listener) {
      connectionListeners.add(listener)
      return () => connectionListeners.delete(listener)
    },
    onReload(listener) {
      reloadListeners.add(listener)
      return () => reloadListeners.delete(listener)
    },
    close: disconnect,
  }
}
