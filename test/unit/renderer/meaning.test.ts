import { expect, it } from 'vitest'
import { capabilityNames } from '#contract/constants.ts'
import { entries as allCommands } from '#contract/commands.ts'
import {
  commandEntries,
  guideEntries,
  guideSections,
  settingEntries,
} from '#app/palette/entries.ts'
import { sectionsOf } from '#app/palette/sections.ts'
import { searchGuide } from '#pages/help/guide.ts'
import { meaningsOf } from '#kit/text/meaning.ts'

function firstInGuide(query: string): string[] {
  return searchGuide(query)
    .slice(0, 4)
    .map(({ page, section }) => `${page.name}#${section.slug ?? ''}`)
}

async function inPalette(query: string): Promise<string[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name is given
  const all = Object.fromEntries(capabilityNames.map((name) => [name, true])) as Parameters<
    typeof settingEntries
  >[0]
  const commands = commandEntries(new Set(allCommands().map(([name]) => name)))
  const entries = [...commands, ...settingEntries(all), ...guideEntries]
  const sections = sectionsOf(query, entries, [], await guideSections(query))
  return sections.flatMap((section) => section.entries.slice(0, 5).map(({ entry }) => entry.label))
}

function stems(query: string): string[] {
  return meaningsOf(query).map(({ own }) => own)
}

it('leaves out what every question has, and knows other forms and synonyms', () => {
  expect(stems('How do I change the brands?')).toEqual(['chang', 'brand'])
  expect(stems('deliveries')).toEqual(stems('delivery'))
  expect(stems('verifying')).toEqual(stems('verified'))
  expect(stems('how to')).toEqual(['how', 'to'])
  expect(stems('?')).toEqual([])
})

it.each([
  ['signature wrong', 'invalid-signature-causes#'],
  ['why is my signature invalid', 'invalid-signature-causes#'],
  ['hide personal data of guests', 'event-logs#'],
  ['reach it from the internet', 'tunnels#'],
])('finds the section of the guide about "%s"', (query, place) => {
  expect(firstInGuide(query).some((found) => found.startsWith(place))).toBe(true)
})

it.each([
  ['how do I change the brand', 'Brand and base URL'],
  ['signature wrong', 'Causes of an invalid signature'],
  ['dark mode', 'Use the dark theme'],
  ['remove everything', 'Clear deliveries'],
  ['expose to the internet', 'Open the tunnel'],
])('finds, in the palette, what "%s" is about', async (query, label) => {
  expect(await inPalette(query)).toContain(label)
})
