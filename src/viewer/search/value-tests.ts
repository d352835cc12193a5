import { isOrder } from '#contract/filter/check.ts'
import type { Comparison } from '#contract/filter/ast.ts'
import { wildcard } from '#engine/search/wildcard.ts'
import { isNoneOf, piecesOf, type Term } from '#engine/search/world.ts'

/** One of the values exactly, by `*`, or null for `none`. */
export function textTest(term: Term): (found: string | null) => boolean {
  const none = term.values.some((value) => isNoneOf(term, value))
  const tests = term.values
    .filter((value) => !isNoneOf(term, value))
    .map((value) => wildcard(piecesOf(value)))
  return (found) => (found === null ? none : tests.some((test) => test(found)))
}

/** One of the words of a field that has a fixed list, whatever the case. */
export function choiceTest(term: Term): (found: string | null) => boolean {
  const none = term.values.some((value) => isNoneOf(term, value))
  const words = new Set(term.values.map(({ text }) => text.toLowerCase()))
  return (found) => (found === null ? none : words.has(found))
}

/** Compares so with the values, as `read` reads them; null for `none`. */
export function numberTest(
  term: Term,
  read: (text: string) => number | null,
): (found: number | null) => boolean {
  const none = term.values.some((value) => isNoneOf(term, value))
  const numbers = term.values
    .filter((value) => !isNoneOf(term, value))
    .map(({ text }) => read(text))
    .filter((number) => number !== null)
  const [first = 0] = numbers
  if (isOrder(term.comparison)) {
    return (found) => found !== null && ordered(found, term.comparison, first)
  }
  return (found) => (found === null ? none : numbers.includes(found))
}

/** Text that has one of the values somewhere, whatever the case. */
export function wordsTest(term: Term): (found: string) => boolean {
  const tests = term.values.map((value) =>
    wildcard(['', ...piecesOf(value).map((piece) => piece.toLowerCase()), '']),
  )
  return (found) => tests.some((test) => test(found.toLowerCase()))
}

function ordered(a: number, comparison: Comparison, b: number): boolean {
  switch (comparison) {
    case '=':
      return a === b
    case '!=':
      return a !== b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
  }
}
