/** A text as it is compared: without case and marks above letters. `at[i]`: where in the text its character `i` stands. */
export interface Folded {
  readonly text: string
  readonly at: readonly number[]
}

/** Where a text was matched: from, to in UTF-16 units. */
export type Mark = readonly [from: number, to: number]

const longestQuery = 200
const longestText = 400

/** The words of what was typed, as they are compared. */
export function searchTermsOf(query: string): readonly string[] {
  return fold(query.slice(0, longestQuery))
    .text.split(/\s+/)
    .filter((word) => word !== '')
}

/** Each character alone, so that one knows where it stood. What is longer than any label, or than `longest`, is not looked through. */
export function fold(text: string, longest = longestText): Folded {
  let folded = ''
  const at: number[] = []
  let index = 0
  for (const character of text.slice(0, longest)) {
    const plain = character.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
    for (let i = 0; i < plain.length; i++) at.push(index)
    folded += plain
    index += character.length
  }
  at.push(index)
  return { text: folded, at }
}

/** Every place of every word in a text, in order; those that touch or overlap as one. `longest`: as of `fold`. */
export function marksOf(
  words: readonly string[],
  text: string,
  longest = longestText,
): readonly Mark[] {
  const { text: folded, at } = fold(text, longest)
  const marks: Mark[] = []
  for (const word of words) {
    for (let from = folded.indexOf(word); from !== -1; from = folded.indexOf(word, from + 1)) {
      marks.push([at[from] ?? 0, at[from + word.length] ?? text.length])
    }
  }
  return joined(marks)
}

/** In order; those that touch or overlap as one. */
export function joined(marks: readonly Mark[]): readonly Mark[] {
  const all: [number, number][] = []
  for (const [from, to] of marks.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else if (to > from) all.push([from, to])
  }
  return all
}
