import type { CompletionContext } from './value-options.ts'
import type { Completion } from './value-options.ts'
import type { Span } from '#contract/filter/ast.ts'
import { fieldOf, filterFields } from '#contract/filter/fields.ts'
import type { Wanted } from '../use-suggestions.ts'
import { dataPaths, valueOptions } from './value-options.ts'
import { piecesOf } from './pieces.ts'
import type { Piece } from './pieces.ts'

export interface Completions extends Span {
  readonly options: readonly Completion[]
  /** Values to be asked for, which belong here as well. */
  readonly ask: Wanted | null
}

const most = 50

/** What could stand at the caret of a filter, whether the text can be read or not. `caret`: characters before it. */
export function completionsAt(
  text: string,
  caret: number,
  context: CompletionContext,
): Completions {
  const found = couldStand(text, caret, context)
  const written = text.slice(found.from, found.to)
  // What is written to its end needs nothing more, least of all another value that only has it in it.
  return written !== '' && found.options.some(({ insert }) => insert === written)
    ? { ...found, options: [] }
    : found
}

function couldStand(text: string, caret: number, context: CompletionContext): Completions {
  const piece = piecesOf(text).find(({ from, to }) => from < caret && caret <= to)
  if (!piece || piece.kind === 'space') return atNothing(text, caret, context)
  const before = text.slice(piece.from, caret)
  switch (piece.kind) {
    case 'field':
      return caret === piece.to
        ? values(piece, { from: caret, to: caret }, '', '', context)
        : found(piece, terms(before, context), null)
    case 'operator':
      return piece.field === null
        ? found(piece, terms(before, context), null)
        : values(piece, { from: caret, to: caret }, '', before, context)
    case 'value':
      return values(piece, piece, before, operatorBefore(text, piece), context)
    case 'sign':
      return piece.field !== null && before === ','
        ? values(piece, { from: caret, to: caret }, '', operatorBefore(text, piece), context)
        : atNothing(text, caret, context)
    case 'text':
      return found(piece, before.startsWith('"') ? [] : terms(before, context), null)
  }
}

function found(
  { from, to }: Span,
  options: readonly Completion[],
  ask: Wanted | null,
): Completions {
  return { from, to, options: options.slice(0, most), ask }
}

/** Nothing is written here yet: every field, and where all is empty whole filters as well. */
function atNothing(text: string, caret: number, context: CompletionContext): Completions {
  const whole = text.trim() === '' ? wholeFilters('', context) : []
  return found({ from: caret, to: caret }, [...whole, ...fields('')], null)
}

/** What a word could become: a field, a term, a saved filter. */
function terms(word: string, context: CompletionContext): Completion[] {
  const wanted = word.toLowerCase()
  const { options: types } = valueOptions('type', wanted, '', context)
  const { options: marks } = valueOptions('is', wanted, '', context)
  return [
    ...fields(wanted),
    ...dataPaths(wanted),
    ...types.map((option) => asTerm('type', option)),
    ...marks.map((option) => asTerm('is', option)),
    ...wholeFilters(wanted, context).filter(({ kind }) => kind === 'saved'),
  ]
}

function asTerm(field: string, option: Completion): Completion {
  const term = `${field}:${option.insert}`
  return { ...option, label: term, insert: term, kind: 'term' }
}

/** Fields whose name begins so, then those whose description speaks of it. */
function fields(wanted: string): Completion[] {
  const named = filterFields.filter(({ name }) => name.startsWith(wanted))
  const told = filterFields.filter(
    (field) =>
      wanted.length > 2 &&
      !named.includes(field) &&
      field.description.toLowerCase().includes(wanted),
  )
  return [...named, ...told].map(({ name, kind, description, example }) => ({
    label: kind === 'json' ? `${name}.` : `${name}:`,
    note: `${description} ${example}`,
    insert: kind === 'json' ? `${name}.` : `${name}:`,
    kind: 'field',
  }))
}

function wholeFilters(wanted: string, { saved, recent }: CompletionContext): Completion[] {
  return [
    ...saved
      .filter(({ name }) => name.toLowerCase().includes(wanted))
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
  piece: Piece,
  span: Span,
  written: string,
  operator: string,
  context: CompletionContext,
): Completions {
  const name = piece.field ?? ''
  const field = name.includes('.') ? name : fieldOf(name)?.name
  if (field === undefined) return found(span, [], null)
  const prefix = written.replace(/^"/, '').replace(/"$/, '')
  const { options, ask } = valueOptions(field, prefix.toLowerCase(), operator, context)
  return found(span, options, ask === null ? null : { field: ask, prefix })
}

/** The comparison that stands between a field's colon and this piece. */
function operatorBefore(text: string, piece: Piece): string {
  const pieces = piecesOf(text)
  const at = pieces.findIndex(({ from }) => from === piece.from)
  const started = pieces.findLastIndex(({ kind }, index) => index < at && kind === 'field')
  const second = pieces.slice(started + 1, at).find(({ kind }) => kind === 'operator')
  return second ? text.slice(second.from, second.to) : ''
}

/** The text with a completion taken, and where the caret goes. A value is done with: a space stands behind it. */
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
