import type { Filter, FilterValue } from '#contract/filter/ast.ts'
import { isNone } from '#contract/filter/check.ts'
import { fieldOf } from '#contract/filter/fields.ts'
import { readTime } from '#contract/filter/values.ts'

import { wildcard } from './wildcard.ts'

/** Words that a text whose last word is a beginning may end with. */
export interface PrefixExpansion {
  /** The words before the last. */
  readonly before: string
  /** The beginning. */
  readonly last: string
  /** Null: there are too many to name them. */
  readonly words: readonly string[] | null
}

export type Text = Extract<Filter, { kind: 'text' }>
export type Term = Extract<Filter, { kind: 'field' }>

/** What a filter means beyond its text. */
export interface FilterContext {
  /** Milliseconds since the epoch: what `since:2h` counts from. */
  readonly asOf: number
  readonly endpoints: readonly {
    readonly id: number
    readonly name: string
    readonly slug: string
    readonly integration: { readonly id: number; readonly name: string }
  }[]
  /** What a text whose last word is a beginning may end with. */
  readonly endings: (text: Text) => PrefixExpansion
}

/** Whether the value stands for "without one". */
export function isNoneOf(term: Term, value: FilterValue): boolean {
  const field = fieldOf(term.field)
  return field !== undefined && isNone(field, value)
}

/** Whether `*` in the value stands for any characters. */
export function piecesOf(value: FilterValue): readonly string[] {
  return value.quoted ? [value.text] : value.text.split('*')
}

/** Microseconds since the epoch of a value of `since` or `before`. */
export function micros(text: string, { asOf }: Pick<FilterContext, 'asOf'>): number {
  // Whole, as `received_us` is: what arrives within the microsecond is not before it.
  return Math.ceil((readTime(text, asOf) ?? 0) * 1000)
}

/** The endpoints that the values name: by name or slug whatever the case, or by number. One that was removed still has its number. */
export function endpointIds(term: Term, { endpoints }: Pick<FilterContext, 'endpoints'>): number[] {
  const ids = new Set<number>()
  for (const value of term.values) {
    if (isNoneOf(term, value)) continue
    const names = wildcard(piecesOf(value).map((piece) => piece.toLowerCase()))
    for (const { id, name, slug } of endpoints) {
      if (names(name.toLowerCase()) || names(slug)) ids.add(id)
    }
    if (/^\d{1,15}$/.test(value.text)) ids.add(Number(value.text))
  }
  return [...ids].sort((a, b) => a - b)
}

/** The endpoints of the integrations that the values name: by name whatever the case, or by number. */
export function integrationEndpointIds(
  term: Term,
  { endpoints }: Pick<FilterContext, 'endpoints'>,
): number[] {
  const named = term.values.filter((value) => !isNoneOf(term, value))
  const tests = named.map((value) => ({
    names: wildcard(piecesOf(value).map((piece) => piece.toLowerCase())),
    number: value.text,
  }))
  return endpoints
    .filter(({ integration: { id, name } }) =>
      tests.some(({ names, number }) => names(name.toLowerCase()) || number === String(id)),
    )
    .map(({ id }) => id)
    .toSorted((a, b) => a - b)
}
