import { isWildcard } from '#contract/filter/check.ts'
import type { FilterValue } from '#contract/filter/ast.ts'
import { wildcard } from './wildcard.ts'

/** A test for text that has one of the values somewhere, whatever the case and the marks above letters. */
export function containsTest(
  values: readonly Pick<FilterValue, 'text' | 'quoted'>[],
): (text: string) => boolean {
  const tests = values.map((value) => {
    const text = plain(value.text)
    return isWildcard(value)
      ? wildcard(['', ...text.split('*'), ''])
      : (found: string) => found.includes(text)
  })
  return (text) => {
    const found = plain(text)
    return tests.some((test) => test(found))
  }
}

function plain(text: string): string {
  // Most texts are ASCII, which has no marks.
  const letters = /[^\0-\x7f]/.test(text) ? text.normalize('NFD').replaceAll(/\p{Mn}/gu, '') : text
  return letters.toLowerCase()
}
