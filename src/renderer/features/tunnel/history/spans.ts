import type { TunnelSpan, TunnelStateName, TunnelView } from '#contract/tunnel.ts'

/** A period in one state. Times are in milliseconds since the epoch. */
export interface Period {
  /** The original start, even if the period is cut. Identifies the period. */
  readonly begun: number
  readonly from: number
  readonly to: number
  readonly state: TunnelStateName
  readonly reason: string
  readonly url: string | null
  /** Whether this is the current state. */
  readonly now: boolean
}

type CurrentState = Pick<TunnelView, 'state' | 'since' | 'reason' | 'url'>

/**
 * The history as periods, oldest first, with the current state up to `now`. In a gap between two periods, Tabscope was not running or the tunnel
 * was off. For a time without a tunnel, only its start is included.
 */
export function periodsOf(
  history: readonly TunnelSpan[],
  view: CurrentState,
  now: number,
): readonly Period[] {
  const { state, since, reason, url } = view
  const last = history.at(-1)
  // An outage continues through failed retries, each of which restarts the state.
  const same = last?.state === state && last.to >= since ? last : null
  // During an outage, both states without a tunnel count `since` from the start of the outage.
  const isOutage = last !== undefined && isDown(last.state) && isDown(state)
  const from = same?.from ?? (isOutage ? Math.max(since, last.to) : since)
  const before = history.flatMap((span) => {
    // Earlier periods end when the current state starts, even if the clock was set back or the history is older.
    const to = Math.min(span.state === 'off' ? span.from : span.to, from)
    if (span === same || to < span.from || (to === span.from && span.state !== 'off')) return []
    return [{ begun: span.from, from: span.from, to, ...stateOf(span), now: false }]
  })
  const to = state === 'off' ? from : Math.max(now, from)
  return [...before, { begun: from, from, to, state, reason, url, now: true }]
}

function isDown(state: TunnelStateName): boolean {
  return state === 'offline' || state === 'reconnecting'
}

function stateOf({ state, reason, url }: TunnelSpan): Pick<Period, 'state' | 'reason' | 'url'> {
  return { state, reason, url }
}

/** The periods between `from` and `to`, cut at both ends. */
export function within(periods: readonly Period[], from: number, to: number): readonly Period[] {
  return periods.flatMap((period) => {
    const cut = { ...period, from: Math.max(period.from, from), to: Math.min(period.to, to) }
    return cut.to > cut.from || isMoment(cut) ? [cut] : []
  })
}

/** Whether a period has no duration. */
export function isMoment({ begun, from, to }: Period): boolean {
  return begun === from && from === to
}

/** The total duration of each state in milliseconds. States that did not occur are omitted. */
export function totalsOf(periods: readonly Period[]): ReadonlyMap<TunnelStateName, number> {
  const totals = new Map<TunnelStateName, number>()
  for (const { state, from, to } of periods) {
    if (state === 'off') continue
    totals.set(state, (totals.get(state) ?? 0) + to - from)
  }
  return totals
}

export interface Uptime {
  /** Milliseconds. */
  readonly online: number
  /** How long the tunnel was requested, in milliseconds. */
  readonly wanted: number
}

export function uptimeOf(totals: ReadonlyMap<TunnelStateName, number>): Uptime {
  let wanted = 0
  for (const ms of totals.values()) wanted += ms
  return { online: totals.get('online') ?? 0, wanted }
}
