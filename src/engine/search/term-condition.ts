import type { FilterValue } from '#contract/filter/ast.ts'
import { failureSql, known } from '../deliveries/rows.ts'
import { readDuration, readNumber, readSize, readWholeNumber } from '#contract/filter/values.ts'
import { refArm, attemptCondition } from './candidate.ts'
import {
  type Binder,
  type Condition,
  choiceList,
  havingFinding,
  havingTag,
  markCondition,
  nameCondition,
  numberCondition,
  outcomeSql,
  textCondition,
  containsParameter,
} from './sql.ts'
import {
  ageTest,
  endpointIds,
  type FilterContext,
  integrationEndpointIds,
  isNoneOf,
  micros,
  type Term,
  type BodyTest,
  type HeaderTest,
} from './matching.ts'
import { searchedBytes } from '../deliveries/searchable.ts'

type CreateCondition = (term: Term, binder: Binder, context: FilterContext) => Condition

/** The caller adds `NOT` for `!=`. */
export const termCondition: CreateCondition = (term, binder, context) => {
  const create = conditions[term.field]
  if (!create) throw new Error(`the field ${term.field} has no condition`)
  return create(term, binder, context)
}

const criterion = '(SELECT criterion FROM delivery_repeat WHERE delivery_repeat.id = d.id)'

const conditions: Readonly<Record<string, CreateCondition>> = {
  type: column('type'),
  location: column('location_name'),
  target: column('target'),
  method: column('method'),
  path: column('path'),
  verdict: oneOf('+d.verdict'),
  'verdict-at-arrival': oneOf('coalesce(d.arrival_verdict, +d.verdict)'),
  arrival: oneOf('+d.arrival'),
  repeats: (term, binder) => ({
    sql: `(${textCondition({ ...term, values: term.values.map(inLowerCase) }, criterion, binder)})`,
    cost: 1,
  }),
  own: choice('sent_by'),
  answered: choice('responded_by'),
  via: choice('via'),
  relay: relayed('(SELECT name FROM relay_source AS s WHERE s.relay_id = r.relay_id)'),
  receiver: relayed('r.receiver'),
  handler: (term, binder) => cheap(attemptCondition(term, binder)),
  outcome: oneOf(outcomeSql),
  cause: causeCondition,
  spot: spotCondition,
  zone: names('zone'),
  item: names('items'),
  tab: named('tab'),
  order: orderCondition,
  guest: named('guest'),
  total: number('+d.amount', readNumber),
  created: createdCondition,
  secret: secretCondition,
  number: number('+d.id', readWholeNumber),
  status: number('+d.status', readWholeNumber),
  size: number('+d.bytes', readSize),
  lag: lagCondition,
  since: time('>='),
  before: time('<'),
  until: time('<'),
  endpoint: endpointCondition,
  integration: endpointCondition,
  is: (term) => ({
    sql: `(${term.values.map(({ text }) => markCondition(text.toLowerCase())).join(' OR ')})`,
    cost: 1,
  }),
  finding: findingCondition,
  severity: ({ values }, binder) => ({
    sql: `(${havingFinding(`k.severity IN (${choiceList(values, binder)})`)})`,
    cost: 1,
  }),
  ref: ({ values }, binder) => {
    const ids = values.map(({ text }) => text)
    return { sql: `(+d.id IN (${refArm(ids, binder)}))`, cost: 1 }
  },
  tag: (term, binder) => {
    const tag = textCondition(term, 't.tag', binder)
    return { sql: `(${havingTag(` AND (${tag})`)})`, cost: 1 }
  },
  note: noteCondition,
  header: (term, binder) => ({ sql: `(${headerCondition(term, binder)})`, cost: 3 }),
  contains: (term, binder) => ({ sql: `(${containsCondition(term, binder)})`, cost: 4 }),
  data: (term, binder) => ({ sql: `(${bodyCondition(term, binder)})`, cost: 4 }),
  body: (term, binder) => ({ sql: `(${bodyCondition(term, binder)})`, cost: 4 }),
}

function column(name: string): CreateCondition {
  return (term, binder) => cheap(textCondition(term, `+d.${name}`, binder))
}

/** `expression`: of the row `r` of `relay_delivery`. */
function relayed(expression: string): CreateCondition {
  const value = `(CASE +d.via WHEN 'relay' THEN (SELECT ${expression} FROM relay_delivery AS r WHERE r.delivery_id = d.id) END)`
  return (term, binder) => ({ sql: `(${textCondition(term, value, binder)})`, cost: 1 })
}

function choice(name: string): CreateCondition {
  return (term, binder) =>
    cheap(textCondition({ ...term, values: term.values.map(inLowerCase) }, `+d.${name}`, binder))
}

/** The expression is never NULL. */
function oneOf(expression: string): CreateCondition {
  return ({ values }, binder) => cheap(`${expression} IN (${choiceList(values, binder)})`)
}

function number(expression: string, read: (text: string) => number | null): CreateCondition {
  return (term, binder) => cheap(numberCondition(term, expression, read, binder))
}

function time(operator: '>=' | '<'): CreateCondition {
  return ({ field, values }, binder, context) => {
    const times = values.map(({ text }) => binder.bind(micros(field, text, context)))
    return cheap(times.map((us) => `+d.received_us ${operator} ${us}`).join(' OR '))
  }
}

function noneOr(term: Term, none: string, named: string): string {
  return term.values.some((value) => isNoneOf(term, value)) ? `(${none} OR ${named})` : named
}

function names(column: string): CreateCondition {
  return (term, binder) => {
    const expression = `+d.${column}`
    return cheap(noneOr(term, `${expression} IS NULL`, nameCondition(term, expression, binder)))
  }
}

function named(kind: 'tab' | 'guest'): CreateCondition {
  return (term, binder) => {
    const id = `+d.${kind}_id`
    const tests = [id, known[kind]('d')].map((each) => nameCondition(term, each, binder))
    return { sql: `(${noneOr(term, `${id} IS NULL`, `(${tests.join(' OR ')})`)})`, cost: 1 }
  }
}

function orderCondition(term: Term, binder: Binder): Condition {
  const tests = ['+d.order_id', '+d.order_name'].map((each) => nameCondition(term, each, binder))
  return cheap(noneOr(term, '+d.order_id IS NULL', `(${tests.join(' OR ')})`))
}

function spotCondition(term: Term, binder: Binder): Condition {
  const spot = known.spot('d')
  return { sql: `(${noneOr(term, `${spot} IS NULL`, nameCondition(term, spot, binder))})`, cost: 1 }
}

function createdCondition(term: Term, binder: Binder, context: FilterContext): Condition {
  if (term.values.every((value) => isNoneOf(term, value))) return cheap('+d.created_ms IS NULL')
  const { comparison, at } = ageTest(term, context)
  return cheap(`coalesce(+d.created_ms ${comparison} ${binder.bind(at)}, 0)`)
}

function causeCondition(term: Term, binder: Binder): Condition {
  const named = term.values.filter((value) => !isNoneOf(term, value))
  const code = textCondition({ ...term, values: named }, "json_extract(value, '$.code')", binder)
  const has = `EXISTS (SELECT 1 FROM json_each(d.causes) WHERE ${code || '0'})`
  return {
    sql: `(${noneOr(term, `(coalesce(${failureSql}, 0) AND coalesce(d.causes, '[]') = '[]')`, `(d.causes IS NOT NULL AND coalesce(${failureSql}, 0) AND ${has})`)})`,
    cost: 1,
  }
}

function lagCondition(term: Term, binder: Binder): Condition {
  if (term.values.every((value) => isNoneOf(term, value))) return cheap('+d.created_ms IS NULL')
  const lag = '(nullif(d.received_us, 0) / 1000.0 - d.created_ms)'
  return cheap(numberCondition(term, lag, readDuration, binder))
}

function secretCondition(term: Term, binder: Binder): Condition {
  const name =
    '(CASE WHEN d.arrival_verdict IS NULL THEN (SELECT c.secret_name FROM delivery_content AS c WHERE c.id = d.id) ELSE d.recheck_secret_name END)'
  return { sql: `(${textCondition(term, name, binder)})`, cost: 1 }
}

function endpointCondition(term: Term, binder: Binder, context: FilterContext): Condition {
  const none = term.values.some((value) => isNoneOf(term, value)) ? ['+d.endpoint_id IS NULL'] : []
  const ids =
    term.field === 'endpoint' ? endpointIds(term, context) : integrationEndpointIds(term, context)
  const some = ids.length > 0 ? [`coalesce(+d.endpoint_id IN (${binder.list(ids)}), 0)`] : []
  return cheap([...none, ...some].join(' OR ') || '0')
}

function findingCondition(term: Term, binder: Binder): Condition {
  const named = term.values.filter((value) => !isNoneOf(term, value))
  const none = named.length < term.values.length ? ['+d.findings IS NULL'] : []
  const having =
    named.length > 0
      ? [havingFinding(textCondition({ ...term, values: named }, 'k.code', binder))]
      : []
  return { sql: `(${[...none, ...having].join(' OR ')})`, cost: 1 }
}

function noteCondition({ values }: Term, binder: Binder): Condition {
  const words = values.map((value) => `filter_words(n.note, ${containsParameter(value, binder)})`)
  return {
    sql: `(+d.noted = 1 AND EXISTS (SELECT 1 FROM delivery_note AS n WHERE n.delivery_id = d.id AND (${words.join(' OR ')})))`,
    cost: 1,
  }
}

function inLowerCase(value: FilterValue): FilterValue {
  return { ...value, text: value.text.toLowerCase() }
}

function cheap(sql: string): Condition {
  return { sql: `(${sql})`, cost: 0 }
}

function headerCondition(term: Term, binder: Binder): string {
  const test: HeaderTest = {
    name: term.path.join('').toLowerCase(),
    values: term.values.map(({ text, quoted }) => ({ text, quoted })),
  }
  return `coalesce((SELECT filter_header(c.headers, ${binder.bind(JSON.stringify(test))}) FROM delivery_content AS c WHERE c.id = d.id), 0)`
}

function containsCondition(term: Term, binder: Binder): string {
  const values = binder.bind(
    JSON.stringify(term.values.map(({ text, quoted }) => ({ text, quoted }))),
  )
  return `coalesce((SELECT filter_contains(c.headers, c.trailers, coalesce(substr(c.body, 1, ${searchedBytes}), x''), length(c.body), ${values})
    FROM delivery_content AS c WHERE c.id = d.id), 0)`
}

function bodyCondition(term: Term, binder: Binder): string {
  const { comparison } = term
  const test: BodyTest = {
    path: term.field === 'data' ? ['data', ...term.path] : term.path,
    comparison: comparison === '!=' ? '=' : comparison,
    values: term.values.map(({ text, quoted }) => ({ text, quoted })),
  }
  return `coalesce((SELECT ${unlessKeyMissing(term.path.at(-1) ?? '', binder)} filter_body(c.id, c.body, ${binder.bind(JSON.stringify(test))}) END
    FROM delivery_content AS c WHERE c.id = d.id), 0)`
}

/** Skips parsing of most bodies: one with the key contains it in quotation marks, or escaped with a backslash. */
function unlessKeyMissing(key: string, binder: Binder): string {
  const quoted = JSON.stringify(key)
  if (quoted.includes('\\')) return 'CASE WHEN 1 THEN'
  const bytes = binder.bind(Buffer.from(quoted))
  return `CASE WHEN instr(c.body, ${bytes}) = 0 AND instr(c.body, x'5c') = 0 THEN 0 ELSE`
}
