import type { Mark } from '../../ui/text/search-terms.ts'
import { fold, mergeMarks } from '../../ui/text/search-terms.ts'

/** The texts of an entry that can match. A match in the label counts most, then other words, then the group. */
export interface Matchable {
  readonly label: string
  readonly group: string
  readonly words: string
}

export interface Match {
  /** Higher is better. */
  readonly score: number
  /** The matched ranges of the label: from, to in UTF-16 units, in order, without overlap. */
  readonly marks: readonly Mark[]
}

/**
 * How well words match an entry; null if a word does not match at all. Each word is searched literally. In the label, it also matches as a
 * subsequence and, if `typos` are allowed, with one or two wrong letters. The time is bounded by the product of both lengths for any input.
 */
export function match(words: readonly string[], entry: Matchable, typos = false): Match | null {
  const label = fold(entry.label)
  const group = fold(entry.group).text
  const more = fold(entry.words).text
  let score = 0
  const marks: Mark[] = []
  for (const word of words) {
    const found =
      inText(word, label.text) ??
      subsequence(word, label.text) ??
      (typos ? withTypos(word, label.text) : null)
    const elsewhere = Math.max(
      (inText(word, group)?.score ?? 0) * 0.4,
      // These words are not visible, so a match inside a word would look like an error.
      (inText(word, more, true)?.score ?? 0) * 0.5,
    )
    if (!found && elsewhere === 0) return null
    // A match in both places is better than in one.
    score += Math.max(found?.score ?? 0, elsewhere) + (found ? elsewhere * 0.3 : 0)
    for (const [from, to] of found?.marks ?? []) {
      marks.push([label.at[from] ?? 0, label.at[to] ?? entry.label.length])
    }
  }
  // Of two equal matches, the shorter label wins.
  return { score: score - Math.min(label.text.length, 99) / 100, marks: mergeMarks(marks) }
}

interface WordMatch {
  readonly score: number
  readonly marks: readonly Mark[]
}

/** A literal match: best at the start, then at the start of a word, then, unless `onlyWordStarts`, anywhere. */
function inText(word: string, text: string, onlyWordStarts = false): WordMatch | null {
  let best: WordMatch | null = null
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const starts = startsWord(text, at)
    if (onlyWordStarts && !starts) continue
    const ends = !isLetter(text.charAt(at + word.length))
    const score = (at === 0 ? 90 : starts ? 80 : 40) + (starts && ends ? 10 : 0)
    if (best === null || score > best.score) best = { score, marks: [[at, at + word.length]] }
  }
  return best
}

/**
 * Matches the letters of a word in order, with other letters between them. Finds the first position where they end, then reads backwards from
 * there for the shortest range. Null if the range does not start at a word or the letters are too far apart.
 */
function subsequence(word: string, text: string): WordMatch | null {
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
    if (startsWord(text, at)) starts++
    left--
  }
  const from = marks[0]?.[0] ?? 0
  if (starts === word.length) return { score: 35, marks }
  if (!startsWord(text, from) || end - from > word.length * 2) return null
  return { score: 5 + (20 * word.length) / (end - from), marks }
}

/** The minimum length of a word with one typo, and with two. */
const oneTypoLength = 4
const twoTyposLength = 8

/** The word of a text that begins nearest to a withTypos one; null: none is near enough. */
function withTypos(word: string, text: string): WordMatch | null {
  if (word.length < oneTypoLength) return null
  const allowed = word.length < twoTyposLength ? 1 : 2
  let best: WordMatch | null = null
  for (const { 0: other, index } of text.matchAll(/[\p{L}\p{N}]{1,400}/gu)) {
    const typos = typosIn(word, other.slice(0, word.length + allowed))
    const score = 20 - typos * 5
    if (typos <= allowed && (best === null || score > best.score)) {
      best = { score, marks: [[index, index + other.length]] }
    }
  }
  return best
}

/** The edit distance (insert, delete, replace, swap neighbours) between `word` and the closest prefix of `other`. */
function typosIn(word: string, other: string): number {
  let previousRow: number[] = []
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
          swapped ? (previousRow[j - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    previousRow = row
    row = next
  }
  return Math.min(...row)
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || !isLetter(text.charAt(at - 1))
}

function isLetter(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character)
}

/** The entries that match, best first. Equal matches keep their order. */
export function rankMatches<T extends Matchable>(
  words: readonly string[],
  entries: readonly T[],
  typos = false,
): { readonly entry: T; readonly match: Match }[] {
  return entries
    .flatMap((entry) => {
      const found = match(words, entry, typos)
      return found ? [{ entry, match: found }] : []
    })
    .toSorted((a, b) => b.match.score - a.match.score)
}
