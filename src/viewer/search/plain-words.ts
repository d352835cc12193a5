import { folds, marks, runs } from './letters.ts'

const separator = -1
const mark = 0

/** For each code point: the letter that it is taken for, or one of the two above. Made at the first search, from a few kilobytes. */
let table: Int32Array | null = null

function makeTable(): Int32Array {
  const made = new Int32Array(0x110000).fill(separator)
  let at = 1
  for (const [place, length] of fields(runs).map(([n = 0], index) => [index, n] as const)) {
    if (place % 2 === 1) for (let code = at; code < at + length; code += 1) made[code] = code
    at += length
  }
  for (const [first = 0, length = 0] of fields(marks)) made.fill(mark, first, first + length)
  let code = 0
  for (const [step = 0, away = 0, length = 1, every = 1] of fields(folds)) {
    code += step
    for (let n = 0; n < length; n += 1) made[code + n * every] = code + n * every + away
  }
  return made
}

function fields(text: string): number[][] {
  return text
    .trim()
    .split(/\s+/)
    .map((entry) => entry.split('.').map((digits) => Number.parseInt(digits, 36)))
}

/** The words of a text as the search index reads them, with a space between two. */
export function plainWords(text: string): string {
  return text
    .replaceAll(/[^\0-\x7f]/gu, letter)
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replaceAll(/[\0-/:-@[-`{-\x7f]+/g, ' ')
    .trim()
}

function letter(character: string): string {
  table ??= makeTable()
  const taken = table[character.codePointAt(0) ?? 0] ?? separator
  if (taken === separator) return ' '
  return taken === mark ? '' : String.fromCodePoint(taken)
}
