import type { Comparison, FilterValue } from '#contract/filter/ast.ts'
import { isWildcard, jsonLiteral } from '#contract/filter/check.ts'
import { readNumber } from '#contract/filter/values.ts'
import { wildcard } from './wildcard.ts'

/** What a `data.x` or `body.x` term asks of a body; goes through SQL as JSON. */
export interface BodyTest {
  /** From the top of the body. */
  readonly path: readonly string[]
  /** `!=` is said by a `NOT` around it. */
  readonly comparison: Exclude<Comparison, '!='>
  readonly values: readonly Pick<FilterValue, 'text' | 'quoted'>[]
}

/**
 * A test for a parsed body. On the way and at its end any element of an array will do. A number compares with numbers, text with text,
 * `true`, `false` and `null` with themselves; `*` alone finds whatever is there.
 */
export function bodyTest({ path, comparison, values }: BodyTest): (body: unknown) => boolean {
  const tests = values.map((value) => valueTest(value, comparison))
  const present = values.some((value) => !value.quoted && value.text === '*')
  return (body) => {
    const found = follow(body, path)
    if (present) return found.length > 0
    return elements(found).some((value) => tests.some((test) => test(value)))
  }
}

function valueTest(
  value: BodyTest['values'][number],
  comparison: BodyTest['comparison'],
): (found: unknown) => boolean {
  if (comparison === '=') {
    const literal = jsonLiteral(value)
    if (literal !== undefined) return (found) => found === literal
    if (isWildcard(value)) {
      const test = wildcard(value.text.split('*'))
      return (found) => typeof found === 'string' && test(found)
    }
  }
  const number = value.quoted ? null : readNumber(value.text)
  if (number !== null) {
    return (found) => typeof found === 'number' && compares(found, comparison, number)
  }
  return (found) => typeof found === 'string' && compares(found, comparison, value.text)
}

function compares<T extends number | string>(
  a: T,
  comparison: BodyTest['comparison'],
  b: T,
): boolean {
  switch (comparison) {
    case '=':
      return a === b
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

/** Every value that the path leads to. */
function follow(body: unknown, path: readonly string[]): readonly unknown[] {
  let found: readonly unknown[] = [body]
  for (const key of path) {
    found = elements(found).flatMap((value) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? [Reflect.get(value, key)]
        : [],
    )
  }
  return found
}

/** The values, with the elements of an array in its place, however deep. No recursion: a body may be nothing but brackets. */
function elements(values: readonly unknown[]): readonly unknown[] {
  if (!values.some((value) => Array.isArray(value))) return values
  const flat: unknown[] = []
  const left: unknown[] = [...values]
  while (left.length > 0) {
    const value = left.pop()
    if (Array.isArray(value)) for (const element of value) left.push(element)
    else flat.push(value)
  }
  return flat
}
