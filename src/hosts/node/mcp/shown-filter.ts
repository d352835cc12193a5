import { eventTypes } from '#catalogue/catalogue.ts'
import { harmlessFields, isDocumentedKey, isTypeName } from '#catalogue/harmless.ts'
import type { Filter, FilterValue } from '#contract/filter/ast.ts'
import { isNone } from '#contract/filter/check.ts'
import { fieldOf } from '#contract/filter/fields.ts'
import { isSearchable, parseFilter } from '#contract/filter/parse.ts'
import { printFilter } from '#contract/filter/print.ts'
import { aliasesIn } from '#engine/masking/aliases.ts'
import { AppError } from '#engine/platform/errors.ts'
import {
  type Comparison,
  isObject,
  leaves,
  type MaskedRecords,
  type Pair,
  valuesAt,
} from './records.ts'

/**
 * A filter of an assistant. It must not answer questions about values that are masked: with wildcards, some hundred of them read a value completely.
 * Therefore each term is one of three kinds: it compares what is never masked; or a value that may be masked, and a delivery in which it is masked is not
 * found; or words and aliases, which must be in the masked delivery.
 */
export interface ShownFilter {
  /** For the engine, with the values of aliases. */
  readonly text: string
  /** Whether a delivery that the engine has found may be returned. Null: all of them. */
  readonly isShown: ((delivery: Comparison) => boolean) | null
}

type Term = Extract<Filter, { kind: 'field' }>
type Text = Extract<Filter, { kind: 'text' }>

/** `matches`: in the masked delivery, too; `open`: the engine decides by what is not masked; `masked`: it may decide by what is. */
type Outcome = 'matches' | 'open' | 'masked'
type Check = (delivery: Comparison) => Outcome

/** The longest filter of the engine. */
const maxLength = 4000

/** Throws `bad_filter` with a sentence that says what can be searched instead. */
export function readShownFilter(text: string, records: MaskedRecords): ShownFilter {
  const parsed = parseFilter(text)
  if (!parsed.ok) refuse(parsed.error.message)
  const checks = new Map<Filter, Check>()
  const translated = translate(parsed.filter, false, records, checks)
  const printed = printFilter(translated)
  if (printed.length > maxLength || !parseFilter(printed).ok) refuse('The filter is too long.')
  return {
    text: printed,
    isShown:
      checks.size === 0
        ? null
        : (delivery) => outcomeOf(parsed.filter, checks, delivery) !== 'masked',
  }
}

function refuse(message: string): never {
  throw new AppError('bad_filter', message)
}

function outcomeOf(
  filter: Filter,
  checks: ReadonlyMap<Filter, Check>,
  delivery: Comparison,
): Outcome {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const outcomes = filter.parts.map((part) => outcomeOf(part, checks, delivery))
      if (filter.kind === 'or' && outcomes.includes('matches')) return 'matches'
      if (outcomes.includes('masked')) return 'masked'
      return outcomes.every((each) => each === 'matches') ? 'matches' : 'open'
    }
    case 'not':
      return outcomeOf(filter.part, checks, delivery)
    case 'all':
    case 'text':
    case 'field':
      return checks.get(filter)?.(delivery) ?? 'open'
  }
}

/** Adds the checks of the terms of `filter`. */
function translate(
  filter: Filter,
  negated: boolean,
  records: MaskedRecords,
  checks: Map<Filter, Check>,
): Filter {
  switch (filter.kind) {
    case 'all':
      return filter
    case 'and':
    case 'or': {
      const parts = filter.parts.map((part) => translate(part, negated, records, checks))
      const withWords = filter.parts.filter((part) => hasWords(part)).length
      if (filter.kind === 'or' && withWords > 0 && withWords < parts.length) {
        refuse('Search for text or aliases and for other fields separately, instead of with "or".')
      }
      return { ...filter, parts }
    }
    case 'not':
      return { ...filter, part: translate(filter.part, !negated, records, checks) }
    case 'text':
      if (negated) refuse(notNegated)
      return textTerm(filter, records, checks)
    case 'field':
      return fieldTerm(filter, negated || filter.comparison === '!=', records, checks)
  }
}

const notNegated =
  'Text and aliases cannot be excluded, since values that are masked may contain them.'

/** Its terms are checked for what they match, not only for what they compare. */
function hasWords(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.some((part) => hasWords(part))
    case 'not':
      return hasWords(filter.part)
    case 'text':
      return true
    case 'all':
      return false
    case 'field':
      return (
        ['data', 'body', 'ref'].includes(filter.field) &&
        filter.values.some(({ text }) => isAlias(text))
      )
  }
}

function textTerm(filter: Text, records: MaskedRecords, checks: Map<Filter, Check>): Filter {
  if (filter.quoted && isAlias(filter.text)) {
    const known = lookUp(filter.text, records)
    if (!isSearchable(known.original)) refuse(`The value of "${known.alias}" has no letters.`)
    checks.set(filter, (delivery) => (showsAlias(delivery, known.original) ? 'matches' : 'masked'))
    return { ...filter, text: known.original }
  }
  const words = wordsOf(filter.text)
  const isPrefix = !filter.quoted || filter.text.endsWith('*')
  checks.set(filter, (delivery) =>
    shownTexts(delivery).some((text) => hasPhrase(wordsOf(text), words, isPrefix))
      ? 'matches'
      : 'masked',
  )
  return filter
}

/** Without masking: Tabscope computes them, or they are the same few words for all senders. */
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

const elsewhere: Readonly<Record<string, string>> = {
  path: 'Paths are masked and cannot be searched. Search for endpoint with its ID.',
  size: 'Exact sizes are not shown and cannot be searched.',
  contains:
    'Parts of words cannot be searched, since most values are masked. Search for words as text: they are found in values that are not masked.',
  method: 'Only standard methods can be searched, as in method:POST.',
  relay: 'Names of relays are masked. Search for via:relay.',
  receiver: 'Names of receivers are masked. Search for via:relay.',
  secret: 'Names of secrets are masked. Write secret:current, secret:previous or secret:none.',
  endpoint: 'Names of endpoints are masked. Write the ID from the tool status, as in endpoint:1.',
  integration: 'Names of integrations are masked. Write the ID, as in integration:1.',
}

const factFields: Readonly<Record<string, string>> = {
  spot: 'data.spotName',
  zone: 'data.zoneName',
  tab: 'data.tabUuid',
  order: 'data.orderName',
  item: 'data.name',
  guest: 'data.handle',
  total: 'data.total',
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])

function fieldTerm(
  term: Term,
  negated: boolean,
  records: MaskedRecords,
  checks: Map<Filter, Check>,
): Filter {
  const { field, values } = term
  // It is the time since then.
  if (['lag', 'created'].includes(field) && records.choiceOf('body.createdAt') === 'mask') {
    refuse(isMasked(field))
  }
  if (openFields.has(field)) return term
  switch (field) {
    case 'type':
      // A name of this form is never masked.
      if (!values.every((value) => isNoneOf(term, value) || isTypeName(value.text))) {
        checks.set(term, ({ original, masked }) =>
          outcomeIf(original.fields.type === masked.fields.type),
        )
      }
      return term
    case 'endpoint':
    case 'integration':
      if (values.every((value) => isNoneOf(term, value) || /^\d{1,15}$/.test(value.text)))
        return term
      break
    case 'secret':
      if (values.every(({ text }) => /^(?:current|previous|none)$/.test(text))) return term
      break
    case 'method':
      if (values.every(({ text }) => methods.has(text))) return term
      break
    case 'target':
      return withAliases(term, ['uuid', 'id'], records)
    case 'location':
      return withAliases(term, ['location'], records)
    case 'ref': {
      if (negated) refuse(notNegated)
      const translated = withAliases(term, ['uuid', 'id'], records)
      const aliases = values.map(({ text }) => lookUp(text, records))
      checks.set(term, (delivery) =>
        aliases.some(({ original }) => showsAlias(delivery, original)) ? 'matches' : 'masked',
      )
      return translated
    }
    case 'data':
    case 'body':
      return bodyTerm(term, negated, records, checks)
    case 'header': {
      const [name = ''] = term.path
      requireKept(`header ${name.toLowerCase()}`, records)
      checks.set(term, ({ original, masked }) =>
        outcomeIf(
          original.fields.headers.every(
            ([each, value], at) =>
              each.toLowerCase() !== name.toLowerCase() || masked.fields.headers[at]?.[1] === value,
          ),
        ),
      )
      return term
    }
    case 'note':
      requireKept('note', records)
      checks.set(term, ({ original, masked }) =>
        outcomeIf(original.fields.note === masked.fields.note),
      )
      return term
    case 'tag':
      requireKept('tag', records)
      checks.set(term, ({ original, masked }) =>
        outcomeIf(original.fields.tags.every((tag, at) => masked.fields.tags[at] === tag)),
      )
      return term
  }
  const place = factFields[field]
  refuse(
    elsewhere[field] ??
      `${field} cannot be searched here.${place === undefined ? '' : ` Search for ${place} instead.`}`,
  )
}

function isNoneOf(term: Term, value: FilterValue): boolean {
  const field = fieldOf(term.field)
  return field !== undefined && isNone(field, value)
}

function outcomeIf(isShown: boolean): Outcome {
  return isShown ? 'open' : 'masked'
}

function requireKept(field: string, records: MaskedRecords): void {
  if (records.choiceOf(field) !== 'keep') refuse(isMasked(field))
}

function isMasked(field: string): string {
  return `The values of ${field} are masked. The user can keep this field in Tabscope, in the preview of an export, for all exports; then it can be searched.`
}

interface KnownAlias {
  readonly alias: string
  readonly original: string
  /** With what is shown around the alias. */
  readonly whole: string
}

/** `+phone 1`: an alias as it is shown, with the brackets, spaces or plus sign of its value. Null: another text. */
function aliasOf(text: string): { before: string; alias: string; after: string } | null {
  const [alias] = aliasesIn(text)
  if (alias === undefined) return null
  const at = text.indexOf(alias)
  const before = text.slice(0, at)
  const after = text.slice(at + alias.length)
  // After it, a character that is not ASCII says that there is one in the value.
  if (/[^\s"'{}()[\]<>+@]/.test(before) || /[\w.:/-]/.test(after)) return null
  return { before, alias, after: after.replaceAll(/[^ "'{}()[\]<>+@]/g, '') }
}

function isAlias(text: string): boolean {
  return aliasOf(text) !== null
}

function lookUp(text: string, records: MaskedRecords): KnownAlias {
  const { before, alias, after } = aliasOf(text) ?? { before: '', alias: text, after: '' }
  const original = records.originalOf(alias)
  if (original === null) {
    refuse(`No answer of this connection had the alias "${alias}". Use one from an answer.`)
  }
  return { alias, original, whole: before + original + after }
}

/** All values are aliases of one of these series. */
function withAliases(term: Term, series: readonly string[], records: MaskedRecords): Term {
  const values = term.values.map((value): FilterValue => {
    if (isNoneOf(term, value)) return value
    const alias = aliasOf(value.text)?.alias ?? ''
    if (!series.some((each) => alias.startsWith(`${each} `))) {
      refuse(
        `The values of ${term.field} are masked. Write an alias from an answer in quotation marks: ${term.field}:"${series[0]} 7"`,
      )
    }
    return { ...value, text: lookUp(value.text, records).whole, quoted: true }
  })
  return { ...term, values }
}

interface Part {
  readonly key: string
  /** In the masked body. */
  readonly shown: string
}

function bodyTerm(
  term: Term,
  negated: boolean,
  records: MaskedRecords,
  checks: Map<Filter, Check>,
): Filter {
  const inTerm = term.path.map((shown): Part =>
    isAlias(shown) ? { key: lookUp(shown, records).original, shown } : { key: shown, shown },
  )
  const parts = term.field === 'data' ? [{ key: 'data', shown: 'data' }, ...inTerm] : inTerm
  const path = parts.map(({ key }) => key)
  if (term.values.some(({ text }) => isAlias(text))) {
    if (negated) refuse(notNegated)
    const aliases = term.values.map(({ text }) => lookUp(text, records))
    checks.set(term, (delivery) => {
      const found = delivery.body === null ? [] : valuesAt(delivery.body, parts)
      return found.some((pair) =>
        aliases.some(({ original }) => isAliasOf(pair, original, delivery)),
      )
        ? 'matches'
        : 'masked'
    })
    const values = aliases.flatMap((each) => literals(each, term))
    return { ...term, path: inTerm.map(({ key }) => key), values }
  }
  const isPresence = term.values.some(({ text, quoted }) => text === '*' && !quoted)
  if (isPresence && path.every((key) => isDocumentedKey(key))) return term
  const field = path.join('.')
  const choice = records.choiceOf(path[0] === 'data' ? field : `body.${field}`)
  const mayStay = eventTypes.some(({ type }) => keepsAt(type, path))
  if (choice === 'mask' || (choice === null && !mayStay)) {
    refuse(isMasked(parts.map(({ shown }) => shown).join('.')))
  }
  checks.set(term, ({ original, body }) => {
    if (body === null) return 'masked'
    // A number may be equal to its mask.
    const mayBeKept = choice === 'keep' || keepsAt(original.fields.type, path)
    return outcomeIf(
      valuesAt(body, parts).every(
        ([value, masked]) => isObject(value) || (mayBeKept && value === masked),
      ),
    )
  })
  return { ...term, path: inTerm.map(({ key }) => key) }
}

/** Quoted text finds text only. Most phone numbers have a plus sign. */
function literals({ alias, original, whole }: KnownAlias, { from, to }: Term): FilterValue[] {
  const text = { text: whole, quoted: true, from, to }
  if (alias.startsWith('phone ')) return [text, { ...text, text: `+${original}` }]
  return /^\d{1,15}$/.test(whole) ? [text, { ...text, quoted: false }] : [text]
}

const keptRules: ReadonlySet<string> = new Set([
  'type',
  'time',
  'flag',
  'amount',
  'text',
  'spot',
  'product',
  'item',
])

/** Whether a harmless value stays at this path. */
function keepsAt(type: string | null, [first = '', ...rest]: readonly string[]): boolean {
  let field = harmlessFields(type).get(first)
  for (const key of rest) field = field?.inside?.get(key)
  return field !== undefined && keptRules.has(field.rule)
}

/** The masked value is an alias of `original`, or contains one. */
function isAliasOf([value, masked]: Pair, original: string, delivery: Comparison): boolean {
  if (typeof masked === 'number') {
    return String(value) === original && delivery.originalOf(`id ${masked}`) === original
  }
  return typeof masked === 'string' && hasAlias(masked, original, delivery)
}

function hasAlias(text: string, original: string, delivery: Comparison): boolean {
  return aliasesIn(text).some((alias) => delivery.originalOf(alias) === original)
}

function showsAlias(delivery: Comparison, original: string): boolean {
  const { body, masked } = delivery
  const { target, locationName, headers } = masked.fields
  const texts = [
    Buffer.from(masked.body).toString('latin1'),
    target ?? '',
    locationName ?? '',
    ...headers.map(([, value]) => value),
  ]
  return (
    texts.some((text) => hasAlias(text, original, delivery)) ||
    (body !== null && leaves(body).some((pair) => isAliasOf(pair, original, delivery)))
  )
}

/** Texts of which nothing is masked. Masks have no letters but these. */
function shownTexts({ original, masked, body }: Comparison): string[] {
  const { headers } = original.fields
  const pairs: readonly Pair[] = [
    ...(body === null ? [] : leaves(body)),
    ...headers.flatMap(([name, value], at): Pair[] => {
      const [shownName, shownValue] = masked.fields.headers[at] ?? []
      return [
        [name, shownName],
        [value, shownValue],
      ]
    }),
  ]
  return pairs.flatMap(([value, shown]) =>
    typeof value === 'string' && value === shown && /[^\P{L}xé中Ã]/iu.test(value) ? value : [],
  )
}

/** At most those that the search index finds in the text: it ignores diacritics. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}\p{Co}]/u)
    .filter((word) => word !== '')
}

/** `words` contains `wanted` in this order. */
function hasPhrase(
  words: readonly string[],
  wanted: readonly string[],
  lastIsPrefix: boolean,
): boolean {
  return words.some((_, from) =>
    wanted.every((word, at) => {
      const found = words[from + at]
      return lastIsPrefix && at === wanted.length - 1
        ? found?.startsWith(word) === true
        : found === word
    }),
  )
}
