import { type Mark, searchTermsOf } from '../../ui/text/search-terms.ts'
import type { Entry } from './entries.ts'
import { rankMatches } from './match.ts'

export interface SectionEntry {
  readonly entry: Entry
  readonly marks: readonly Mark[]
}

export interface Section {
  readonly title: string
  readonly entries: readonly SectionEntry[]
}

/** How many recent entries are shown without a query. */
const maximumRecent = 5
/** The maximum number of results in a section. */
const maximumPerSection = 30
/** Added to the score of the most recently used entry. */
const recencyBonus = 15

/**
 * The entries for a query, by section. Without a query: recent entries, then all commands. Otherwise all matches, best first. The section with
 * the best match comes first. `recent`: IDs, most recent first.
 */
export function sectionsOf(
  query: string,
  entries: readonly Entry[],
  recent: readonly string[],
): readonly Section[] {
  const words = searchTermsOf(query)
  if (words.length === 0) return withoutQuery(entries, recent)
  const found = rankMatches(words, entries)
    .map(({ entry, marks, score }) => ({
      entry,
      marks,
      score: score + recency(entry.id, recent) - penalty[entry.section],
    }))
    .toSorted((a, b) => b.score - a.score)
  const titles = [...new Set(found.map(({ entry }) => entry.section))]
  return titles.map((title) => ({
    title,
    entries: found.filter(({ entry }) => entry.section === title).slice(0, maximumPerSection),
  }))
}

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
    .slice(0, maximumRecent)
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
