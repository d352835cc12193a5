import type { TokenEvent, TokenView } from '#contract/tokens.ts'

const maxEvents = 100

type Aged = Pick<TokenView, 'expires'> & { readonly events: readonly TokenEvent[] }

export type TokenEventKind = TokenEvent['kind']

const versionStarts: readonly TokenEventKind[] = ['issued', 'refreshed', 'replaced']
/** Must stay for the current version, so that they are not recorded or tried a second time. */
const protectedKinds: readonly TokenEventKind[] = ['due', 'expired', 'refresh_failed']

/** Since the token's values last changed, including that change. */
export function ofThisVersion(events: readonly TokenEvent[]): readonly TokenEvent[] {
  return events.slice(Math.max(0, startOf(events)))
}

/** Removes the oldest events if there are too many, except those that the current version needs. */
export function appended(
  events: readonly TokenEvent[],
  ...more: readonly TokenEvent[]
): TokenEvent[] {
  const all = [...events, ...more]
  if (all.length <= maxEvents) return all
  const start = startOf(all)
  const required = new Set([
    start,
    ...protectedKinds.map((kind) => all.findLastIndex((e) => e.kind === kind)),
  ])
  let surplus = all.length - maxEvents
  return all.filter((_, index) => {
    if (surplus === 0 || (index >= start && required.has(index))) return true
    surplus -= 1
    return false
  })
}

/** Milestones that have passed at `now` (ms) and are not in the timeline yet. A token that lives at most `dueBefore` (s) is due from the start. */
export function passedMilestones(
  { expires, events }: Aged,
  dueBefore: number,
  now: number,
): TokenEvent[] {
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

export function event(
  kind: TokenEventKind,
  at: number,
  more: { detail?: string; runId?: number } = {},
): TokenEvent {
  return { kind, at, detail: more.detail ?? null, runId: more.runId ?? null }
}

function startOf(events: readonly TokenEvent[]): number {
  return events.findLastIndex(({ kind }) => versionStarts.includes(kind))
}
