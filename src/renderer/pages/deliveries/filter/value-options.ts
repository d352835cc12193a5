import { eventTypes } from '#catalogue/catalogue.ts'
import { causeTitles } from '#catalogue/cause-titles.ts'
import type { DataField } from '#catalogue/define.ts'
import { findingCodes } from '#catalogue/findings.ts'
import { suggestedFields } from '#contract/constants.ts'
import type { SavedFilter } from '#contract/deliveries.ts'
import { type FilterField, fieldOf } from '#contract/filter/fields.ts'
import { printLiteral } from '#contract/filter/print.ts'
import type { CallInput } from '#contract/calls.ts'

/** A request for values of a field that start with a prefix. */
export type SuggestionRequest = Omit<CallInput<'filters.suggest'>, 'log'>

export interface Suggested {
  readonly request: SuggestionRequest
  readonly values: readonly string[]
}

/** Values from the store that complete a filter, in addition to those of the filter language and the API documentation. */
export interface CompletionContext {
  readonly unknownTypes: readonly string[]
  readonly endpoints: readonly string[]
  readonly integrations: readonly string[]
  readonly saved: readonly SavedFilter[]
  readonly recent: readonly string[]
  readonly suggested: Suggested | null
}

export interface Completion {
  /** The displayed text: a field with its colon, a value, or the name of a saved filter. */
  readonly label: string
  readonly note: string
  /** The text that replaces the span. */
  readonly insert: string
  readonly kind: 'field' | 'value' | 'term' | 'saved' | 'recent'
}

type SuggestedField = (typeof suggestedFields)[number]

interface Values {
  readonly options: Completion[]
  /** The field whose values to request from the engine as well. */
  readonly ask: SuggestedField | null
}

/** Returns values that can follow `field:` and a comparison, and that contain `prefix` (in lower case). */
export function valueOptions(
  field: string,
  prefix: string,
  operator: string,
  context: CompletionContext,
): Values {
  const known = fieldOf(field)
  if (!known) return { options: dataValues(field, prefix, operator), ask: null }
  const fixed = fixedValues(known, prefix, operator, context)
  const ask = suggestedFieldOf(known.name, operator)
  const suggested =
    ask !== null && context.suggested?.request.field === ask ? context.suggested.values : []
  const seen = suggested.map((text) => value(text, known.kind === 'header' ? 'header' : 'seen'))
  const none = known.none === null ? [] : [plain('none', known.none)]
  const options = [...fixed, ...seen, ...none]
  const unique = options.filter(
    (option, index) => options.findIndex(({ insert }) => insert === option.insert) === index,
  )
  const byTitle = prefix.length > 2 && ['type', 'finding', 'cause'].includes(known.name)
  return { options: matchPrefix(unique, prefix, byTitle), ask }
}

function suggestedFieldOf(name: string, operator: string): SuggestedField | null {
  if (name === 'header' && operator !== '') return null
  return suggestedFields.find((field) => field === name) ?? null
}

/** `byTitle`: also by words of the note, which is a title. */
function matchPrefix(options: readonly Completion[], prefix: string, byTitle = false) {
  const starts = ({ label }: Completion) => Number(label.toLowerCase().startsWith(prefix))
  return options
    .filter(({ label, note }) => `${label} ${byTitle ? note : ''}`.toLowerCase().includes(prefix))
    .toSorted((a, b) => starts(b) - starts(a))
}

function value(text: string, note: string): Completion {
  return { label: text, note, insert: printLiteral(text), kind: 'value' }
}

function plain(text: string, note: string): Completion {
  return { label: text, note, insert: text, kind: 'value' }
}

function fixedValues(
  field: FilterField,
  prefix: string,
  operator: string,
  context: CompletionContext,
): Completion[] {
  const words = field.choices.map(({ value, meaning }) => plain(value, meaning))
  if (field.kind === 'choice') return words
  if (words.length > 0) {
    return [...(isOrdered(operator) ? [] : words), ...examples(field, prefix, operator)]
  }
  switch (field.name) {
    case 'type':
      return [
        ...eventTypes.map(({ type, label }) => value(type, label)),
        ...context.unknownTypes.map((type) => value(type, 'not documented')),
      ]
    case 'finding':
      return findingCodes.map(({ code, title }) => value(code, title))
    case 'cause':
      return Object.entries(causeTitles).map(([code, title]) => value(code, title))
    case 'endpoint':
      return context.endpoints.map((name) => value(name, 'endpoint'))
    case 'integration':
      return context.integrations.map((name) => value(name, 'integration'))
    default:
      return examples(field, prefix, operator)
  }
}

function isOrdered(operator: string): boolean {
  return operator.startsWith('<') || operator.startsWith('>')
}

function examples({ kind }: FilterField, prefix: string, operator: string): Completion[] {
  const number = /^\d+(?:\.\d+)?/.exec(prefix)?.[0]
  switch (kind) {
    case 'age':
      return compared(operator, ['1h', '24h', 'today'], 'the creation time')
    case 'time':
      return number === undefined
        ? times.map(([text, note]) => plain(text, note))
        : units(number, durations).map(({ note, insert }) => plain(insert, `${number} ${note} ago`))
    case 'duration':
      return number === undefined
        ? compared(operator, ['100ms', '1s', '5s', '1m'], 'a duration')
        : units(number, durations)
    case 'size':
      return number === undefined
        ? compared(operator, ['1kb', '10kb', '100kb', '1mb'], 'a size')
        : units(number, sizes)
    case 'amount':
      return compared(operator, ['20', '100'], 'an amount')
    case 'number':
      return compared(operator, ['400', '500'], 'a status')
    default:
      return []
  }
}

const times = [
  ['15m', 'the last 15 minutes'],
  ['1h', 'the last hour'],
  ['24h', 'the last 24 hours'],
  ['7d', 'the last 7 days'],
  ['today', 'midnight today'],
  ['yesterday', 'midnight yesterday'],
  ['monday', 'midnight on the last Monday'],
] as const

const durations = [
  ['ms', 'milliseconds'],
  ['s', 'seconds'],
  ['min', 'minutes'],
  ['h', 'hours'],
  ['d', 'days'],
] as const

const sizes = [
  ['b', 'bytes'],
  ['kb', 'thousand bytes'],
  ['mb', 'million bytes'],
  ['kib', '1024 bytes'],
  ['mib', '1024 times 1024 bytes'],
] as const

function units(number: string, names: readonly (readonly [string, string])[]): Completion[] {
  return names.map(([unit, note]) => plain(`${number}${unit}`, note))
}

/** After a comparison only the amounts, else with `>` and `<`. */
function compared(operator: string, amounts: readonly string[], what: string): Completion[] {
  return operator === ''
    ? amounts.flatMap((amount) => [
        plain(`>${amount}`, `${what} above`),
        plain(`<${amount}`, `${what} below`),
      ])
    : amounts.map((amount) => plain(amount, what))
}

const dataFields: ReadonlyMap<string, DataField> = new Map(
  eventTypes.flatMap(({ data }) => data.map((field) => [`data.${field.key}`, field])),
)

/** Documented fields of `data`, offered once `data.` is typed. */
export function dataPaths(request: string): Completion[] {
  if (!request.startsWith('data.')) return []
  return [...dataFields]
    .filter(([path]) => path.toLowerCase().startsWith(request))
    .map(([path, { description }]) => ({
      label: `${path}:`,
      note: description.replaceAll('`', ''),
      insert: `${path}:`,
      kind: 'field',
    }))
}

function dataValues(path: string, prefix: string, operator: string): Completion[] {
  const field = dataFields.get(path)
  if (!field || operator.length > 1) return []
  switch (field.type) {
    case 'boolean':
      return matchPrefix(
        [plain('true', 'as JSON writes it'), plain('false', 'as JSON writes it')],
        prefix,
      )
    case 'number':
      return operator === '' ? matchPrefix(compared('', ['0', '100'], 'a number'), prefix) : []
    case 'string':
      return matchPrefix(
        (field.known ?? []).map((text) => value(text, 'documented')),
        prefix,
      )
    case 'string[]':
    case 'object':
      return []
  }
}
