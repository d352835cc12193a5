import { Icons } from '#kit/icons.tsx'
import { expect, it } from 'vitest'
import { entries as allCommands } from '#contract/commands.ts'
import { commandEntries, type Entry } from '#app/palette/entries.ts'
import { nothingFound, partsOf } from '#app/palette/Finder.tsx'
import { sectionsOf } from '#app/palette/sections.ts'

function entry(id: string, label: string, section: Entry['section'] = 'Commands'): Entry {
  return {
    id,
    label,
    section,
    group: '',
    words: '',
    keys: [],
    icon: Icons.Inbox,
    run: () => undefined,
  }
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
    sections.map(({ title, entries: shown }) => [title, shown.map(({ entry }) => entry.id)]),
  )
}

it('shows recent entries first, then every command, without a query', () => {
  expect(ids('')).toEqual({ Commands: ['a', 'b', 'c'] })
  expect(ids('', ['e', 'b', 'gone'])).toEqual({ Recent: ['e', 'b'], Commands: ['a', 'c'] })
})

it('ranks recent entries first among equal matches, and commands before settings', () => {
  expect(ids('go to')).toEqual({ Commands: ['a', 'b'] })
  expect(ids('go to', ['b'])).toEqual({ Commands: ['b', 'a'] })
  expect(Object.keys(ids('tunnel'))).toEqual(['Commands', 'Settings'])
  expect(ids('nothing at all')).toEqual({})
})

const none = { rows: [], searching: false, complete: true }

function titles(query: string): string[] {
  return partsOf(query, sectionsOf(query, entries, ['a']), none).map(({ title }) => title)
}

it('ends with the filter, and starts with deliveries for an ID', () => {
  expect(titles('')).toEqual(['Recent', 'Commands'])
  expect(titles('tunnel')).toEqual(['Commands', 'Settings', 'Filter'])
  expect(titles('zzz')).toEqual(['Filter'])
  // A number refers to that delivery, even before it is found, so Enter must not apply a filter.
  const guess = {
    title: 'Deliveries',
    choices: [{ kind: 'number', id: 'delivery:3', number: 3 }],
  }
  expect(partsOf('#3', [], { ...none, searching: true })).toEqual([guess])
  const port = sectionsOf('3', [{ ...entry('p', 'Port', 'Settings'), words: '3000' }], [])
  expect(partsOf('3', port, { ...none, searching: true }).map(({ title }) => title)).toEqual([
    'Deliveries',
    'Settings',
    'Filter',
  ])
  // A missing delivery is not shown once the search is complete.
  expect(partsOf('#3', [], none)).toEqual([])
})

function said(query: string, found = none): string | null {
  return nothingFound(query, partsOf(query, sectionsOf(query, entries, []), found), found)
}

it('reports that there are no results, that no delivery has the number, or that the search was incomplete', () => {
  expect(said('')).toBeNull()
  expect(said('tunnel')).toBeNull()
  expect(said('zzz')).toBe('No results')
  expect(said('"(<>')).toBe('No results')
  expect(said('zzz', { ...none, searching: true })).toBeNull()
  expect(said('#3')).toBe('Delivery not found.')
  expect(said('size:>9', { ...none, complete: false })).toContain('Not every delivery was searched')
})

// Of tools and of earlier versions.
it.each([
  ['tunnel', 'Open the tunnel', 'Go to reachability'],
  ['relay', 'Go to the relay'],
  ['compose', 'Go to drafts'],
  ['jobs', 'Go to the history of jobs'],
  ['conformance', 'Go to differences from the documentation'],
  ['rehearse', 'Rehearse a handler', 'Go to rehearsals'],
  ['mock response', 'Go to endpoints'],
  ['copy as curl', 'Go to the API console'],
  ['resend', 'Re-send with the last settings', 'Go to the history of jobs'],
  ['api console', 'Go to the API console'],
  ['assistant activity', 'Go to assistants'],
])('finds %s', (query, ...labels) => {
  const all = commandEntries(new Set(allCommands().map(([name]) => name)))
  const found = sectionsOf(query, all, []).flatMap((section) =>
    section.entries.map((one) => one.entry.label),
  )
  expect(found).toEqual(expect.arrayContaining(labels))
})
