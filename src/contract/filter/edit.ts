import type { Filter, Span } from './ast.ts'
import { isWildcard } from './check.ts'
import { isSearchable, parseFilter } from './parse.ts'
import { printFilter, printLiteral, printValue } from './print.ts'

type Term = Extract<Filter, { kind: 'field' }>

/** The terms that must all hold: what a chip can stand for. */
export function topTerms(filter: Filter): readonly Filter[] {
  if (filter.kind === 'all') return []
  return filter.kind === 'and' ? filter.parts : [filter]
}

/** The values of the first top-level term `field:a,b`; empty: there is none, or the text is wrong. */
export function valuesOf(text: string, field: string): readonly string[] {
  return termOf(text, field)?.values.map((value) => value.text) ?? []
}

/**
 * The text with `field:a,b` at the top level in place of what was there; without values the term goes. All else stays as it is written.
 * Values stand for themselves, `none` for "without one".
 */
export function withValues(text: string, field: string, values: readonly string[]): string {
  const term = termOf(text, field)
  if (values.length === 0) return term ? without(text, term) : text
  const written = `${field}:${values.map(printLiteral).join(',')}`
  if (!term) return withTerm(text, written)
  return `${text.slice(0, term.from)}${written}${text.slice(term.to)}`
}

/** The text with a term more, which must hold as well. One that is there already is not written twice. */
export function withTerm(text: string, term: string): string {
  const parsed = parseFilter(text)
  if (text.trim() === '') return term
  // In front of what is wrong, or an open quotation mark would swallow it.
  if (!parsed.ok) return `${term} ${text}`
  const { filter } = parsed
  const added = parseFilter(term)
  const same = added.ok ? printFilter(added.filter) : term
  if (topTerms(filter).some((part) => printFilter(part) === same)) return text
  const before = bindsLooser(filter) ? `(${text.trim()})` : text
  return `${before.trimEnd()} ${term}`
}

/** The text without what stands in `span`, a term as a whole, and without the `and` or `or` that joined it. */
export function without(text: string, span: Span): string {
  const before = text.slice(0, span.from)
  const after = text.slice(span.to)
  const [, joinedBefore] = /(?:^|[\s)])((?:and|or)\s*)$/i.exec(before) ?? []
  const [joinedAfter] = /^\s*(?:and|or)(?=[\s(])\s*/i.exec(after) ?? []
  if (joinedBefore !== undefined) {
    return tidy(before.slice(0, before.length - joinedBefore.length), after)
  }
  return tidy(before, joinedAfter === undefined ? after : after.slice(joinedAfter.length))
}

type Words = Extract<Filter, { kind: 'text' | 'field' }>

/** Whether the words of a filter are found inside other words (`contains:rie`) too; null: it looks for no words. */
export function looksInside(text: string): boolean | null {
  const words = wordsIn(text)
  return words.length === 0 ? null : words.every(({ kind }) => kind === 'field')
}

/** The text with all its words found inside other words, or by their beginnings. */
export function withInside(text: string, inside: boolean): string {
  return wordsIn(text).reduceRight((whole, word) => {
    const written = inside ? asContains(word) : asWords(word)
    return `${whole.slice(0, word.from)}${written}${whole.slice(word.to)}`
  }, text)
}

function asContains(word: Words): string {
  if (word.kind === 'field') return printFilter(word)
  const text = word.text.endsWith('*') ? word.text.slice(0, -1) : word.text
  return `contains:${printValue({ text, quoted: word.quoted || text.includes('*') })}`
}

function asWords(word: Words): string {
  const [value] = word.kind === 'field' ? word.values : []
  if (!value) return printFilter(word)
  const { text, quoted } = value
  return printFilter({ kind: 'text', text, quoted, from: 0, to: 0 })
}

/** Words to search for, in order: those that can be written both ways. */
function wordsIn(text: string): readonly Words[] {
  const parsed = parseFilter(text)
  return parsed.ok ? wordsOf(parsed.filter) : []
}

function wordsOf(filter: Filter): readonly Words[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.flatMap(wordsOf)
    case 'not':
      return wordsOf(filter.part)
    case 'all':
      return []
    case 'text':
      return [filter]
    case 'field': {
      const [value, second] = filter.values
      const one = filter.field === 'contains' && filter.comparison === '=' && second === undefined
      return one && value && !isWildcard(value) && isSearchable(value.text) ? [filter] : []
    }
  }
}

/** One space where the term stood, none at the ends. */
function tidy(before: string, after: string): string {
  const left = before.trimEnd()
  const right = after.trimStart()
  const space = left === '' || right === '' || left.endsWith('(') || right.startsWith(')')
  return `${left}${space ? '' : ' '}${right}`
}

/** An `or` without brackets around it would take only a part of what is put beside it. */
function bindsLooser(filter: Filter): boolean {
  return filter.kind === 'or' && filter.from === filter.parts[0]?.from
}

function termOf(text: string, field: string): Term | undefined {
  const parsed = parseFilter(text)
  if (!parsed.ok) return undefined
  for (const part of topTerms(parsed.filter)) {
    if (part.kind === 'field' && part.field === field && part.comparison === '=') return part
  }
  return undefined
}
