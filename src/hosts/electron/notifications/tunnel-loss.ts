import type { TunnelStateName } from '#contract/tunnel.ts'

/** A tunnel that is back within this time (ms) was not lost: most are opened anew by themselves. */
const PATIENCE_MS = 5_000

export type TunnelNews =
  | { readonly kind: 'lost' }
  | { readonly kind: 'back'; readonly url: string | null }

interface Seen {
  readonly state: TunnelStateName
  readonly url: string | null
}

/** Finds out when a tunnel that was online is lost, and when it is back. Pure: `now` in milliseconds since the epoch. */
export interface TunnelLoss {
  /** Takes a state; answers what is to be told now. */
  see(tunnel: Seen, now: number): TunnelNews | null
  /** When to ask again; null: nothing waits. */
  readonly dueAt: number | null
  due(now: number): TunnelNews | null
}

export function createTunnelLoss(): TunnelLoss {
  let state: 'none' | 'online' | 'doubtful' | 'lost' = 'none'
  let doubtSince = 0

  function due(now: number): TunnelNews | null {
    if (state !== 'doubtful' || now < doubtSince + PATIENCE_MS) return null
    state = 'lost'
    return { kind: 'lost' }
  }

  return {
    see(tunnel, now) {
      switch (tunnel.state) {
        case 'off':
          // The user has closed it.
          state = 'none'
          return null
        case 'opening':
          return due(now)
        case 'online': {
          const wasLost = state === 'lost'
          state = 'online'
          return wasLost ? { kind: 'back', url: tunnel.url } : null
        }
        case 'degraded':
        case 'offline':
        case 'reconnecting':
          if (state === 'online') {
            state = 'doubtful'
            doubtSince = now
          }
          return due(now)
      }
    },
    get dueAt() {
      return state === 'doubtful' ? doubtSince + PATIENCE_MS : null
    },
    due,
  }
}
