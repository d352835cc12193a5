import { expect, it } from 'vitest'
import { searchTermsOf } from '#pages/deliveries/filter/FilterField.tsx'
import { parsed } from '#test/support/filter-texts.ts'

it.each([
  ['mil', ['mil']],
  ['"ale fries"', ['ale fries']],
  ['4e28-9', ['4e28', '9']],
  ['contains:a*z', ['a', 'z']],
  ['cafe or patio', ['cafe', 'patio']],
  ['type:OPEN_TAB -patio tab', ['tab']],
  ['', []],
  ['contains:!=x', []],
])('%j searches for %j', (filter, words) => {
  expect(searchTermsOf(parsed(filter))).toEqual(words)
})
