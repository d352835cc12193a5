import type { TunnelStateName } from '#contract/tunnel.ts'

/** A tunnel that is back within this time was not lost, in milliseconds: most reconnect by themselves. */
const GRACE_MS = 5_000
/** Minimum time between two notifications of a loss, in milliseconds. For an unstable tunnel, the first loss is reported, and later its current state. */
const EVERY_MS = 60_000

export type TunnelNews =
  | { readonly kind: 'lost' }
  | { readonly kind: 'back'; readonly url: string | null }

interface TunnelStatus {
  readonly state: TunnelStateName
  readonly url: string | null
}

/** Detects when a tunnel that was online is lost, and when it is back. Pure: `now` is in milliseconds since the epoch. */
export interface TunnelLoss {
  /** Updates the state. Returns what to notify about now, if anything. */
  update(tunnel: TunnelStatus, now: number): TunnelNews | null
  /** When to call `due`; null if nothing is waiting. */
  readonly dueAt: number | null
  due(now: number): TunnelNews | null
  /** The last returned news was not shown to the user. */
  notNotified(): void
}

export function createTunnelLoss(): TunnelLoss {
  let state: 'none' | 'online' | 'lost' = 'none'
  /** Since when a tunnel that was online has had problems; null if it has none. */
  let unreliableSince: number | null = null
  let isNotified = false
  let notifiedAt: number | null = null
  let previouslyNotifiedAt: number | null = null

  function nextDueAt(): number | null {
    if (state !== 'lost' || isNotified || unreliableSince === null) return null
    return Math.max(unreliableSince + GRACE_MS, notifiedAt === null ? 0 : notifiedAt + EVERY_MS)
  }

  function due(now: number): TunnelNews | null {
    // If the clock was set back, a notification must not wait until it has caught up.
    if (notifiedAt !== null && now < notifiedAt) notifiedAt = null
    if (unreliableSince !== null && now < unreliableSince) unreliableSince = now
    const at = nextDueAt()
    if (at === null || now < at) return null
    isNotified = true
    previouslyNotifiedAt = notifiedAt
    notifiedAt = now
    return { kind: 'lost' }
  }

  return {
    update({ state: newState, url }, now) {
      switch (newState) {
        case 'off':
          // The user closed the tunnel.
          state = 'none'
          unreliableSince = null
          isNotified = false
          return null
        case 'opening':
          return due(now)
        case 'online': {
          const wasNotified = isNotified
          state = 'online'
          unreliableSince = null
          isNotified = false
          return wasNotified ? { kind: 'back', url } : null
        }
        case 'degraded':
          // Requests may still get through, so a degraded tunnel counts as lost only once it is offline. The time counts from here.
          if (state === 'online') unreliableSince ??= now
          return due(now)
        case 'offline':
        case 'reconnecting':
          if (state === 'online') {
            state = 'lost'
            unreliableSince ??= now
          }
          return due(now)
      }
    },
    get dueAt() {
      return nextDueAt()
    },
    due,
    notNotified() {
      isNotified = false
      notifiedAt = previouslyNotifiedAt
      // The user saw the loss happen, so its end is not reported either.
      if (state === 'lost') state = 'none'
    },
  }
}
