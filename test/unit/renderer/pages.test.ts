import { expect, it } from 'vitest'
import { allTabs, pages, placeOf } from '#app/pages.ts'
import { everyPage } from '../../support/states/every-page.ts'

it('has eight pages, in the order of the rail', () => {
  expect(pages.map(({ label }) => label)).toEqual([
    'Deliveries',
    'Send',
    'Handler',
    'Health',
    'Authorization',
    'Setup',
    'Help',
    'Settings',
  ])
})

it.each([
  ['', 'Live'],
  ['#/deliveries/12?filter=a', 'Live'],
  ['#/nowhere', 'Live'],
  ['#/deliveriesx', 'Live'],
  ['#/logs/3/rehearsals/12', 'Event logs'],
  ['#/send', 'Drafts'],
  ['#/send/scenarios/friday', 'Scenarios'],
  ['#/send/nowhere', 'Drafts'],
  ['#/health/charts?range=week', 'Charts'],
  ['#/setup/reach/relay', 'Reachability'],
  ['#/settings/port', 'Settings'],
])('opens %s in the tab %s', (hash, label) => {
  expect(placeOf(hash).tab.label).toBe(label)
})

it('is checked in each of its tabs', () => {
  for (const page of pages) {
    const hashes = (everyPage[page.name] ?? []).map(({ hash }) => hash)
    for (const tab of page.tabs) {
      expect(
        hashes.some((hash) => placeOf(hash).tab === tab),
        tab.address,
      ).toBe(true)
    }
  }
})

it('opens each tab by a command of its own', () => {
  expect(new Set(allTabs.map(({ go }) => go)).size).toBe(allTabs.length)
})
