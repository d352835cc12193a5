import { unknownTime } from '#contract/constants.ts'
import { isAccepted, isFailure, outcomeOf } from '#catalogue/outcome.ts'
import { severityOf } from '#catalogue/findings.ts'
import { isOrder } from '#contract/filter/check.ts'
import { readDuration, readNumber, readSize, readWholeNumber } from '#contract/filter/values.ts'
import {
  ageTest,
  bodyTest,
  compares,
  containsTest,
  headerTest,
  nameTest,
  wildcard,
  endpointIds,
  type FilterContext,
  integrationEndpointIds,
  isNoneOf,
  micros,
  piecesOf,
  type Term,
} from '#engine/search/matching.ts'
import type { Subject } from './subject.ts'

export type PageContext = Pick<FilterContext, 'asOf' | 'endpoints'>

export interface Test {
  readonly passes: (subject: Subject) => boolean
  /** Whether the test reads headers or body. */
  readonly readsContent: boolean
}

type Row = Subject['row']

/** Fields whose value is a text, which may contain wildcards. */
const textFields: Readonly<Record<string, (row: Row) => string | null>> = {
  type: (row) => row.type,
  location: (row) => row.locationName,
  target: (row) => row.target,
  method: (row) => row.method,
  path: (row) => row.path,
  secret: (row) => row.secretName,
  relay: (row) => row.relay?.name ?? null,
  receiver: (row) => row.relay?.receiver ?? null,
}

/** Fields whose value is a name: of it, any may match. Empty: none. */
const nameFields: Readonly<Record<string, (row: Row) => readonly (string | null | undefined)[]>> = {
  spot: ({ facts }) => [facts?.spot],
  zone: ({ facts }) => [facts?.zone],
  item: ({ facts }) => facts?.items ?? [],
  tab: ({ facts }) => [facts?.tab?.id, facts?.tab?.name],
  order: ({ facts }) => [facts?.order?.id, facts?.order?.name],
  guest: ({ facts }) => [facts?.guest?.id, facts?.guest?.name],
}

/** Fields whose value is one of a few words. */
const choiceFields: Readonly<Record<string, (row: Row) => string | null>> = {
  verdict: (row) => row.verdict,
  outcome: outcomeOf,
  'verdict-at-arrival': (row) => row.recheck?.verdictAtArrival ?? row.verdict,
  arrival: (row) => row.arrival,
  repeats: (row) => row.duplicateOf?.by ?? null,
  own: (row) => row.sentBy,
  answered: (row) => row.respondedBy,
  via: (row) => row.via,
}

/** Compiles a term without its negation (`!=`). Equivalent to Tabscope's SQL (`search/term-condition`). */
export function termTest(term: Term, world: PageContext): Test {
  const [asText, asChoice] = [textFields[term.field], choiceFields[term.field]]
  const asNames = nameFields[term.field]
  if (asNames) return ofRow(namesTest(term), asNames)
  if (asText) return ofRow(textTest(term), asText)
  if (asChoice) return ofRow(choiceTest(term), asChoice)
  return rowTest(term, world) ?? contentTest(term)
}

/** Compiles a term of a field that is read from the row; null for any other field. */
function rowTest(term: Term, world: PageContext): Test | null {
  const { values } = term
  const texts = values.map(({ text }) => text)
  switch (term.field) {
    case 'handler':
      return cheap(attemptTest(term))
    case 'number':
      return ofRow(numberTest(term, readWholeNumber), (row) => row.id)
    case 'status':
      return ofRow(numberTest(term, readWholeNumber), (row) => row.status)
    case 'size':
      return ofRow(numberTest(term, readSize), (row) => row.bytes)
    case 'lag':
      return ofRow(numberTest(term, readDuration), (row) =>
        row.createdAt === null || row.receivedAt === unknownTime
          ? null
          : row.receivedAt - row.createdAt,
      )
    case 'since': {
      const from = Math.min(...texts.map((text) => micros(term.field, text, world)))
      return cheap(({ row }) => receivedUs(row.receivedAt) >= from)
    }
    case 'created': {
      const { comparison, at } = ageTest(term, world)
      if (!isOrder(comparison)) return cheap(({ row }) => row.createdAt === null)
      return cheap(({ row }) => row.createdAt !== null && compares(row.createdAt, comparison, at))
    }
    case 'total':
      return ofRow(numberTest(term, readNumber), (row) => row.facts?.amount ?? null)
    case 'cause': {
      const none = values.some((value) => isNoneOf(term, value))
      const one = textTest({ ...term, values: values.filter((value) => !isNoneOf(term, value)) })
      return cheap(({ row }) => {
        if (row.causes !== null && row.causes.length > 0)
          return row.causes.some(({ code }) => one(code))
        return none && isFailure(row.verdict, row.lastAttempt?.status ?? null)
      })
    }
    case 'before':
    case 'until': {
      const to = Math.max(...texts.map((text) => micros(term.field, text, world)))
      return cheap(({ row }) => receivedUs(row.receivedAt) < to)
    }
    case 'endpoint':
    case 'integration': {
      const none = values.some((value) => isNoneOf(term, value))
      const ids = new Set(
        term.field === 'endpoint' ? endpointIds(term, world) : integrationEndpointIds(term, world),
      )
      return cheap(({ row }) => (row.endpointId === null ? none : ids.has(row.endpointId)))
    }
    case 'is': {
      const marks = texts.map((text) => text.toLowerCase())
      return cheap((subject) => marks.some((mark) => hasMark(subject, mark)))
    }
    case 'finding': {
      const none = values.some((value) => isNoneOf(term, value))
      const one = textTest({ ...term, values: values.filter((value) => !isNoneOf(term, value)) })
      return cheap(({ row: { findings } }) =>
        findings.length === 0 ? none : findings.some(({ code }) => one(code)),
      )
    }
    case 'severity': {
      const one = choiceTest(term)
      return cheap(({ row }) => row.findings.some((finding) => one(severityOf(finding))))
    }
    case 'tag': {
      const one = textTest(term)
      return cheap(({ row }) => row.tags.some(one))
    }
    default:
      return null
  }
}

/** Compiles a term of a field that is read from the headers, the body or the note. */
function contentTest(term: Term): Test {
  const { values } = term
  const texts = values.map(({ text }) => text)
  switch (term.field) {
    case 'note': {
      const test = wordsTest(term)
      return dear(({ row, note }) => row.noted && test(note))
    }
    case 'ref':
      return dear(({ ids }) => texts.some((text) => ids.has(text)))
    case 'header': {
      const test = headerTest({ name: term.path.join('').toLowerCase(), values })
      return dear(({ headers }) => test(headers))
    }
    case 'contains': {
      const test = containsTest(values)
      return dear(({ texts }) => texts.some(test))
    }
    case 'data':
    case 'body': {
      const { comparison } = term
      const test = bodyTest({
        path: term.field === 'data' ? ['data', ...term.path] : term.path,
        comparison: comparison === '!=' ? '=' : comparison,
        values,
      })
      return dear(({ json }) => test(json))
    }
    default:
      throw new Error(`the field ${term.field} is not known to this page`)
  }
}

/** Status of the last attempt; 0 means no response. */
function attemptTest(term: Term): Test['passes'] {
  const { comparison, values } = term
  const [first] = values
  const statusIs = numberTest({ ...term, values: first ? [first] : [] }, readWholeNumber)
  if (isOrder(comparison)) return ({ row }) => statusIs(row.lastAttempt?.status ?? null)
  const ones = values.map((value): Test['passes'] => {
    if (isNoneOf(term, value)) return ({ row }) => row.lastAttempt === null
    switch (value.text.toLowerCase()) {
      case 'ok':
        return ({ row }) => row.lastAttempt !== null && isAccepted(row.lastAttempt.status)
      case 'failed':
        return ({ row }) => row.lastAttempt !== null && !isAccepted(row.lastAttempt.status)
      case 'no_response':
        return ({ row }) => row.lastAttempt !== null && row.lastAttempt.status === null
      default: {
        const status = readWholeNumber(value.text)
        return ({ row }) => row.lastAttempt !== null && row.lastAttempt.status === status
      }
    }
  })
  return (subject) => ones.some((one) => one(subject))
}

function namesTest(term: Term): (found: readonly (string | null | undefined)[]) => boolean {
  const none = term.values.some((value) => isNoneOf(term, value))
  const tests = term.values
    .filter((value) => !isNoneOf(term, value))
    .map((value) => nameTest(piecesOf(value)))
  return (found) => {
    const names = found.filter((name) => typeof name === 'string')
    return names.length === 0 ? none : names.some((name) => tests.some((test) => test(name)))
  }
}

function hasMark({ row }: Subject, mark: string): boolean {
  switch (mark) {
    case 'duplicate':
      return row.duplicateOf !== null
    case 'pinned':
      return row.pinned
    case 'noted':
      return row.noted
    case 'tagged':
      return row.tags.length > 0
    case 'answered':
      return row.status !== null
    default:
      return row.status === null
  }
}

/** Converts milliseconds back to whole microseconds. */
export function receivedUs(receivedAt: number): number {
  return Math.round(receivedAt * 1000)
}

function ofRow<T>(test: (found: T) => boolean, of: (row: Row) => T): Test {
  return cheap(({ row }) => test(of(row)))
}

function cheap(passes: Test['passes']): Test {
  return { passes, readsContent: false }
}

function dear(passes: Test['passes']): Test {
  return { passes, readsContent: true }
}

/** Matches one of the values exactly or with `*`, or null for `none`. */
function textTest(term: Term): (found: string | null) => boolean {
  const none = term.values.some((value) => isNoneOf(term, value))
  const tests = term.values
    .filter((value) => !isNoneOf(term, value))
    .map((value) => wildcard(piecesOf(value)))
  return (found) => (found === null ? none : tests.some((test) => test(found)))
}

/** Matches one of the choices of a field (case-insensitive). */
function choiceTest(term: Term): (found: string | null) => boolean {
  const none = term.values.some((value) => isNoneOf(term, value))
  const words = new Set(term.values.map(({ text }) => text.toLowerCase()))
  return (found) => (found === null ? none : words.has(found))
}

/** Compares with the values as parsed by `read`; null for `none`. */
function numberTest(
  term: Term,
  read: (text: string) => number | null,
): (found: number | null) => boolean {
  const none = term.values.some((value) => isNoneOf(term, value))
  const numbers = term.values
    .filter((value) => !isNoneOf(term, value))
    .map(({ text }) => read(text))
    .filter((number) => number !== null)
  const [first = 0] = numbers
  const { comparison } = term
  if (isOrder(comparison)) return (found) => found !== null && compares(found, comparison, first)
  return (found) => (found === null ? none : numbers.includes(found))
}

/** Matches text that contains one of the values (case-insensitive). */
function wordsTest(term: Term): (found: string) => boolean {
  const tests = term.values.map((value) =>
    wildcard(['', ...piecesOf(value).map((piece) => piece.toLowerCase()), '']),
  )
  return (found) => tests.some((test) => test(found.toLowerCase()))
}
