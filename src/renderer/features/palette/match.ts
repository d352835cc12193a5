/** What of a thing can be matched. What is found in the label counts most, then the group, then other words. */
export interface Matchable {
  readonly label: string
  readonly group: string
  readonly words: string
}

export interface Match {
  /** The greater the better. */
  readonly score: number
  /** What of the label was matched: from, to in UTF-16 units, in order, without overlap. */
  readonly marks: readonly (readonly [number, number])[]
}

/** A text as it is compared: without case and marks above letters. `at[i]`: where in the text its character `i` stands. */
interface Folded {
  readonly text: string
  readonly at: readonly number[]
}

const longestQuery = 200
const longestText = 400

/** The words of what was typed, as they are compared. */
export function wordsOf(query: string): readonly string[] {
  return fold(query.slice(0, longestQuery))
    .text.split(/\s+/)
    .filter((word) => word !== '')
}

/**
 * How well words fit a thing; null: one of them is nowhere in it. Each word is looked for as it is, and in the label also with letters between.
 * Time grows with the product of both lengths, whatever is typed.
 */
export function match(words: readonly string[], thing: Matchable): Match | null {
  const label = fold(thing.label)
  const group = fold(thing.group).text
  const more = fold(thing.words).text
  let score = 0
  const marks: [number, number][] = []
  for (const word of words) {
    const found = inText(word, label.text) ?? scattered(word, label.text)
    const beside = Math.max(
      (inText(word, group)?.score ?? 0) * 0.4,
      (inText(word, more)?.score ?? 0) * 0.5,
    )
    if (found && found.score >= beside) {
      score += found.score
      for (const [from, to] of found.marks) {
        marks.push([label.at[from] ?? 0, label.at[to] ?? thing.label.length])
      }
    } else if (beside > 0) score += beside
    else return null
  }
  // Of two that fit alike, the one that says less beside it.
  return { score: score - Math.min(label.text.length, 99) / 100, marks: joined(marks) }
}

interface Found {
  readonly score: number
  readonly marks: readonly (readonly [number, number])[]
}

/** A word as it stands: best at the beginning, then where a word begins, then anywhere. */
function inText(word: string, text: string): Found | null {
  let best: Found | null = null
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const begins = at === 0 || !isLetter(text.charAt(at - 1))
    const ends = !isLetter(text.charAt(at + word.length))
    const score = (at === 0 ? 100 : begins ? 80 : 40) + (begins && ends ? 10 : 0)
    if (best === null || score > best.score) best = { score, marks: [[at, at + word.length]] }
  }
  return best
}

/**
 * The letters of a word in their order, with others between: the first place where they end, read backwards from there for the shortest
 * stretch. Null where they lie too far apart to have been meant.
 */
function scattered(word: string, text: string): Found | null {
  if (word.length < 2) return null
  let next = 0
  let end = 0
  for (; end < text.length && next < word.length; end++) {
    if (text.charAt(end) === word.charAt(next)) next++
  }
  if (next < word.length) return null
  const marks: [number, number][] = []
  let starts = 0
  let left = word.length - 1
  let at = end - 1
  for (; left >= 0; at--) {
    if (text.charAt(at) !== word.charAt(left)) continue
    marks.unshift([at, at + 1])
    if (at === 0 || !isLetter(text.charAt(at - 1))) starts++
    left--
  }
  const span = end - 1 - at
  const initials = starts === word.length
  if (!initials && (starts === 0 || span > word.length * 3)) return null
  return { score: initials ? 35 : 5 + (20 * word.length) / span, marks }
}

function isLetter(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character)
}

/** Each character alone, so that one knows where it stood. */
function fold(text: string): Folded {
  let folded = ''
  const at: number[] = []
  let index = 0
  for (const character of text.slice(0, longestText)) {
    const plain = character.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
    for (let i = 0; i < plain.length; i++) at.push(index)
    folded += plain
    index += character.length
  }
  at.push(index)
  return { text: folded, at }
}

/** In order; those that touch or overlap as one. */
function joined(marks: readonly [number, number][]): [number, number][] {
  const all: [number, number][] = []
  for (const [from, to] of marks.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else if (to > from) all.push([from, to])
  }
  return all
}

/** Those that fit, the best first; of those that fit alike, in the order in which they are given. */
export function ranked<T extends Matchable>(
  words: readonly string[],
  things: readonly T[],
): { readonly thing: T; readonly match: Match }[] {
  return things
    .flatMap((thing) => {
      const found = match(words, thing)
      return found ? [{ thing, match: found }] : []
    })
    .toSorted((one, other) => other.match.score - one.match.score)
}
