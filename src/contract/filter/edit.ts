import type { Filter, Span } from './ast.ts'
import { parseFilter } from './parse.ts'
import { printFilter, printLiteral } from './print.ts'

type Term = Extract<Filter, { kind: 'field' }>

/** The terms that must all match. Each can be shown as a chip. */
export function topTerms(filter: Filter): readonly Filter[] {
  if (filter.kind === 'all') return []
  return filter.kind === 'and' ? filter.parts : [filter]
}

/** Of the first top-level term `field:a,b`; empty: no such term, or an invalid filter. */
export function valuesOf(text: string, field: string): readonly string[] {
  return termOf(text, field)?.values.map((value) => value.text) ?? []
}

/** The new top-level term is `field:a,b`, or none without values. Values are literal, except `none` for "no value". */
export function withValues(text: string, field: string, values: readonly string[]): string {
  const term = termOf(text, field)
  if (values.length === 0) return term ? without(text, term) : text
  const written = `${field}:${values.map(printLiteral).join(',')}`
  if (!term) return withTerm(text, written)
  return `${text.slice(0, term.from)}${written}${text.slice(term.to)}`
}

/** An existing term is not added twice. */
export function withTerm(text: string, term: string): string {
  const parsed = parseFilter(text)
  if (text.trim() === '') return term
  // Insert before invalid text, because an unclosed quotation mark would include the term.
  if (!parsed.ok) return `${term} ${text}`
  const { filter } = parsed
  const added = parseFilter(term)
  const same = added.ok ? printFilter(added.filter) : term
  if (topTerms(filter).some((part) => printFilter(part) === same)) return text
  const before = bindsLooser(filter) ? `(${text.trim()})` : text
  return `${before.trimEnd()} ${term}`
}

/** Also removes the `and` or `or` that joined the term. */
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

function tidy(before: string, after: string): string {
  const left = before.trimEnd()
  const right = after.trimStart()
  const space = left === '' || right === '' || left.endsWith('(') || right.startsWith(')')
  return `${left}${space ? '' : ' '}${right}`
}

/** An `or` without brackets needs brackets before another term is added. */
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
