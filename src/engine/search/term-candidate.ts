import type { Filter } from '#contract/filter/ast.ts'
import { verdicts } from '#contract/verdicts.ts'
import { refArm } from './index-scan.ts'
import { attemptArm } from './attempt-condition.ts'
import type { Binder } from './binder.ts'
import type { Arm, Candidate, Driver } from './candidate.ts'
import { choiceList } from './term-sql.ts'
import {
  endpointIds,
  integrationEndpointIds,
  isNoneOf,
  piecesOf,
  type FilterContext,
  type Term,
} from './filter-context.ts'

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
