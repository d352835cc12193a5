import { expect, it } from 'vitest'
import { hasEnded } from '#client/state/filter.ts'

const now = Date.parse('2026-03-04T12:00:00Z')

it.each([
  ['before:2020-01-01', true],
  ['type:A before:15m', true],
  ['before:now', true],
  ['before:2020-01-01 or before:2021-01-01', true],
  ['', false],
  ['since:2h', false],
  ['type:A', false],
  ['before:2030-01-01', false],
  ['before:2020-01-01 or type:A', false],
  ['before:2020-01-01,2030-01-01', false],
  ['-before:2020-01-01', false],
  ['before:', false],
])('detects whether the time range of %j has ended', (filter, over) => {
  expect(hasEnded(filter, now)).toBe(over)
})
