import type { Mark } from '../../ui/text/search-terms.ts'
import { fold, joined } from '../../ui/text/search-terms.ts'

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
  readonly marks: readonly Mark[]
}

/**
 * How well words fit a thing; null: one of them is nowhere in it. Each word is looked for as it is, and in the label also with letters between
 * and, where `typos` are allowed, with one or two letters wrong. Time grows with the product of both lengths, whatever is typed.
 */
export function match(words: readonly string[], thing: Matchable, typos = false): Match | null {
  const label = fold(thing.label)
  const group = fold(thing.group).text
  const more = fold(thing.words).text
  let score = 0
  const marks: Mark[] = []
  for (const word of words) {
    const found =
      inText(word, label.text) ??
      scattered(word, label.text) ??
      (typos ? mistyped(word, label.text) : null)
    const beside = Math.max(
      (inText(word, group)?.score ?? 0) * 0.4,
      // Nobody sees these: what is within one of them would look like a mistake.
      (inText(word, more, true)?.score ?? 0) * 0.5,
    )
    if (!found && beside === 0) return null
    // What fits in both fits better than in one.
    score += Math.max(found?.score ?? 0, beside) + (found ? beside * 0.3 : 0)
    for (const [from, to] of found?.marks ?? []) {
      marks.push([label.at[from] ?? 0, label.at[to] ?? thing.label.length])
    }
  }
  // Of two that fit alike, the one that says less beside it.
  return { score: score - Math.min(label.text.length, 99) / 100, marks: joined(marks) }
}

interface Found {
  readonly score: number
  readonly marks: readonly Mark[]
}

/** A word as it stands: best at the beginning, then where a word begins, then, unless only beginnings count, anywhere. */
function inText(word: string, text: string, onlyBeginnings = false): Found | null {
  let best: Found | null = null
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const begins = beginsWord(text, at)
    if (onlyBeginnings && !begins) continue
    const ends = !isLetter(text.charAt(at + word.length))
    const score = (at === 0 ? 90 : begins ? 80 : 40) + (begins && ends ? 10 : 0)
    if (best === null || score > best.score) best = { score, marks: [[at, at + word.length]] }
  }
  return best
}

/**
 * The letters of a word in their order, with others between: the first place where they end, read backwards from there for the shortest
 * stretch. Null where it does not begin with a word, or they lie too far apart to have been meant.
 */
function scattered(word: string, text: string): Found | null {
  if (word.length < 2) return null
  let next = 0
  let end = 0
  for (; end < text.length && next < word.length; end++) {
    if (text.charAt(end) === word.charAt(next)) next++
  }
  if (next < word.length) return null
  const marks: Mark[] = []
  let starts = 0
  for (let at = end - 1, left = word.length - 1; left >= 0; at--) {
    if (text.charAt(at) !== word.charAt(left)) continue
    marks.unshift([at, at + 1])
    if (beginsWord(text, at)) starts++
    left--
  }
  const from = marks[0]?.[0] ?? 0
  if (starts === word.length) return { score: 35, marks }
  if (!beginsWord(text, from) || end - from > word.length * 2) return null
  return { score: 5 + (20 * word.length) / (end - from), marks }
}

/** Letters that a word must have before one of them may be wrong, and before two may. */
const oneTypoFrom = 4
const twoTyposFrom = 8

/** The word of a text that begins nearest to a mistyped one; null: none is near enough. */
function mistyped(word: string, text: string): Found | null {
  if (word.length < oneTypoFrom) return null
  const most = word.length < twoTyposFrom ? 1 : 2
  let best: Found | null = null
  for (const { 0: other, index } of text.matchAll(/[\p{L}\p{N}]{1,400}/gu)) {
    const typos = typosIn(word, other.slice(0, word.length + most))
    const score = 20 - typos * 5
    if (typos <= most && (best === null || score > best.score)) {
      best = { score, marks: [[index, index + other.length]] }
    }
  }
  return best
}

/** The fewest letters put in, left out, changed or swapped with the next that make `word` of any beginning of `other`. */
function typosIn(word: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= word.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = word[i - 1] === other[j - 1]
      const swapped = i > 1 && j > 1 && word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1]
      next.push(
        Math.min(
          (row[j - 1] ?? 0) + (same ? 0 : 1),
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    before = row
    row = next
  }
  return Math.min(...row)
}

function beginsWord(text: string, at: number): boolean {
  return at === 0 || !isLetter(text.charAt(at - 1))
}

function isLetter(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character)
}

/** Those that fit, the best first; of those that fit alike, in the order in which they are given. */
export function ranked<T extends Matchable>(
  words: readonly string[],
  things: readonly T[],
  typos = false,
): { readonly thing: T; readonly match: Match }[] {
  return things
    .flatMap((thing) => {
      const found = match(words, thing, typos)
      return found ? [{ thing, match: found }] : []
    })
    .toSorted((one, other) => other.match.score - one.match.score)
}
