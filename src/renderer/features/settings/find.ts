import type { Capabilities } from '#contract/host.ts'
import { fold, wordsOf } from '../../components/text/find-words.ts'
import type { PlacedSetting } from './registry.ts'
import { allSettings } from './registry.ts'

export interface FoundSettings {
  /** Names of those on the page. */
  readonly here: ReadonlySet<string>
  /** What is set on other pages. */
  readonly elsewhere: readonly PlacedSetting[]
  /** What this host does not have, and was looked for nevertheless. */
  readonly absent: readonly PlacedSetting[]
}

/** The settings that have every word of what was typed in their label, hint, card or other words. Nothing typed: all that are here. */
export function findSettings(query: string, capabilities: Capabilities): FoundSettings {
  const words = wordsOf(query)
  const found = allSettings.filter((setting) => fits(words, setting))
  const there = found.filter(({ needs }) => needs === undefined || capabilities[needs])
  return {
    here: new Set(there.filter(({ here }) => here).map(({ name }) => name)),
    elsewhere: there.filter(({ here }) => !here),
    absent: words.length === 0 ? [] : found.filter((setting) => !there.includes(setting)),
  }
}

function fits(
  words: readonly string[],
  { label, hint, card, words: more }: PlacedSetting,
): boolean {
  const text = [label, hint, card, more].map((part) => fold(part).text).join('\n')
  return words.every((word) => text.includes(word))
}
