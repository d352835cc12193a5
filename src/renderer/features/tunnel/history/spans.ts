import type { TunnelSpan, TunnelStateName, TunnelView } from '#contract/tunnel.ts'

/** A stretch of time in one state, as it is drawn and told. Milliseconds since the epoch. */
export interface Stretch {
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

/** What was, oldest first, with the state of now up to `now`. What is between two stretches is not known: Tabscope did not run. */
export function stretchesOf(
  history: readonly TunnelSpan[],
  view: Known,
  now: number,
): readonly Stretch[] {
  const before = history.flatMap(({ from, to, state, reason, url }) => {
    // The state of now is in the history too, as far as that was written; and clocks may be set back.
    const end = Math.min(to, view.since)
    return end > from ? [{ begun: from, from, to: end, state, reason, url, now: false }] : []
  })
  const { state, since, reason, url } = view
  const current = {
    begun: since,
    from: since,
    to: Math.max(now, since),
    state,
    reason,
    url,
    now: true,
  }
  return [...before, current]
}

/** What of them lies between `from` and `to`, cut there. */
export function within(
  stretches: readonly Stretch[],
  from: number,
  to: number,
): readonly Stretch[] {
  return stretches.flatMap((stretch) => {
    const cut = { ...stretch, from: Math.max(stretch.from, from), to: Math.min(stretch.to, to) }
    return cut.to > cut.from ? [cut] : []
  })
}

/** How long each state lasted, in milliseconds; those that were not are left out. */
export function totalsOf(stretches: readonly Stretch[]): ReadonlyMap<TunnelStateName, number> {
  const totals = new Map<TunnelStateName, number>()
  for (const { state, from, to } of stretches) {
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
  for (const [state, ms] of totals) if (state !== 'off') wanted += ms
  return { online: totals.get('online') ?? 0, wanted }
}
