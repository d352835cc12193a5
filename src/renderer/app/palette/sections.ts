import { type Mark, searchTermsOf, fold, mergeMarks } from '#kit/text/search-terms.ts'
import { meaningScore, meaningsOf } from '#kit/text/meaning.ts'
import type { Entry, Matchable } from './entries.ts'
import uFuzzy from '@leeoniya/ufuzzy'

export interface SectionEntry {
  readonly entry: Entry
  readonly marks: readonly Mark[]
}

export interface Section {
  readonly title: string
  readonly entries: readonly SectionEntry[]
}

const maxRecent = 5
const maxPerSection = 30
const recencyBonus = 15

/**
 * The entries for a query, by section. Without a query: recent entries, then all commands. Otherwise all matches, best first. The section with
 * the best match comes first. `recent`: IDs, most recent first. `guide`: found already.
 */
export function sectionsOf(
  query: string,
  entries: readonly Entry[],
  recent: readonly string[],
  guide: readonly Entry[] = [],
): readonly Section[] {
  const words = searchTermsOf(query)
  if (words.length === 0) return withoutQuery(entries, recent)
  const matches = rankMatches(words, entries)
  const found = [...matches, ...byMeaning(query, entries, matches)]
    .map(({ entry, marks, score }) => ({
      entry,
      marks,
      score: score + recency(entry.id, recent) - penalty[entry.section],
    }))
    .toSorted((a, b) => b.score - a.score)
  const shown: readonly SectionEntry[] = [...found, ...guide.map(unmarked)]
  const titles = [...new Set(shown.map(({ entry }) => entry.section))]
  return titles.map((title) => ({
    title,
    entries: shown.filter(({ entry }) => entry.section === title).slice(0, maxPerSection),
  }))
}

/** Those that no word of the query matches, but its meaning does. They come after the others. */
function byMeaning(
  query: string,
  entries: readonly Entry[],
  matches: readonly Match<Entry>[],
): Match<Entry>[] {
  const known = new Set(matches.map(({ entry }) => entry))
  const meanings = meaningsOf(query)
  return entries
    .filter((entry) => !known.has(entry))
    .map((entry) => {
      const label = fold(entry.label).text
      const score = meaningScore(meanings, label, fold(`${entry.group} ${entry.words}`).text)
      // A match of the label outweighs that of a command's other words.
      return { entry, score: score * 10 - maxMeaning, marks: [] }
    })
    .filter(({ score }) => score > -maxMeaning)
}

/** More than a query of a few words can score. */
const maxMeaning = 1000

/** Subtracted from the score, so that commands come before links to settings and pages. */
const penalty = {
  Commands: 0,
  Settings: 30,
  Guide: 25,
  'Event logs': 5,
} as const satisfies Record<Entry['section'], number>

function recency(id: string, recent: readonly string[]): number {
  const at = recent.indexOf(id)
  return at === -1 ? 0 : Math.max(0, recencyBonus - at)
}

function withoutQuery(entries: readonly Entry[], recent: readonly string[]): Section[] {
  const recentEntries = recent
    .map((id) => entries.find((entry) => entry.id === id))
    .filter((entry) => entry !== undefined)
    .slice(0, maxRecent)
  const rest = entries.filter(
    (entry) => entry.section === 'Commands' && !recentEntries.includes(entry),
  )
  return [
    { title: 'Recent', entries: recentEntries.map(unmarked) },
    { title: 'Commands', entries: rest.map(unmarked) },
  ].filter((section) => section.entries.length > 0)
}

function unmarked(entry: Entry): SectionEntry {
  return { entry, marks: [] }
}

export interface Match<T extends Matchable> {
  readonly entry: T
  readonly score: number
  readonly marks: readonly Mark[]
}

/** In the label, a word may have one error: a letter more, less or different, or two swapped ones. */
const options = {
  unicode: true,
  interSplit: String.raw`[^\p{L}\d]+`,
  interBound: String.raw`[^\p{L}\d]`,
  intraSplit: String.raw`\p{Ll}\p{Lu}`,
  intraBound: String.raw`\p{Ll}\p{Lu}`,
  intraChars: String.raw`[\p{L}\d]`,
  intraMode: 1,
  intraIns: 1,
  intraSub: 1,
  intraTrn: 1,
  intraDel: 1,
} as const
const fuzzy = new uFuzzy(options)

const scores = { labelStart: 90, wordStart: 80, inside: 40, withError: 20, elsewhere: 40, both: 10 }

/**
 * The entries in which each word matches the label, or the start of a word elsewhere, best first. Errors are only allowed if nothing matches
 * without. Equal matches keep their order. `words` are those of `searchTermsOf`.
 */
export function rankMatches<T extends Matchable>(
  words: readonly string[],
  entries: readonly T[],
): Match<T>[] {
  const labels = entries.map(({ label }) => fold(label))
  const texts = labels.map(({ text }) => text)
  let found = entries.map((entry, index) => {
    const others = ` ${fold(`${entry.group} ${entry.words}`).text}`
    const marks: Mark[] = []
    return { entry, index, others, marks, withErrors: false, score: 0 }
  })
  for (const word of words) {
    const inLabels = matchesIn(texts, word)
    found = found.flatMap((match) => {
      const inLabel = inLabels.get(match.index)
      const elsewhere = match.others.includes(` ${word}`)
      if (!inLabel && !elsewhere) return []
      const { at = [] } = labels[match.index] ?? {}
      const marks = inLabel?.marks.map(([from, to]): Mark => [at[from] ?? 0, at[to] ?? 0]) ?? []
      return {
        ...match,
        marks: [...match.marks, ...marks],
        withErrors: match.withErrors || (!elsewhere && inLabel?.score === scores.withError),
        score:
          match.score +
          Math.max(inLabel?.score ?? 0, elsewhere ? scores.elsewhere : 0) +
          (inLabel && elsewhere ? scores.both : 0),
      }
    })
  }
  const exact = found.filter(({ withErrors }) => !withErrors)
  return (exact.length > 0 ? exact : found)
    .map(({ entry, score, marks }) => ({
      entry,
      // Of two equal matches, the shorter label wins.
      score: score - Math.min(entry.label.length, 99) / 100,
      marks: mergeMarks(marks),
    }))
    .toSorted((a, b) => b.score - a.score)
}

function matchesIn(texts: string[], word: string) {
  const candidates = fuzzy.filter(texts, word) ?? []
  if (candidates.length === 0) return new Map<number, never>()
  const { idx, ranges, start, interLft2 } = fuzzy.info(candidates, texts, word)
  return new Map(
    idx.map((index, n) => {
      const marks = Array.from({ length: (ranges[n]?.length ?? 0) / 2 }, (_, pair): Mark => {
        const [from = 0, to = 0] = ranges[n]?.slice(pair * 2) ?? []
        return [from, to]
      })
      const literal = texts[index]?.includes(word) === true
      const atWord = (interLft2[n] ?? 0) > 0
      const score = !literal
        ? scores.withError
        : start[n] === 0
          ? scores.labelStart
          : atWord
            ? scores.wordStart
            : scores.inside
      return [index, { score, marks }]
    }),
  )
}
