import type { Filter } from '#contract/filter/ast.ts'
import { type Binder, choiceList } from './sql.ts'
import { refSlots } from './indexer/limits.ts'
import { refHash } from './indexer/searchable.ts'
import {
  type FilterContext,
  type Text,
  endpointIds,
  integrationEndpointIds,
  isNoneOf,
  piecesOf,
  type Term,
  phrase,
} from './matching.ts'
import { verdicts } from '#contract/verdicts.ts'
import { isOrder } from '#contract/filter/check.ts'
import { readWholeNumber } from '#contract/filter/values.ts'

/**
 * How few deliveries a kind of term usually leaves, the fewest first. The first one that a filter has decides which index is read; the
 * others are looked at on the rows that it gives.
 */
export const driverOrder = [
  'ref',
  'finding',
  'tag',
  'mark',
  'text',
  'location',
  'severity',
  'attempt',
  'type and verdict',
  'type',
  'status',
  'verdict',
  'endpoint',
] as const

/** Where the rows of a filter are looked for. */
export interface Driver {
  readonly kind: (typeof driverOrder)[number]
  /**
   * Each gives ids of deliveries from @lo to @hi, and all of them together every one that can match. `on`: a condition on `delivery AS d`
   * and the index that it is read by; else a SELECT of ids.
   */
  readonly arms: readonly Arm[]
  /** Terms that need not be looked at again. */
  readonly covers: readonly Filter[]
}

export type Arm =
  | { readonly on: string; readonly index: string }
  | {
      readonly ids: string
      /** It knows nothing of deliveries that are not in the search index yet. */
      readonly indexed: boolean
    }

/** A driver still to be written: nothing is bound for those that are not chosen. */
export interface Candidate {
  readonly kind: Driver['kind']
  readonly covers: readonly Filter[]
  readonly arms: (binder: Binder) => readonly Arm[]
  readonly count: number
}

/** Ids from @lo to @hi that have all of the texts. */
export function textArm(texts: readonly Text[], binder: Binder, world: FilterContext): string {
  const phrases = texts.map((term) => phrase(term, () => world.endings(term)))
  const query = binder.bind(phrases.join(' AND '))
  return `SELECT rowid AS id FROM delivery_text WHERE delivery_text MATCH ${query} AND rowid BETWEEN @lo AND @hi`
}

/** Ids from @lo to @hi that mention one of the ids. */
export function refArm(ids: readonly string[], binder: Binder): string {
  const hashes = binder.list(ids.map((id) => refHash('id', id)))
  return `SELECT id / ${refSlots} FROM delivery_ref INDEXED BY delivery_ref_by_hash WHERE hash IN (${hashes}) AND id BETWEEN @lo * ${refSlots} AND @hi * ${refSlots} + ${refSlots - 1}`
}

/** The way in by one term, if an index has one for all of its values. `verdict` goes with `type`, whose index has both. */
export function termCandidate(
  term: Term,
  verdict: Term | null,
  world: FilterContext,
): Candidate | null {
  const texts = term.values.map(({ text }) => text)
  const none = term.values.some((value) => isNoneOf(term, value))
  const named = term.values.filter((value) => !isNoneOf(term, value))
  const wild = named.some((value) => piecesOf(value).length > 1)
  /** By a column that an index has, with an arm of its own for `none`. */
  const column = (
    kind: Driver['kind'],
    name: string,
    index: string,
    values: readonly (string | number)[],
    and: (binder: Binder) => string = () => '',
  ): Candidate => ({
    kind,
    covers: verdict ? [term, verdict] : [term],
    count: (none ? 1 : 0) + (values.length > 0 ? 1 : 0),
    arms: (binder) => [
      ...(values.length > 0
        ? [{ on: `d.${name} IN (${binder.list(values)})${and(binder)}`, index }]
        : []),
      ...(none ? [{ on: `d.${name} IS NULL${and(binder)}`, index }] : []),
    ],
  })
  const names = named.map(({ text }) => text)
  switch (term.field) {
    case 'type': {
      if (wild) return null
      const among = (binder: Binder): string =>
        ` AND d.verdict IN (${verdict ? choiceList(verdict.values, binder) : binder.list(verdicts)})`
      const kind = verdict ? 'type and verdict' : 'type'
      return column(kind, 'type', 'delivery_by_type', names, among)
    }
    case 'verdict':
      return column(
        'verdict',
        'verdict',
        'delivery_by_verdict',
        texts.map((text) => text.toLowerCase()),
      )
    case 'location':
      return wild ? null : column('location', 'location_name', 'delivery_by_location', names)
    case 'attempt': {
      const arms = attemptArm(term)
      return arms && { kind: 'attempt', covers: [term], count: 1, arms }
    }
    case 'status':
      return column('status', 'status', 'delivery_by_status', names.map(Number))
    case 'endpoint':
      return column('endpoint', 'endpoint_id', 'delivery_by_endpoint', endpointIds(term, world))
    case 'integration':
      return column(
        'endpoint',
        'endpoint_id',
        'delivery_by_endpoint',
        integrationEndpointIds(term, world),
      )
    case 'target':
    case 'ref': {
      if (wild || none) return null
      const arms = (binder: Binder): Arm[] => [{ ids: refArm(texts, binder), indexed: true }]
      return { kind: 'ref', covers: term.field === 'ref' ? [term] : [], count: 1, arms }
    }
    case 'finding': {
      if (wild || none) return null
      const arms = (binder: Binder): Arm[] => [findingArm(`code IN (${binder.list(texts)})`)]
      return { kind: 'finding', covers: [term], count: 1, arms }
    }
    case 'severity': {
      const arms = (binder: Binder): Arm[] => [
        findingArm(`severity IN (${choiceList(term.values, binder)})`),
      ]
      return { kind: 'severity', covers: [term], count: 1, arms }
    }
    case 'tag': {
      if (wild) return null
      const arms = (binder: Binder): Arm[] => [
        {
          ids: `SELECT delivery_id FROM delivery_tag WHERE tag IN (${binder.list(texts)}) AND delivery_id BETWEEN @lo AND @hi`,
          indexed: false,
        },
      ]
      return { kind: 'tag', covers: [term], count: 1, arms }
    }
    case 'note':
      return mark([noted], [])
    case 'repeats':
      return none
        ? null
        : column(
            'mark',
            'repeats_by',
            'delivery_repeating',
            texts.map((text) => text.toLowerCase()),
          )
    case 'is': {
      const arms = texts.map((text) => markArm(text.toLowerCase()))
      return arms.some((arm) => arm === null)
        ? null
        : mark(
            arms.filter((arm) => arm !== null),
            [term],
          )
    }
    default:
      return null
  }
}

const noted: Arm = { on: 'd.noted = 1', index: 'delivery_noted' }

function mark(arms: readonly Arm[], covers: readonly Filter[]): Candidate {
  return { kind: 'mark', covers, count: arms.length, arms: () => arms }
}

function markArm(name: string): Arm | null {
  switch (name) {
    case 'duplicate':
      return { on: "d.repeats_by IN ('body', 'event')", index: 'delivery_repeating' }
    case 'pinned':
      return { on: 'd.pinned = 1', index: 'delivery_pinned' }
    case 'noted':
      return noted
    case 'tagged':
      return {
        ids: 'SELECT delivery_id FROM delivery_tag INDEXED BY delivery_tag_by_delivery WHERE delivery_id BETWEEN @lo AND @hi',
        indexed: false,
      }
    default:
      return null
  }
}

function findingArm(kind: string): Arm {
  const ids = `SELECT delivery_id FROM delivery_finding WHERE kind_id IN (SELECT id FROM finding_kind WHERE ${kind}) AND delivery_id BETWEEN @lo AND @hi`
  return { ids, indexed: false }
}

/** How the last attempt of a delivery ended (`delivery.sent`): no number, not even 0, is that of one without a whole answer. */
export function attemptCondition(term: Term, binder: Binder): string {
  const status = 'nullif(+d.sent, 0)'
  const bind = (text: string): string => binder.bind(readWholeNumber(text) ?? -1)
  const { comparison, values } = term
  const [first] = values
  if (isOrder(comparison) && first)
    return `coalesce(${status} ${comparison} ${bind(first.text)}, 0)`
  return values
    .map((value) => {
      if (isNoneOf(term, value)) return '+d.sent IS NULL'
      switch (value.text.toLowerCase()) {
        case 'ok':
          return 'coalesce(+d.sent BETWEEN 200 AND 299, 0)'
        case 'failed':
          return 'coalesce(+d.sent NOT BETWEEN 200 AND 299, 0)'
        default:
          return `${status} IS ${bind(value.text)}`
      }
    })
    .join(' OR ')
}

/** The way in by the index of those that were sent; null: it asks for others as well. */
export function attemptArm(term: Term): ((binder: Binder) => Arm[]) | null {
  if (term.values.some((value) => isNoneOf(term, value))) return null
  return (binder) => [
    { on: `d.sent IS NOT NULL AND (${attemptCondition(term, binder)})`, index: 'delivery_sent' },
  ]
}
