import { visible } from '#contract/visible.ts'

/** Longer values are cut, in characters. */
const longestValue = 400

/**
 * Text of others within a line, as a code span: in it nothing is a link, a mention, markup or HTML, wherever it is pasted. The marks around
 * it are longer than any in it (CommonMark, 6.1).
 */
export function code(text: string): string {
  const long = text.length > longestValue
  const shown = visible(long ? text.slice(0, longestValue) : text) + (long ? '…' : '')
  if (shown === '') return ''
  const marks = '`'.repeat(longestRun(shown) + 1)
  const space = /^[` ]|[` ]$/.test(shown) ? ' ' : ''
  return `${marks}${space}${shown}${space}${marks}`
}

/** A sentence, as it is while it is nothing but words; else as code. A dot or a colon within a word would make a link or a picture of it. */
export function sentence(text: string): string {
  const words =
    text.length <= longestValue &&
    /^[\p{L}\p{N}][\p{L}\p{N} ,.;:'"()-]*$/u.test(text) &&
    !/[.:]\S/.test(text)
  return words ? text : code(text)
}

/** How many backticks follow each other, at most. */
export function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}
