import type { TunnelStateName } from '#contract/tunnel.ts'

/** A tunnel that is back within this time (ms) was not lost: most are opened anew by themselves. */
const PATIENCE_MS = 5_000
/** One loss in this time (ms) at most: of a tunnel that comes and goes, the first is told, and then where it stands. */
const EVERY_MS = 60_000

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
  /** Nobody was told what was answered last. */
  untold(): void
}

export function createTunnelLoss(): TunnelLoss {
  let state: 'none' | 'online' | 'lost' = 'none'
  /** Since when something has been wrong with a tunnel that was online. */
  let doubtSince: number | null = null
  let isTold = false
  let toldAt: number | null = null
  let toldBefore: number | null = null

  function waitsUntil(): number | null {
    if (state !== 'lost' || isTold || doubtSince === null) return null
    return Math.max(doubtSince + PATIENCE_MS, toldAt === null ? 0 : toldAt + EVERY_MS)
  }

  function due(now: number): TunnelNews | null {
    // A clock that was set back must not keep it silent until it has caught up.
    if (toldAt !== null && now < toldAt) toldAt = null
    if (doubtSince !== null && now < doubtSince) doubtSince = now
    const at = waitsUntil()
    if (at === null || now < at) return null
    isTold = true
    toldBefore = toldAt
    toldAt = now
    return { kind: 'lost' }
  }

  return {
    see({ state: seen, url }, now) {
      switch (seen) {
        case 'off':
          // The user has closed it.
          state = 'none'
          doubtSince = null
          isTold = false
          return null
        case 'opening':
          return due(now)
        case 'online': {
          const wasTold = isTold
          state = 'online'
          doubtSince = null
          isTold = false
          return wasTold ? { kind: 'back', url } : null
        }
        case 'degraded':
          // Something may still come through, and often does: it is doubted from here on, and lost only when it is given up.
          if (state === 'online') doubtSince ??= now
          return due(now)
        case 'offline':
        case 'reconnecting':
          if (state === 'online') {
            state = 'lost'
            doubtSince ??= now
          }
          return due(now)
      }
    },
    get dueAt() {
      return waitsUntil()
    },
    due,
    untold() {
      isTold = false
      toldAt = toldBefore
      // What was seen happen needs telling no more.
      if (state === 'lost') state = 'none'
    },
  }
}
