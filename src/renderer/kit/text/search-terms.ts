/** A text normalized for comparison, without case and diacritics. `at[i]`: the index in the original text of its character `i`. */
export interface Folded {
  readonly text: string
  readonly at: readonly number[]
}

/** A matched range: from, to in UTF-16 units. */
export type Mark = readonly [from: number, to: number]

const maxQueryLength = 200
const maxTextLength = 400

/** The normalized words of a query. */
export function searchTermsOf(query: string): readonly string[] {
  return fold(query.slice(0, maxQueryLength))
    .text.split(/\s+/)
    .filter((word) => word !== '')
}

/** Normalizes each character separately, so that its original position is known. Text beyond `maxLength` is ignored. */
export function fold(text: string, maxLength = maxTextLength): Folded {
  let folded = ''
  const at: number[] = []
  let index = 0
  for (const character of text.slice(0, maxLength)) {
    const plain = character.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
    for (let i = 0; i < plain.length; i++) at.push(index)
    folded += plain
    index += character.length
  }
  at.push(index)
  return { text: folded, at }
}

/** Every occurrence of every word in a text, in order. Adjacent and overlapping ranges are merged. `maxLength`: as for `fold`. */
export function marksOf(
  words: readonly string[],
  text: string,
  maxLength = maxTextLength,
): readonly Mark[] {
  const { text: folded, at } = fold(text, maxLength)
  const marks: Mark[] = []
  for (const word of words) {
    for (let from = folded.indexOf(word); from !== -1; from = folded.indexOf(word, from + 1)) {
      marks.push([at[from] ?? 0, at[from + word.length] ?? text.length])
    }
  }
  return mergeMarks(marks)
}

/** Sorts ranges and merges adjacent and overlapping ones. */
export function mergeMarks(marks: readonly Mark[]): readonly Mark[] {
  const all: [number, number][] = []
  for (const [from, to] of marks.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else if (to > from) all.push([from, to])
  }
  return all
}
