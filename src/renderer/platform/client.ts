import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { createFrameClient } from '#contract/frame-client.ts'
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

/** A client over a transport. `now` is asked only to tell when the next try to connect is. */
export function createClient(transport: Transport, now: () => number): Client {
  const connectionListeners = new Set<(state: ConnectionState) => void>()
  const reloadListeners = new Set<() => void>()

  function tell(state: ConnectionState): void {
    for (const listener of connectionListeners) listener(state)
  }

  const frames = createFrameClient({
    welcomed(_, { again, reload }) {
      tell({ phase: 'connected', again })
      if (reload) for (const listener of reloadListeners) listener()
    },
    refused: (error) => new CallError(error),
    lost: connectionLost,
  })
  const disconnect = transport({
    opened: frames.opened,
    received: frames.received,
    closed(retryIn) {
      const retryAt = retryIn === null ? null : now() + retryIn
      // A call that is made in reply to this is refused, too.
      frames.closed()
      tell({ phase: 'lost', retryAt, everConnected: frames.wasWelcomed })
    },
    noSession: (reason) => tell({ phase: 'no_session', reason }),
  })

  return {
    call: frames.call,
    on: frames.on,
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
