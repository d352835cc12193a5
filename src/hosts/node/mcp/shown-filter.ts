import { eventTypes } from '#catalogue/catalogue.ts'
import {
  type FieldRule,
  harmlessFields,
  type HarmlessField,
  isDocumentedKey,
  isTypeName,
} from '#catalogue/harmless.ts'
import type { Filter, FilterValue } from '#contract/filter/ast.ts'
import { isNone } from '#contract/filter/check.ts'
import { fieldOf } from '#contract/filter/fields.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { printFilter } from '#contract/filter/print.ts'
import { type AliasSeries, aliasesIn } from '#engine/payload/masking/aliases.ts'
import { isPlainText } from '#engine/payload/masking/text.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { MaskedRecords } from './records.ts'

/*
 * A filter of an assistant must not answer questions about values that are masked: with wildcards, some hundred of them read a value completely. So each
 * term compares what is never masked, or is an alias of an answer. A documented field of a body is never masked in a delivery that is as documented, so its
 * term has a guard: of other deliveries, it says nothing.
 */

type Term = Extract<Filter, { kind: 'field' }>
type Known = Pick<MaskedRecords, 'isMasked' | 'originalOf'>

const maxLength = 4000

/** For the engine, with the values of aliases. Throws `bad_filter` with a sentence that says what can be searched instead. */
export function readShownFilter(text: string, records: Known): string {
  const parsed = parseFilter(text)
  if (!parsed.ok) refuse(parsed.error.message)
  const printed = printFilter(translate(parsed.filter, false, records))
  if (printed.length > maxLength || !parseFilter(printed).ok) refuse('The filter is too long.')
  return printed
}

function refuse(message: string): never {
  throw new AppError('bad_filter', message)
}

function translate(filter: Filter, negated: boolean, records: Known): Filter {
  switch (filter.kind) {
    case 'all':
      return filter
    case 'and':
    case 'or':
      return { ...filter, parts: filter.parts.map((part) => translate(part, negated, records)) }
    case 'not':
      return { ...filter, part: translate(filter.part, !negated, records) }
    case 'text':
      return refuse(`Text cannot be searched, since most values are masked. ${searchable}`)
    case 'field':
      return fieldTerm(filter, negated, records)
  }
}

/** Tabscope computes them, or they are the same few words for all senders. */
const openFields = new Set([
  'verdict',
  'verdict-at-arrival',
  'finding',
  'severity',
  'number',
  'status',
  'handler',
  'outcome',
  'cause',
  'lag',
  'created',
  'since',
  'before',
  'until',
  'is',
  'repeats',
  'own',
  'answered',
  'via',
  'arrival',
])

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text)

const openValues: Readonly<Record<string, (text: string) => boolean>> = {
  type: isTypeName,
  endpoint: isNumber,
  integration: isNumber,
  secret: (text) => /^(?:current|previous|none)$/.test(text),
  method: (text) => /^(?:GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH)$/.test(text),
}

const aliasFields: Readonly<Record<string, readonly AliasSeries[]>> = {
  target: ['uuid', 'id'],
  location: ['location'],
  ref: ['uuid', 'id'],
}

const seriesOfRule: Readonly<Partial<Record<FieldRule, readonly AliasSeries[]>>> = {
  id: ['uuid', 'id'],
  location: ['location'],
  name: ['name'],
  handle: ['email', 'phone', 'handle'],
}

const elsewhere: Readonly<Record<string, string>> = {
  type: 'Only names of types, in capital letters, can be searched, as in type:ORDER_PLACED.',
  method: 'Only standard methods can be searched, as in method:POST.',
  relay: 'Names of relays are masked. Search for via:relay.',
  receiver: 'Names of receivers are masked. Search for via:relay.',
  secret: 'Names of secrets are masked. Write secret:current, secret:previous or secret:none.',
  endpoint: 'Names of endpoints are masked. Write the ID from the tool status, as in endpoint:1.',
  integration: 'Names of integrations are masked. Write the ID, as in integration:1.',
}

const shownRules: readonly FieldRule[] = ['amount', 'flag', 'text', 'product']

const shownFields = eventTypes.flatMap(({ type, data }) =>
  data.flatMap(({ key }) => {
    const rule = fieldAt(type, ['data', key])?.rule
    return rule && shownRules.includes(rule) ? `data.${key}` : []
  }),
)

const searchable = `Search for ${[...openFields].join(', ')}, type, endpoint, method, with an alias for ${Object.keys(aliasFields).join(', ')}, or for fields that are never masked: ${[...new Set(shownFields)].join(', ')}.`

function fieldTerm(term: Term, negated: boolean, records: Known): Filter {
  const { field, values } = term
  // It is the time since then.
  if (['lag', 'created'].includes(field) && records.isMasked('body.createdAt')) {
    refuse(`The values of ${field} are masked, as the user has selected.`)
  }
  if (openFields.has(field)) return term
  const isOpen = openValues[field]
  if (isOpen && values.every((value) => isNoneOf(term, value) || isOpen(value.text))) return term
  const series = aliasFields[field]
  if (series) return { ...term, values: originalsOf(term, series, records) }
  if (field === 'data' || field === 'body') return bodyTerm(term, negated, records)
  refuse(elsewhere[field] ?? `${field} cannot be searched here. ${searchable}`)
}

function isNoneOf(term: Term, value: FilterValue): boolean {
  const field = fieldOf(term.field)
  return field !== undefined && isNone(field, value)
}

function originalsOf(term: Term, series: readonly AliasSeries[], records: Known): FilterValue[] {
  return term.values.map((value): FilterValue => {
    if (isNoneOf(term, value)) return value
    const [alias = ''] = aliasesIn(value.text)
    // As it is shown: with the brackets, spaces or plus sign of its value, and marks of what is unusual in it.
    const [before = '', after = ''] = value.text.split(alias)
    const isAlone = /^[\s"'{}()[\]<>+@]*$/.test(before) && !/[\w.:/-]/.test(after)
    if (!series.some((each) => alias.startsWith(`${each} `)) || !isAlone) {
      const name = [term.field, ...term.path].join('.')
      refuse(
        `The values of ${name} are masked. Write an alias from an answer in quotation marks: ${name}:"${series[0]} 7"`,
      )
    }
    const original = records.originalOf(alias)
    if (original === null) {
      refuse(`No answer of this connection had the alias "${alias}". Use one from an answer.`)
    }
    const around = after.replaceAll(/[^ "'{}()[\]<>+@]/g, '')
    return { ...value, text: before + original + around, quoted: true }
  })
}

function bodyTerm(term: Term, negated: boolean, records: Known): Filter {
  const path = term.field === 'data' ? ['data', ...term.path] : term.path
  const name = path.join('.')
  const isPresence = term.values.some(({ text, quoted }) => text === '*' && !quoted)
  // Documented keys are never masked.
  if (isPresence && path.every((key) => isDocumentedKey(key))) return term
  if (records.isMasked(path[0] === 'data' ? name : `body.${name}`)) {
    refuse(`The values of ${name} are masked, as the user has selected.`)
  }
  const fields = eventTypes.map(({ type }) => ({ type, field: fieldAt(type, path) }))
  const shown = fields.filter(({ type, field }) => field && isShown(type, field, term))
  if (shown.length > 0) return guarded(term, negated, shown)
  const aliased = fields.filter(({ field }) => field && seriesOfRule[field.rule])
  const series = aliased.flatMap(({ field }) => (field && seriesOfRule[field.rule]) ?? [])
  if (series.length === 0 || !'=!='.includes(term.comparison)) {
    refuse(`These values of ${name} are masked, or may be. ${searchable}`)
  }
  const values = originalsOf(term, series, records)
  return guarded({ ...term, values }, negated, aliased)
}

function fieldAt(type: string, [first = '', ...rest]: readonly string[]): HarmlessField | null {
  let field = harmlessFields(type).get(first)
  for (const key of rest) field = field?.inside?.get(key)
  return field ?? null
}

/** Whether a body of this type, if it is as documented, shows all values that match. */
function isShown(
  type: string,
  { rule, known }: HarmlessField,
  { values, comparison }: Term,
): boolean {
  const isExact = comparison === '=' || comparison === '!='
  return values.every(({ text, quoted }) => {
    switch (rule) {
      case 'amount':
        return !quoted && /^-?\d{1,7}(?:\.\d{1,4})?$/.test(text)
      case 'flag':
        return isExact && !quoted && /^(?:true|false)$/.test(text)
      case 'type':
        return isExact && (isTypeName(text) || known.includes(text))
      case 'text':
      case 'product':
        return (
          isExact &&
          (quoted || !text.includes('*')) &&
          isPlainText(text) &&
          // A text that contains the name of a guest of the same delivery is masked. Names have three characters or more.
          (!namesGuest(type) || text.toLowerCase().length <= 3)
        )
      default:
        return false
    }
  })
}

function namesGuest(type: string): boolean {
  const data = harmlessFields(type).get('data')?.inside?.values() ?? []
  return [...data].some(({ rule }) => rule === 'name' || rule === 'handle')
}

/** Only deliveries of these types, without a finding after which the value may be masked: a broken body, a key twice, or a value of another type. */
function guarded(
  term: Term,
  negated: boolean,
  fields: readonly { type: string; field: HarmlessField | null }[],
): Filter {
  const { from, to } = term
  const valueOf = (text: string): FilterValue => ({ text, quoted: false, from, to })
  const fieldIs = (field: string, ...texts: readonly string[]): Filter => ({
    kind: 'field',
    field,
    path: [],
    comparison: '=',
    values: texts.map((text) => valueOf(text)),
    from,
    to,
  })
  const deviates = fieldIs('finding', 'body.*', '*.field_type', 'findings.more')
  const bounds = fields.some(({ field }) => field?.rule === 'amount')
    ? [
        { ...term, comparison: '<' as const, values: [valueOf('10000000')] },
        { ...term, comparison: '>' as const, values: [valueOf('-10000000')] },
      ]
    : []
  const parts: readonly Filter[] = [
    fieldIs('type', ...fields.map(({ type }) => type)),
    { kind: 'not', part: deviates, from, to },
    ...bounds,
  ]
  if (!negated) return { kind: 'and', parts: [...parts, term], from, to }
  const others: Filter = { kind: 'not', part: { kind: 'and', parts, from, to }, from, to }
  return { kind: 'or', parts: [term, others], from, to }
}
