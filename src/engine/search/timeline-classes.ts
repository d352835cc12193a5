import type { timelineKinds } from '#contract/constants.ts'
import { printLiteral } from '#contract/filter/print.ts'
import { verdicts } from '#contract/constants.ts'

export type TimelineKind = (typeof timelineKinds)[number]

export type ClassKey = string | number | null

interface Class {
  readonly key: string
  readonly label: string
  readonly term: string
  readonly of: readonly ClassKey[]
}

/** The other types are counted together. */
const maxTypes = 12

const verdictLabels = {
  valid: 'Valid',
  invalid: 'Invalid',
  missing: 'Missing',
  unsigned: 'Unsigned',
  unchecked: 'Not checked',
} as const

/** By milliseconds from `createdAt` to arrival. Negative if a clock is wrong. */
const lagClasses = [
  ['below-0', 'before it was created (a clock is wrong)', 'lag:<0'],
  ['below-100ms', 'under 100 ms', 'lag:>=0 lag:<100ms'],
  ['below-1s', '100 ms to 1 s', 'lag:>=100ms lag:<1s'],
  ['below-5s', '1 s to 5 s', 'lag:>=1s lag:<5s'],
  ['below-1m', '5 s to 1 min', 'lag:>=5s lag:<1m'],
  ['from-1m', '1 min or more', 'lag:>=1m'],
] as const

/** By received bytes of the body. */
const sizeClasses = [
  ['empty', 'no body', 'size:0'],
  ['below-1kb', 'under 1 kB', 'size:>=1 size:<1kb'],
  ['below-10kb', '1 kB to 10 kB', 'size:>=1kb size:<10kb'],
  ['below-100kb', '10 kB to 100 kB', 'size:>=10kb size:<100kb'],
  ['below-1mb', '100 kB to 1 MB', 'size:>=100kb size:<1mb'],
  ['from-1mb', '1 MB or more', 'size:>=1mb'],
] as const

export function classSql(by: TimelineKind): string {
  switch (by) {
    case 'verdict':
      return 'd.verdict'
    case 'type':
      return 'd.type'
    case 'lag': {
      const lag = 'd.received_us - d.created_ms * 1000'
      return `CASE WHEN d.created_ms IS NULL OR d.received_us = 0 THEN NULL WHEN ${lag} < 0 THEN 0 WHEN ${lag} < 100000 THEN 1
        WHEN ${lag} < 1000000 THEN 2 WHEN ${lag} < 5000000 THEN 3 WHEN ${lag} < 60000000 THEN 4 ELSE 5 END`
    }
    case 'size':
      return `CASE WHEN d.bytes = 0 THEN 0 WHEN d.bytes < 1000 THEN 1 WHEN d.bytes < 10000 THEN 2
        WHEN d.bytes < 100000 THEN 3 WHEN d.bytes < 1000000 THEN 4 ELSE 5 END`
  }
}

/** Their order is stable while deliveries arrive, except for types. */
export function classesOf(by: TimelineKind, totals: ReadonlyMap<ClassKey, number>): Class[] {
  switch (by) {
    case 'verdict':
      return verdicts.map((verdict) => ({
        key: verdict,
        label: verdictLabels[verdict],
        term: `verdict:${verdict}`,
        of: [verdict],
      }))
    case 'type':
      return typesOf(totals)
    case 'lag':
      return [
        ...lagClasses.map(([key, label, term], index) => ({ key, label, term, of: [index] })),
        { key: 'unknown', label: 'no createdAt', term: 'lag:none', of: [null] },
      ]
    case 'size':
      return sizeClasses.map(([key, label, term], index) => ({ key, label, term, of: [index] }))
  }
}

function typesOf(totals: ReadonlyMap<ClassKey, number>): Class[] {
  const sorted = [...totals.entries()]
    .sort(([a, n], [b, m]) => m - n || (String(a) < String(b) ? -1 : 1))
    .map(([type]) => type)
  // If only one type would remain for the others, show it instead.
  const shown = sorted.slice(0, sorted.length === maxTypes + 1 ? maxTypes + 1 : maxTypes)
  const others = sorted.slice(shown.length)
  const single = (type: ClassKey): Class => ({
    key: type === null ? 'none' : `=${type}`,
    label: type === null ? 'no type' : String(type),
    term: `type:${typeTerm(type)}`,
    of: [type],
  })
  if (others.length === 0) return shown.map(single)
  return [
    ...shown.map(single),
    {
      key: 'others',
      label: `${others.length} other types`,
      term: `-type:${shown.map(typeTerm).join(',')}`,
      of: others,
    },
  ]
}

/** `none` means "without a type", so a type with that name is quoted. */
function typeTerm(type: ClassKey): string {
  if (type === null) return 'none'
  return type === 'none' ? '"none"' : printLiteral(String(type))
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Common widths, in milliseconds. Each divides a day, so that buckets align with UTC days. */
const widths = [
  second,
  5 * second,
  15 * second,
  minute,
  5 * minute,
  15 * minute,
  hour,
  3 * hour,
  12 * hour,
  day,
]

export interface Buckets {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly width: number
  readonly count: number
}

/** The narrowest buckets that cover `from` to `to` (milliseconds, inclusive). */
export function bucketsFor(from: number, to: number, max: number): Buckets {
  for (let step = 0; ; step++) {
    const width = widths[step] ?? day * 2 ** (step - widths.length + 1)
    const first = Math.floor(from / width)
    const count = Math.floor(to / width) - first + 1
    if (count <= max) return { from: first * width, width, count: Math.max(1, count) }
  }
}
