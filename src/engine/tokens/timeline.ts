import type { TokenEvent, TokenView } from '#contract/tokens.ts'

/** How many events a timeline keeps. */
const kept = 100

type Aged = Pick<TokenView, 'expires'> & { readonly events: readonly TokenEvent[] }

export type TokenEventKind = TokenEvent['kind']

const begins: readonly TokenEventKind[] = ['issued', 'refreshed', 'replaced']
/** What must be remembered of the current version: to record it once, or to try no second time. */
const marks: readonly TokenEventKind[] = ['due', 'expired', 'refresh_failed']

/** What happened since the token itself last changed, that change included. */
export function ofThisVersion(events: readonly TokenEvent[]): readonly TokenEvent[] {
  return events.slice(Math.max(0, startOf(events)))
}

/** The timeline with more at its end. The oldest give way, but never what the current version must remember. */
export function continued(
  events: readonly TokenEvent[],
  ...more: readonly TokenEvent[]
): TokenEvent[] {
  const all = [...events, ...more]
  if (all.length <= kept) return all
  const start = startOf(all)
  const held = new Set([start, ...marks.map((kind) => all.findLastIndex((e) => e.kind === kind))])
  let surplus = all.length - kept
  return all.filter((_, index) => {
    if (surplus === 0 || (index >= start && held.has(index))) return true
    surplus -= 1
    return false
  })
}

/**
 * The milestones that have passed at `now` (ms) and stand in no timeline yet, each with the time at which it passed. A token that lives no
 * longer than `dueBefore` (s) was due from its first moment on.
 */
export function passed({ expires, events }: Aged, dueBefore: number, now: number): TokenEvent[] {
  if (expires === null) return []
  const version = ofThisVersion(events)
  const from = version[0]?.at ?? 0
  const end = Math.max(expires * 1000, from)
  const due = Math.max((expires - dueBefore) * 1000, from)
  const milestones: TokenEvent[] = []
  const has = (kind: TokenEventKind): boolean => version.some((event) => event.kind === kind)
  if (dueBefore > 0 && now >= due && !has('due')) milestones.push(event('due', due))
  if (now >= end && !has('expired')) milestones.push(event('expired', end))
  return milestones
}

/** An event, when more is to be said with a sentence or a run. */
export function event(
  kind: TokenEventKind,
  at: number,
  more: { detail?: string; runId?: number } = {},
): TokenEvent {
  return { kind, at, detail: more.detail ?? null, runId: more.runId ?? null }
}

function startOf(events: readonly TokenEvent[]): number {
  return events.findLastIndex(({ kind }) => begins.includes(kind))
}
