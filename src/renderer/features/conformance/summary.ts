import { eventTypeOf, eventTypes } from '#catalogue/catalogue.ts'
import { findingCodes } from '#catalogue/finding-codes.ts'
import type { TypeConformance } from '#contract/deliveries.ts'
import type { Severity } from '#contract/models.ts'

/** The answer of the store, sorted for reading. */
export interface Summary {
  readonly deliveries: number
  /** Documented types that came, those with the gravest findings first. */
  readonly known: readonly TypeConformance[]
  /** Types that the document does not name, and deliveries without one. */
  readonly unknown: readonly TypeConformance[]
  /** Documented types that never came. */
  readonly unseen: readonly string[]
  /** How many kinds of findings there are of each severity. */
  readonly kinds: Readonly<Record<Severity, number>>
  /** When the oldest delivery came that is kept; null: none is. */
  readonly oldestAt: number | null
}

const rank = { error: 0, warning: 1, info: 2 } as const satisfies Record<Severity, number>
const nothingFound = 3

/** Sorts what the store says of its types. */
export function summaryOf(types: readonly TypeConformance[]): Summary {
  const kinds: Record<Severity, number> = { error: 0, warning: 0, info: 0 }
  for (const { findings } of types) for (const { severity } of findings) kinds[severity] += 1
  const seen = new Set(types.map(({ type }) => type))
  const sorted = types.map((one) => ({ ...one, findings: one.findings.toSorted(bySeverity) }))
  sorted.sort((one, other) => gravest(one) - gravest(other) || byName(one.type, other.type))
  return {
    deliveries: types.reduce((sum, { count }) => sum + count, 0),
    known: sorted.filter(isKnown),
    unknown: sorted.filter((one) => !isKnown(one)),
    unseen: eventTypes.map(({ type }) => type).filter((type) => !seen.has(type)),
    kinds,
    oldestAt: types.length === 0 ? null : Math.min(...types.map(({ firstAt }) => firstAt)),
  }
}

function isKnown({ type }: TypeConformance): boolean {
  return eventTypeOf(type) !== undefined
}

/** The gravest first, then the most frequent. */
function bySeverity(
  one: TypeConformance['findings'][number],
  other: TypeConformance['findings'][number],
): number {
  return rank[one.severity] - rank[other.severity] || other.count - one.count
}

function gravest({ findings }: TypeConformance): number {
  return Math.min(nothingFound, ...findings.map(({ severity }) => rank[severity]))
}

/** Those without a type last. */
function byName(one: string | null, other: string | null): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1
  return one < other ? -1 : 1
}

const titles: ReadonlyMap<string, string> = new Map(
  findingCodes.map(({ code, title }) => [code, title]),
)

/** What a code means, as a sentence without its full stop; the code itself where nobody says. */
export function findingTitle(code: string): string {
  return (titles.get(code) ?? code).replace(/\.$/, '')
}

/** A place as filters write it: `data.total` rather than `body.data.total`. */
export function locationLabel(place: string): string {
  return place.replace(/^body\.(?=.)/, '')
}
