import { eventTypeOf, eventTypes } from '#catalogue/catalogue.ts'
import { findingCodes } from '#catalogue/findings.ts'
import type { TypeConformance } from '#contract/deliveries.ts'
import type { Severity } from '#contract/models.ts'

export interface Summary {
  readonly deliveries: number
  /** Received documented types, those with the most severe findings first. */
  readonly known: readonly TypeConformance[]
  /** Undocumented types, and deliveries without a type. */
  readonly unknown: readonly TypeConformance[]
  /** Documented types that were never received. */
  readonly unseen: readonly string[]
  /** The number of different findings of each severity. */
  readonly kinds: Readonly<Record<Severity, number>>
  /** When the oldest stored delivery was received; null if there is none. */
  readonly oldestAt: number | null
}

const rank = { error: 0, warning: 1, info: 2 } as const satisfies Record<Severity, number>
const nothingFound = 3

/** Summarizes and sorts the conformance of all types. */
export function summaryOf(types: readonly TypeConformance[]): Summary {
  const kinds: Record<Severity, number> = { error: 0, warning: 0, info: 0 }
  for (const { findings } of types) for (const { severity } of findings) kinds[severity] += 1
  const seen = new Set(types.map(({ type }) => type))
  const sorted = types.map((type) => ({ ...type, findings: type.findings.toSorted(bySeverity) }))
  sorted.sort((a, b) => mostSevere(a) - mostSevere(b) || byName(a.type, b.type))
  return {
    deliveries: types.reduce((sum, { count }) => sum + count, 0),
    known: sorted.filter(isKnown),
    unknown: sorted.filter((type) => !isKnown(type)),
    unseen: eventTypes.map(({ type }) => type).filter((type) => !seen.has(type)),
    kinds,
    oldestAt: types.length === 0 ? null : Math.min(...types.map(({ firstAt }) => firstAt)),
  }
}

function isKnown({ type }: TypeConformance): boolean {
  return eventTypeOf(type) !== undefined
}

function bySeverity(
  one: TypeConformance['findings'][number],
  other: TypeConformance['findings'][number],
): number {
  return rank[one.severity] - rank[other.severity] || other.count - one.count
}

function mostSevere({ findings }: TypeConformance): number {
  return Math.min(nothingFound, ...findings.map(({ severity }) => rank[severity]))
}

function byName(one: string | null, other: string | null): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1
  return one < other ? -1 : 1
}

const titles: ReadonlyMap<string, string> = new Map(
  findingCodes.map(({ code, title }) => [code, title]),
)

/** The title of a finding code without its final period; the code itself if unknown. */
export function findingTitle(code: string): string {
  return (titles.get(code) ?? code).replace(/\.$/, '')
}

/** The location of a finding as written in filters: `data.total` instead of `body.data.total`. */
export function locationLabel(place: string): string {
  return place.replace(/^body\.(?=.)/, '')
}
