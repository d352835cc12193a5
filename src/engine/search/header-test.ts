import type { FilterValue } from '#contract/filter/ast.ts'
import { isWildcard } from '#contract/filter/check.ts'
import { utf8AsLatin1 } from '../conformance/utf8-as-latin1.ts'
import { wildcard } from './wildcard.ts'

/** What a `header:x=y` term asks of the headers that came; goes through SQL as JSON. */
export interface HeaderTest {
  /** Lower case. */
  readonly name: string
  /** Any of them; empty: that the header came. */
  readonly values: readonly Pick<FilterValue, 'text' | 'quoted'>[]
}

/** A test for headers as the store has them: names and values in turn, joined by line feeds. */
export function headerTest({ name, values }: HeaderTest): (headers: string) => boolean {
  // A header comes as Latin-1, whatever its bytes mean; people write what they mean.
  const wanted = values.flatMap((value) => {
    const { text } = value
    const bytes = utf8AsLatin1(text)
    const spellings = bytes === text ? [text] : [text, bytes]
    return spellings.map((spelling) =>
      isWildcard(value) ? wildcard(spelling.split('*')) : (came: string) => came === spelling,
    )
  })
  return (headers) => {
    for (let at = 0; at <= headers.length;) {
      const nameTo = endOfLine(headers, at)
      const valueTo = endOfLine(headers, nameTo + 1)
      // Most names differ in length.
      if (nameTo - at === name.length && headers.slice(at, nameTo).toLowerCase() === name) {
        const value = headers.slice(nameTo + 1, valueTo)
        if (wanted.length === 0 || wanted.some((test) => test(value))) return true
      }
      at = valueTo + 1
    }
    return false
  }
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at
}
