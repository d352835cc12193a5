import { Inbox } from 'lucide-react'
import { expect, it } from 'vitest'
import type { Entry } from '#renderer/features/palette/entries.ts'
import { partsOf } from '#renderer/features/palette/parts.ts'
import { sectionsOf } from '#renderer/features/palette/sections.ts'

function entry(id: string, label: string, section: Entry['section'] = 'Commands'): Entry {
  return { id, label, section, group: '', words: '', keys: [], icon: Inbox, run: () => undefined }
}
const entries = [
  entry('a', 'Go to jobs'),
  entry('b', 'Go to endpoints'),
  entry('c', 'Open the tunnel'),
  entry('d', 'Tunnel provider', 'Settings'),
  entry('e', 'Port', 'Settings'),
]
function ids(query: string, used: readonly string[] = []): Record<string, string[]> {
  const sections = sectionsOf(query, entries, used)
  return Object.fromEntries(
    sections.map(({ title, offered }) => [title, offered.map((one) => one.entry.id)]),
  )
}

it('offers what was used lately first, and then every command, while nothing is typed', () => {
  expect(ids('')).toEqual({ Commands: ['a', 'b', 'c'] })
  expect(ids('', ['e', 'b', 'gone'])).toEqual({ 'Used lately': ['e', 'b'], Commands: ['a', 'c'] })
})

it('puts what was used last first of what fits alike, and commands before settings', () => {
  expect(ids('go to')).toEqual({ Commands: ['a', 'b'] })
  expect(ids('go to', ['b'])).toEqual({ Commands: ['b', 'a'] })
  expect(Object.keys(ids('tunnel'))).toEqual(['Commands', 'Settings'])
  expect(ids('nothing at all')).toEqual({})
})

function titles(query: string): string[] {
  return partsOf(query, sectionsOf(query, entries, ['a']), []).map(({ title }) => title)
}

it('ends with the filter, and begins with deliveries where an id was written', () => {
  expect(titles('')).toEqual(['Used lately', 'Commands'])
  expect(titles('tunnel')).toEqual(['Commands', 'Settings', 'Filter'])
  expect(titles('zzz')).toEqual(['Filter'])
  // A number means that delivery, found or not yet: Enter at once must not filter for it.
  expect(partsOf('#3', [], [])).toEqual([
    { title: 'Deliveries', choices: [{ kind: 'number', id: 'delivery:3', number: 3 }] },
  ])
})
