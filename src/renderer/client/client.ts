import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { createFrameClient } from '#contract/frame-client.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import type { ClientFrame, HostFrame } from '#contract/host.ts'
import type { ErrorCode, Retry, WireError } from '#contract/errors.ts'

/** `missing`: the page was opened without one. `ended`: the server does not know it. `link_expired`: the link was already used or has expired. */
export type NoSession = 'missing' | 'ended' | 'link_expired'

export interface TransportEvents {
  /** Connected: `send` sends frames to the host. Can occur again after each `closed`. */
  opened(send: (frame: ClientFrame) => void): void
  received(frame: HostFrame): void
  /** Disconnected. `retryIn`: milliseconds until the next attempt; null if the host reconnects. */
  closed(retryIn: number | null): void
  /** There is no retry until another tab of this browser has a session. */
  noSession(reason: NoSession): void
}

/** Connects to a host and reconnects until the returned function is called. */
export type Transport = (events: TransportEvents) => () => void

/** `again`: connected to a restarted engine. `retryAt`: milliseconds since the epoch; null if the host reconnects. */
export type ConnectionState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'connected'; readonly again: boolean }
  | { readonly phase: 'no_session'; readonly reason: NoSession }
  | { readonly phase: 'lost'; readonly retryAt: number | null; readonly everConnected: boolean }

/** The input of a call. If a call reads deliveries, `log` is required. Without it, the call would read the live store even when a log is shown. */
export type ClientInput<N extends CallName> = string extends keyof CallInput<N>
  ? CallInput<N>
  : 'log' extends keyof CallInput<N>
    ? CallInput<N> & { readonly log: number | null }
    : CallInput<N>

export interface Client {
  /** Rejects with a `CallError`, with code `connection_lost` if the connection is lost before the response. */
  call<N extends CallName>(name: N, input: ClientInput<N>): Promise<CallOutput<N>>
  on<N extends PushName>(name: N, listener: (payload: PushPayload<N>) => void): () => void
  onConnection(listener: (state: ConnectionState) => void): () => void
  /** Called when the state may be out of date and a new snapshot is required. */
  onReload(listener: () => void): () => void
  close(): void
}

/** Creates a client over a transport. `now` is only used to compute `retryAt`. */
export function createClient(transport: Transport, now: () => number): Client {
  const connectionListeners = new Set<(state: ConnectionState) => void>()
  const reloadListeners = new Set<() => void>()

  function notify(state: ConnectionState): void {
    for (const listener of connectionListeners) listener(state)
  }

  const frames = createFrameClient({
    welcomed(_, { again, reload }) {
      notify({ phase: 'connected', again })
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
      // Calls made by a listener of this state are rejected too.
      frames.closed()
      notify({ phase: 'lost', retryAt, everConnected: frames.wasWelcomed })
    },
    noSession: (reason) => notify({ phase: 'no_session', reason }),
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

/** A call that was rejected or lost. `message` is a sentence for the user. Branch on `code`. */
export class CallError extends Error {
  readonly code: ErrorCode
  readonly retry: Retry
  readonly details: WireError['details']

  constructor(error: WireError) {
    super(error.logId === undefined ? error.message : `${error.message} (log ${error.logId})`)
    this.name = 'CallError'
    this.code = error.code
    this.retry = error.retry
    this.details = error.details
  }
}

export function connectionLost(): CallError {
  return new CallError({
    code: 'connection_lost',
    message:
      'The connection to Tabscope was lost before the response arrived. Try again when it is reconnected.',
    retry: 'later',
  })
}
