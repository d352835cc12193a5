import type { TunnelSpan, TunnelStateName, TunnelView } from '#contract/tunnel.ts'

/** A stretch of time in one state, as it is drawn and told. Milliseconds since the epoch. */
export interface Period {
  /** When it began, also where it is cut: it is known by this. */
  readonly begun: number
  readonly from: number
  readonly to: number
  readonly state: TunnelStateName
  readonly reason: string
  readonly url: string | null
  /** It goes on. */
  readonly now: boolean
}

type Known = Pick<TunnelView, 'state' | 'since' | 'reason' | 'url'>

/**
 * What was, oldest first, with the state of now up to `now`. What is between two stretches is not known, or none was wanted: of a time without a
 * tunnel only the beginning is told.
 */
export function stretchesOf(
  history: readonly TunnelSpan[],
  view: Known,
  now: number,
): readonly Period[] {
  const { state, since, reason, url } = view
  const last = history.at(-1)
  // An outage goes on through each try in vain, which begins the state anew.
  const same = last?.state === state && last.to >= since ? last : null
  // Each of the states without a tunnel counts since the outage began.
  const isOutage = last !== undefined && isDown(last.state) && isDown(state)
  const from = same?.from ?? (isOutage ? Math.max(since, last.to) : since)
  const before = history.flatMap((span) => {
    // What came before the state of now ended when it began: clocks may be set back, and what is known may be older.
    const to = Math.min(span.state === 'off' ? span.from : span.to, from)
    if (span === same || to < span.from || (to === span.from && span.state !== 'off')) return []
    return [{ begun: span.from, from: span.from, to, ...wordsOf(span), now: false }]
  })
  const to = state === 'off' ? from : Math.max(now, from)
  return [...before, { begun: from, from, to, state, reason, url, now: true }]
}

function isDown(state: TunnelStateName): boolean {
  return state === 'offline' || state === 'reconnecting'
}

function wordsOf({ state, reason, url }: TunnelSpan): Pick<Period, 'state' | 'reason' | 'url'> {
  return { state, reason, url }
}

/** What of them lies between `from` and `to`, cut there. */
export function within(stretches: readonly Period[], from: number, to: number): readonly Period[] {
  return stretches.flatMap((stretch) => {
    const cut = { ...stretch, from: Math.max(stretch.from, from), to: Math.min(stretch.to, to) }
    return cut.to > cut.from || isMoment(cut) ? [cut] : []
  })
}

/** Whether it is a beginning without a length. */
export function isMoment({ begun, from, to }: Period): boolean {
  return begun === from && from === to
}

/** How long each state of a tunnel lasted, in milliseconds; those that were not are left out. */
export function totalsOf(stretches: readonly Period[]): ReadonlyMap<TunnelStateName, number> {
  const totals = new Map<TunnelStateName, number>()
  for (const { state, from, to } of stretches) {
    if (state === 'off') continue
    totals.set(state, (totals.get(state) ?? 0) + to - from)
  }
  return totals
}

export interface Uptime {
  /** Milliseconds. */
  readonly online: number
  /** How long there was to be one, in milliseconds. */
  readonly wanted: number
}

export function uptimeOf(totals: ReadonlyMap<TunnelStateName, number>): Uptime {
  let wanted = 0
  for (const ms of totals.values()) wanted += ms
  return { online: totals.get('online') ?? 0, wanted }
}
