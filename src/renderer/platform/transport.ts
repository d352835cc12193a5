import type { ClientFrame, HostFrame } from '#contract/host.ts'

/**
 * Why a page has no session: it came without one, the server was restarted and can exchange the one it had, the server does not know that,
 * or the link that opened the page was used before or has expired.
 */
export type NoSession = 'missing' | 'restarted' | 'ended' | 'link_expired'

/** What a transport tells the client. */
export interface TransportEvents {
  /** The way is open: frames for the host go to `send`. May happen again after each `closed`. */
  opened(send: (frame: ClientFrame) => void): void
  received(frame: HostFrame): void
  /** The way is closed. `retryIn`: milliseconds until the next try; null: the host will call again by itself. */
  closed(retryIn: number | null): void
  /** It is not tried again, until another tab of this browser has a session. */
  noSession(reason: NoSession): void
}

/** Opens the way to a host and keeps it open until the returned function is called. */
export type Transport = (events: TransportEvents) => () => void
