import { expect, it } from 'vitest'
import { hitsOf } from '#renderer/features/deliveries/filter/search-hits.ts'
import { parsed } from '#test/support/filter-texts.ts'

function hits(filter: string, text: string): string[] {
  return (hitsOf(parsed(filter))?.(text) ?? []).map(([from, to]) => text.slice(from, to))
}

it.each([
  ['mil', 'Tab “Miller” opened, Emil', ['Mil']],
  ['"mil"', 'Miller, Mil', ['Mil']],
  ['"ale fr*"', 'pale ale, fries', ['ale, fr']],
  ['contains:il', 'Miller, Emil', ['il', 'il']],
  ['contains:a*z', 'abc xyz', ['a', 'z']],
  ['cafe or patio', 'Café on the Patio', ['Café', 'Patio']],
  ['type:OPEN_TAB -patio tab', 'Patio tab-1', ['tab']],
  ['4e28-9', '1b 4e28-9f01', ['4e28-9']],
])('%s in %j', (filter, text, found) => {
  expect(hits(filter, text)).toEqual(found)
})

it('highlights nothing without search words', () => {
  for (const filter of ['', 'type:OPEN_TAB', '-patio', 'contains:!=x']) {
    expect(hitsOf(parsed(filter))).toBeNull()
  }
})
