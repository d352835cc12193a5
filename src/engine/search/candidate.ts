import type { Filter } from '#contract/filter/ast.ts'
import { type Binder, choiceList } from './sql.ts'
import { refSlots, rowidBetween, refHash } from '../deliveries/searchable.ts'
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
import { verdicts } from '#contract/constants.ts'
import { isOrder } from '#contract/filter/check.ts'
import { readWholeNumber } from '#contract/filter/values.ts'

/** By how many deliveries they usually match, the fewest first. The first kind in a filter determines the index; the other terms are checked on its rows. */
export const driverOrder = [
  'ref',
  'finding',
  'tag',
  'mark',
  'text',
  'location',
  'severity',
  'handler',
  'type and verdict',
  'type',
  'status',
  'verdict',
  'endpoint',
] as const

export interface Driver {
  readonly kind: (typeof driverOrder)[number]
  /** Each returns IDs from @lo to @hi; together they return every delivery that may match. An arm is a condition on `delivery AS d`, or a SELECT of IDs. */
  readonly arms: readonly Arm[]
  /** Need not be checked again on the rows. */
  readonly covers: readonly Filter[]
}

export type Arm =
  | { readonly on: string; readonly index: string }
  | {
      readonly ids: string
      /** Does not find deliveries that are not in the search index yet. */
      readonly indexed: boolean
    }

/** Its parameters are bound only if it is chosen. */
export interface Candidate {
  readonly kind: Driver['kind']
  readonly covers: readonly Filter[]
  readonly arms: (binder: Binder) => readonly Arm[]
  readonly count: number
}

/** IDs from @lo to @hi that contain all texts. */
export function textArm(texts: readonly Text[], binder: Binder, context: FilterContext): string {
  const phrases = texts.map((term) => phrase(term, () => context.expandPrefix(term)))
  const query = binder.bind(phrases.join(' AND '))
  return `SELECT rowid AS id FROM delivery_text WHERE delivery_text MATCH ${query} AND ${rowidBetween('@lo', '@hi')}
    AND EXISTS (SELECT 1 FROM delivery WHERE delivery.id = delivery_text.rowid)`
}

export function refArm(ids: readonly string[], binder: Binder): string {
  const hashes = binder.list(ids.map((id) => refHash('id', id)))
  return `SELECT id / ${refSlots} FROM delivery_ref INDEXED BY delivery_ref_by_hash WHERE hash IN (${hashes}) AND id BETWEEN @lo * ${refSlots} AND @hi * ${refSlots} + ${refSlots - 1}`
}

/** Null if no index supports all values. `verdict` is combined with `type`, whose index has both. */
export function termCandidate(
  term: Term,
  verdict: Term | null,
  context: FilterContext,
): Candidate | null {
  const texts = term.values.map(({ text }) => text)
  const lowerCase = texts.map((text) => text.toLowerCase())
  const none = term.values.some((value) => isNoneOf(term, value))
  const named = term.values.filter((value) => !isNoneOf(term, value))
  const wild = named.some((value) => piecesOf(value).length > 1)
  const names = named.map(({ text }) => text)
  const column = (name: IndexedColumn, values: readonly (string | number)[]): Candidate =>
    columnCandidate(name, { covers: [term], values, none })
  switch (term.field) {
    case 'type':
      return wild ? null : typeCandidate(term, verdict, { values: names, none })
    case 'verdict':
      return column('verdict', lowerCase)
    case 'location':
      return wild ? null : column('location_name', names)
    case 'handler': {
      const arms = attemptArm(term)
      return arms && { kind: 'handler', covers: [term], count: 1, arms }
    }
    case 'status':
      return column('status', names.map(Number))
    case 'endpoint':
      return column('endpoint_id', endpointIds(term, context))
    case 'integration':
      return column('endpoint_id', integrationEndpointIds(term, context))
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
      const arms = (binder: Binder): Arm[] => [tagArm(texts, binder)]
      return wild ? null : { kind: 'tag', covers: [term], count: 1, arms }
    }
    case 'note':
      return mark([noted], [])
    case 'repeats':
      // Read in order of ID; the criterion is checked on its rows.
      return none ? null : mark([{ ids: repeatIds, indexed: true }], [])
    case 'is': {
      const arms = lowerCase.map(markArm)
      return arms.includes(null)
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

const indexedColumns = {
  type: ['type', 'delivery_by_type'],
  verdict: ['verdict', 'delivery_by_verdict'],
  location_name: ['location', 'delivery_by_location'],
  status: ['status', 'delivery_by_status'],
  endpoint_id: ['endpoint', 'delivery_by_endpoint'],
} as const

type IndexedColumn = keyof typeof indexedColumns

interface ColumnValues {
  readonly values: readonly (string | number)[]
  readonly none: boolean
}

/** A separate arm for `none`. `and`: a further condition of each arm. */
function columnCandidate(
  name: IndexedColumn,
  {
    covers,
    values,
    none,
    and = () => '',
  }: ColumnValues & Pick<Candidate, 'covers'> & { and?: (binder: Binder) => string },
): Candidate {
  const [kind, index] = indexedColumns[name]
  return {
    kind,
    covers,
    count: (none ? 1 : 0) + (values.length > 0 ? 1 : 0),
    arms: (binder) => [
      ...(values.length > 0
        ? [{ on: `d.${name} IN (${binder.list(values)})${and(binder)}`, index }]
        : []),
      ...(none ? [{ on: `d.${name} IS NULL${and(binder)}`, index }] : []),
    ],
  }
}

function typeCandidate(term: Term, verdict: Term | null, values: ColumnValues): Candidate {
  const among = (binder: Binder): string =>
    ` AND d.verdict IN (${verdict ? choiceList(verdict.values, binder) : binder.list(verdicts)})`
  const covers = verdict ? [term, verdict] : [term]
  const candidate = columnCandidate('type', { ...values, covers, and: among })
  return verdict ? { ...candidate, kind: 'type and verdict' } : candidate
}

function tagArm(tags: readonly string[], binder: Binder): Arm {
  return {
    ids: `SELECT delivery_id FROM delivery_tag WHERE tag IN (${binder.list(tags)}) AND delivery_id BETWEEN @lo AND @hi`,
    indexed: false,
  }
}

const repeatIds = 'SELECT id FROM delivery_repeat WHERE id BETWEEN @lo AND @hi'

const noted: Arm = { on: 'd.noted = 1', index: 'delivery_noted' }

function mark(arms: readonly Arm[], covers: readonly Filter[]): Candidate {
  return { kind: 'mark', covers, count: arms.length, arms: () => arms }
}

function markArm(name: string): Arm | null {
  switch (name) {
    case 'duplicate':
      return { ids: repeatIds, indexed: true }
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
  const kinds = `SELECT id FROM finding_kind WHERE ${kind}`
  const ids = `SELECT id FROM delivery INDEXED BY delivery_by_finding_list
      WHERE finding_list_id IN (SELECT list_id FROM finding_list_kind WHERE kind_id IN (${kinds})) AND id BETWEEN @lo AND @hi`
  return { ids, indexed: false }
}

/** On the last attempt (`delivery.sent`). 0 means no complete response, and matches no number. */
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
        case 'no_response':
          return '+d.sent IS 0'
        default:
          return `${status} IS ${bind(value.text)}`
      }
    })
    .join(' OR ')
}

/** Null if the term also matches deliveries that were not sent. */
export function attemptArm(term: Term): ((binder: Binder) => Arm[]) | null {
  if (term.values.some((value) => isNoneOf(term, value))) return null
  return (binder) => [
    { on: `d.sent IS NOT NULL AND (${attemptCondition(term, binder)})`, index: 'delivery_sent' },
  ]
}
