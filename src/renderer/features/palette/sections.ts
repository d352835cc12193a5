import { searchTermsOf } from '../../ui/text/search-terms.ts'
import type { Entry } from './entries.ts'
import type { Match } from './match.ts'
import { ranked } from './match.ts'

export interface Offered {
  readonly entry: Entry
  readonly marks: Match['marks']
}

export interface Section {
  readonly title: string
  readonly offered: readonly Offered[]
}

/** How many used ones are shown before anything is typed. */
const usedShown = 5
/** How many of a section are shown: who does not find it among these types on. */
const mostShown = 30
/** What was used last counts as much more as a word that begins, against one that is within. */
const bonus = 15

/**
 * What is offered for what was typed. Nothing typed: what was used lately, then every command. Else all that fits, the best first, by section;
 * the section with the best of them first. `used`: ids, the last first.
 */
export function sectionsOf(
  query: string,
  entries: readonly Entry[],
  used: readonly string[],
): readonly Section[] {
  const words = searchTermsOf(query)
  if (words.length === 0) return untyped(entries, used)
  const exact = ranked(words, entries)
  // A typo is looked for only where nothing fits as it is written.
  const found = (exact.length > 0 ? exact : ranked(words, entries, true))
    .map(({ thing, match }) => ({
      entry: thing,
      marks: match.marks,
      score: match.score + recency(thing.id, used) - distance[thing.section],
    }))
    .toSorted((one, other) => other.score - one.score)
  const titles = [...new Set(found.map(({ entry }) => entry.section))]
  return titles.map((title) => ({
    title,
    offered: found.filter(({ entry }) => entry.section === title).slice(0, mostShown),
  }))
}

/** Of what fits alike, what does something comes before what only leads to where it is set. */
const distance = {
  Commands: 0,
  Settings: 30,
  Guide: 25,
  'Event logs': 5,
} as const satisfies Record<Entry['section'], number>

function recency(id: string, used: readonly string[]): number {
  const at = used.indexOf(id)
  return at === -1 ? 0 : Math.max(0, bonus - at)
}

function untyped(entries: readonly Entry[], used: readonly string[]): Section[] {
  const lately = used
    .map((id) => entries.find((entry) => entry.id === id))
    .filter((entry) => entry !== undefined)
    .slice(0, usedShown)
  const rest = entries.filter((entry) => entry.section === 'Commands' && !lately.includes(entry))
  return [
    { title: 'Recent', offered: lately.map(unmarked) },
    { title: 'Commands', offered: rest.map(unmarked) },
  ].filter(({ offered }) => offered.length > 0)
}

function unmarked(entry: Entry): Offered {
  return { entry, marks: [] }
}
