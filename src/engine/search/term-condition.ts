import type { FilterValue } from '#contract/filter/ast.ts'
import { readDuration, readSize, readWholeNumber } from '#contract/filter/values.ts'
import { refArm, attemptCondition } from './candidate.ts'
import {
  type Binder,
  type Condition,
  choiceList,
  havingFinding,
  havingTag,
  markCondition,
  numberCondition,
  textCondition,
  containsParameter,
} from './sql.ts'
import {
  endpointIds,
  type FilterContext,
  integrationEndpointIds,
  isNoneOf,
  micros,
  type Term,
  type BodyTest,
  type HeaderTest,
} from './matching.ts'
import { searchedBytes } from './indexer/limits.ts'

/** The condition of a term on its values. The caller adds `NOT` for `!=`. */
export function termCondition(term: Term, binder: Binder, context: FilterContext): Condition {
  const { values } = term
  const texts = values.map(({ text }) => text)
  const column = (name: string): Condition => cheap(textCondition(term, `+d.${name}`, binder))
  const choice = (name: string): Condition =>
    cheap(textCondition({ ...term, values: values.map(inLowerCase) }, `+d.${name}`, binder))
  switch (term.field) {
    case 'type':
      return column('type')
    case 'location':
      return column('location_name')
    case 'target':
      return column('target')
    case 'method':
      return column('method')
    case 'path':
      return column('path')
    case 'verdict':
      return cheap(`+d.verdict IN (${choiceList(values, binder)})`)
    case 'verdict-at-arrival':
      return cheap(`coalesce(d.arrival_verdict, +d.verdict) IN (${choiceList(values, binder)})`)
    case 'arrival':
      return cheap(`+d.arrival IN (${choiceList(values, binder)})`)
    case 'repeats':
      return choice('repeats_by')
    case 'own':
      return choice('own')
    case 'answered':
      return choice('answered_by')
    case 'via':
      return choice('via')
    case 'attempt':
      return cheap(attemptCondition(term, binder))
    case 'secret': {
      const name =
        '(CASE WHEN d.arrival_verdict IS NULL THEN (SELECT c.secret_name FROM captured_content AS c WHERE c.id = d.id) ELSE d.recheck_secret_name END)'
      return { sql: `(${textCondition(term, name, binder)})`, cost: 1 }
    }
    case 'status':
      return cheap(numberCondition(term, '+d.status', readWholeNumber, binder))
    case 'size':
      return cheap(numberCondition(term, '+d.bytes', readSize, binder))
    case 'lag': {
      if (values.every((value) => isNoneOf(term, value))) return cheap('+d.created_ms IS NULL')
      const lag = '(d.received_us / 1000.0 - d.created_ms)'
      return cheap(numberCondition(term, lag, readDuration, binder))
    }
    case 'since':
      return cheap(
        texts.map((text) => `+d.received_us >= ${binder.bind(micros(text, context))}`).join(' OR '),
      )
    case 'before':
      return cheap(
        texts.map((text) => `+d.received_us < ${binder.bind(micros(text, context))}`).join(' OR '),
      )
    case 'endpoint':
    case 'integration': {
      const none = values.some((value) => isNoneOf(term, value)) ? ['+d.endpoint_id IS NULL'] : []
      const ids =
        term.field === 'endpoint'
          ? endpointIds(term, context)
          : integrationEndpointIds(term, context)
      const some = ids.length > 0 ? [`coalesce(+d.endpoint_id IN (${binder.list(ids)}), 0)`] : []
      return cheap([...none, ...some].join(' OR ') || '0')
    }
    case 'is':
      return {
        sql: `(${texts.map((text) => markCondition(text.toLowerCase())).join(' OR ')})`,
        cost: 1,
      }
    case 'finding': {
      const without = values.some((value) => isNoneOf(term, value)) ? ['+d.findings IS NULL'] : []
      const some = values.filter((value) => !isNoneOf(term, value))
      const having =
        some.length > 0
          ? [havingFinding(textCondition({ ...term, values: some }, 'k.code', binder))]
          : []
      return { sql: `(${[...without, ...having].join(' OR ')})`, cost: 1 }
    }
    case 'severity':
      return { sql: `(${havingFinding(`k.severity IN (${choiceList(values, binder)})`)})`, cost: 1 }
    case 'ref':
      return { sql: `(+d.id IN (${refArm(texts, binder)}))`, cost: 1 }
    case 'tag': {
      const tag = textCondition(term, 't.tag', binder)
      return { sql: `(${havingTag(` AND (${tag})`)})`, cost: 1 }
    }
    case 'note': {
      const words = values.map(
        (value) => `filter_words(n.note, ${containsParameter(value, binder)})`,
      )
      return {
        sql: `(+d.noted = 1 AND EXISTS (SELECT 1 FROM delivery_note AS n WHERE n.delivery_id = d.id AND (${words.join(' OR ')})))`,
        cost: 1,
      }
    }
    case 'header':
      return { sql: `(${headerCondition(term, binder)})`, cost: 3 }
    case 'contains':
      return { sql: `(${containsCondition(term, binder)})`, cost: 4 }
    case 'data':
    case 'body':
      return { sql: `(${bodyCondition(term, binder)})`, cost: 4 }
    default:
      throw new Error(`the field ${term.field} has no condition`)
  }
}

function inLowerCase(value: FilterValue): FilterValue {
  return { ...value, text: value.text.toLowerCase() }
}

/** A condition on the row's own columns. */
function cheap(sql: string): Condition {
  return { sql: `(${sql})`, cost: 0 }
}

/** The delivery has the header, with one of the values if there are any. */
function headerCondition(term: Term, binder: Binder): string {
  const test: HeaderTest = {
    name: term.path.join('').toLowerCase(),
    values: term.values.map(({ text, quoted }) => ({ text, quoted })),
  }
  return `coalesce((SELECT filter_header(c.head, c.headers, ${binder.bind(JSON.stringify(test))}) FROM captured_content AS c WHERE c.id = d.id), 0)`
}

/** The headers or the searchable part of the body contain one of the values. */
function containsCondition(term: Term, binder: Binder): string {
  const values = binder.bind(
    JSON.stringify(term.values.map(({ text, quoted }) => ({ text, quoted }))),
  )
  return `coalesce((SELECT filter_contains(c.head, c.headers, c.trailers, coalesce(substr(c.body, 1, ${searchedBytes}), x''), length(c.body), ${values})
    FROM captured_content AS c WHERE c.id = d.id), 0)`
}

/** The body has one of the values at a path. */
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

/** Skips parsing of most bodies: a body with the key contains it in quotation marks, or escaped with a backslash. */
function unlessKeyMissing(key: string, binder: Binder): string {
  const quoted = JSON.stringify(key)
  if (quoted.includes('\\')) return 'CASE WHEN 1 THEN'
  const bytes = binder.bind(Buffer.from(quoted))
  return `CASE WHEN instr(c.body, ${bytes}) = 0 AND instr(c.body, x'5c') = 0 THEN 0 ELSE`
}
