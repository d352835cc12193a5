import {
  type SuggestionRequest,
  type Suggested,
  type CompletionContext,
  type Completion,
  dataPaths,
  valueOptions,
} from './value-options.ts'
import type { Span } from '#contract/filter/ast.ts'
import { fieldOf, filterFields } from '#contract/filter/fields.ts'
import { useQuery, useSettled } from '#client/use-client.ts'
import { useLog } from '#client/state/scope.ts'

/**
 * A token of a filter text, which may be invalid: `field` with its colon, `operator` (comparison, `or`), `value`, `text` to search for,
 * `sign` (parentheses, commas, minus), `space`.
 */
interface Token extends Span {
  readonly kind: 'field' | 'operator' | 'value' | 'text' | 'sign' | 'space'
  /** The field that an operator, value or comma belongs to, as written (`data.total`); null if none. */
  readonly field: string | null
}

/** Splits the text into tokens that cover every character. Used for highlighting and completion; only the parser defines the meaning. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  /** The field whose values are being read. */
  let field: string | null = null

  function take(kind: Token['kind'], to: number): void {
    tokens.push({ kind, from: at, to, field: kind === 'space' ? null : field })
    at = to
  }
  function matched(pattern: RegExp): string | null {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0] ?? null
  }

  while (at < text.length) {
    const space = matched(spaces)
    if (space !== null) {
      field = null
      take('space', at + space.length)
      continue
    }
    const sign = matched(brackets)
    if (sign !== null) {
      field = null
      take('sign', at + 1)
      continue
    }
    if (field === null) readTerm()
    else readValue()
  }
  return tokens

  function readTerm(): void {
    if (text[at] === '-') return take('sign', at + 1)
    const compared = matched(comparedFields)
    const name = matched(fieldNames) ?? (compared !== null && fieldOf(compared) ? compared : null)
    if (name !== null) {
      field = name.replace(/:$/, '')
      return take('field', at + name.length)
    }
    const word = matched(quoted) ?? matched(words) ?? text.charAt(at)
    return take(/^(?:and|or|not)$/i.test(word) ? 'operator' : 'text', at + word.length)
  }

  function readValue(): void {
    const header = field?.toLowerCase() === 'header'
    const operator = matched(header ? equals : comparisons)
    // There is at most one comparison, directly after the colon or the header name.
    const before = tokens.at(-1)
    if (operator !== null && before?.kind === (header ? 'value' : 'field')) {
      return take('operator', at + operator.length)
    }
    if (text[at] === ',') return take('sign', at + 1)
    const name = header && before?.kind === 'field' ? matched(headerNames) : null
    const value = name ?? matched(quoted) ?? matched(bareValues) ?? text.charAt(at)
    take('value', at + value.length)
  }
}

const spaces = /\s+/y
const brackets = /[()]/y
const comparedFields = /[a-z]+(?=[<>])/iy
const fieldNames = /(?:(?:data|body)(?:\.(?:"(?:\\.|[^"\\])*"|[^\s():".]*))+|[a-z]+):/iy
const quoted = /"(?:\\.|[^"\\])*(?:"|\\?$)/sy
const words = /[^\s()"]+/y
const comparisons = />=|<=|!=|[<>=]/y
const equals = /!?=/y
const headerNames = /[^\s()",=!]+/y
const bareValues = /[^\s()",]+/y

export interface Completions extends Span {
  readonly options: readonly Completion[]
  /** Values to request from the engine, to be offered as well. */
  readonly ask: SuggestionRequest | null
}

const maxOptions = 50

/** Returns the completions at the caret of a filter, which may be invalid. `caret`: number of characters before it. */
export function completionsAt(
  text: string,
  caret: number,
  context: CompletionContext,
): Completions {
  const found = findCompletions(text, caret, context)
  const typed = text.slice(found.from, found.to)
  // A complete value needs no completions, especially not values that merely contain it.
  return typed !== '' && found.options.some(({ insert }) => insert === typed)
    ? { ...found, options: [] }
    : found
}

function findCompletions(text: string, caret: number, context: CompletionContext): Completions {
  const tokens = tokenize(text)
  const index = tokens.findIndex(({ from, to }) => from < caret && caret <= to)
  const token = tokens[index]
  if (!token || token.kind === 'space') return completionsForEmpty(text, caret, context)
  const before = text.slice(token.from, caret)
  switch (token.kind) {
    case 'field':
      return caret === token.to
        ? values(token, { from: caret, to: caret }, '', '', context)
        : found(token, terms(before, context), null)
    case 'operator':
      return token.field === null
        ? found(token, terms(before, context), null)
        : values(token, { from: caret, to: caret }, '', before, context)
    case 'value':
      return values(token, token, before, operatorBefore(text, tokens, index), context)
    case 'sign':
      return token.field !== null && before === ','
        ? values(
            token,
            { from: caret, to: caret },
            '',
            operatorBefore(text, tokens, index),
            context,
          )
        : completionsForEmpty(text, caret, context)
    case 'text': {
      if (before.startsWith('"')) return found(token, [], null)
      const others = tokens.slice(0, index)
      const first = others.findLastIndex(({ kind }) => kind !== 'text' && kind !== 'space') + 1
      const phrase = text.slice(tokens[first]?.from, caret).trimStart()
      const isPhrase = phrase !== before && before.length > 2
      const titles = isPhrase ? termsOf(titledFields, phrase.toLowerCase(), context) : []
      return titles.length > 0
        ? found({ from: caret - phrase.length, to: token.to }, titles, null)
        : found(token, terms(before, context), null)
    }
  }
}

function found(
  { from, to }: Span,
  options: readonly Completion[],
  ask: SuggestionRequest | null,
): Completions {
  return { from, to, options: options.slice(0, maxOptions), ask }
}

function completionsForEmpty(text: string, caret: number, context: CompletionContext): Completions {
  const filters = text.trim() === '' ? namedFilters('', context) : []
  return found({ from: caret, to: caret }, [...filters, ...fields('')], null)
}

function terms(word: string, context: CompletionContext): Completion[] {
  const query = word.toLowerCase()
  return [
    ...fields(query),
    ...dataPaths(query),
    ...termsOf(['type', 'is'], query, context),
    ...(query.length < 3 ? [] : termsOf(titledFields, query, context)),
    ...namedFilters(query, context).filter(({ kind }) => kind === 'saved'),
  ]
}

/** The interface shows titles of their values, whose words find them. */
const titledFields = ['cause', 'finding']

function termsOf(names: string[], query: string, context: CompletionContext): Completion[] {
  return names.flatMap((field) =>
    valueOptions(field, query, '', context).options.map((option) => {
      const term = `${field}:${option.insert}`
      return { ...option, label: term, insert: term, kind: 'term' } as const
    }),
  )
}

function fields(query: string): Completion[] {
  const named = filterFields.filter(({ name, aliases }) =>
    [name, ...aliases].some((each) => each.startsWith(query)),
  )
  const described = filterFields.filter(
    (field) =>
      query.length > 2 && !named.includes(field) && field.description.toLowerCase().includes(query),
  )
  return [...named, ...described].map(({ name, kind, description, example }) => ({
    label: kind === 'json' ? `${name}.` : `${name}:`,
    note: `${description} ${example}`,
    insert: kind === 'json' ? `${name}.` : `${name}:`,
    kind: 'field',
  }))
}

function namedFilters(query: string, { saved, recent }: CompletionContext): Completion[] {
  return [
    ...saved
      .filter(({ name }) => name.toLowerCase().includes(query))
      .map(({ name, filter }): Completion => ({
        label: name,
        note: filter,
        insert: filter,
        kind: 'saved',
      })),
    ...recent.map((filter): Completion => ({
      label: filter,
      note: '',
      insert: filter,
      kind: 'recent',
    })),
  ]
}

function values(
  token: Token,
  span: Span,
  typed: string,
  operator: string,
  context: CompletionContext,
): Completions {
  const name = token.field ?? ''
  const field = name.includes('.') ? name : fieldOf(name)?.name
  if (field === undefined) return found(span, [], null)
  const prefix = typed.replace(/^"/, '').replace(/"$/, '')
  const { options, ask } = valueOptions(field, prefix.toLowerCase(), operator, context)
  return found(span, options, ask === null ? null : { field: ask, prefix })
}

function operatorBefore(text: string, tokens: readonly Token[], at: number): string {
  const started = tokens.findLastIndex(({ kind }, index) => index < at && kind === 'field')
  const second = tokens.slice(started + 1, at).find(({ kind }) => kind === 'operator')
  return second ? text.slice(second.from, second.to) : ''
}

/** Applies a completion. Returns the new text and caret position. Adds a space after a complete term. */
export function complete(
  text: string,
  { from, to }: Span,
  { insert, kind }: Completion,
): { text: string; caret: number } {
  if (kind === 'saved' || kind === 'recent') return { text: insert, caret: insert.length }
  const after = text.slice(to)
  const ends = kind !== 'field' && !insert.endsWith(':')
  const space = ends && !/^[\s),]/.test(after) ? ' ' : ''
  return {
    text: text.slice(0, from) + insert + space + after,
    caret: from + insert.length + space.length,
  }
}

/** Milliseconds to wait after the last key. */
const debounce = 80

/** Stored values of a field, requested while typing. Null if none were requested or they are loading. Typing works without them. */
export function useSuggestions(request: SuggestionRequest | null): Suggested | null {
  const log = useLog()
  const field = request?.field
  const prefix = useSettled(request?.prefix, debounce)
  const { state } = useQuery(
    'filters.suggest',
    field === undefined || prefix === undefined ? null : { log, field, prefix },
  )
  return state.phase === 'ready' && request !== null && prefix === request.prefix
    ? { request, values: state.value }
    : null
}
