import { describe, expect, it } from 'vitest'
import { readDuration, readNumber, readSize, readTime } from '#contract/filter/values.ts'

const here = (day: number, hour = 0, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()

it.each([
  ['5s', 5000],
  ['200ms', 200],
  ['1.5h', 5_400_000],
  ['2D', 172_800_000],
  ['10m', 600_000],
  ['-5s', -5000],
  ['0', 0],
  ['5', null],
  ['', null],
  ['1e3s', null],
  ['s', null],
  ['5 s', null],
])('a duration %s', (text, ms) => expect(readDuration(text)).toBe(ms))

it.each([
  ['0', 0],
  ['12', 12],
  ['10kb', 10_000],
  ['10KiB', 10_240],
  ['1.5mb', 1_500_000],
  ['2mib', 2_097_152],
  ['5b', 5],
  ['-5', null],
  ['5k', null],
  ['', null],
])('a size %s', (text, bytes) => expect(readSize(text)).toBe(bytes))

it.each([
  ['100', 100],
  ['-1.5', -1.5],
  ['1e3', 1000],
  ['0x10', null],
  ['', null],
  ['1.', null],
  ['Infinity', null],
])('a number %s', (text, number) => expect(readNumber(text)).toBe(number))

describe('a time', () => {
  // A Saturday, 15:15 local time.
  const now = new Date(2026, 10, 21, 15, 15, 30, 500).getTime()

  it.each<[string, number | null]>([
    ['2h', now - 7_200_000],
    ['now', now],
    ['today', here(21)],
    ['Yesterday', here(20)],
    ['tuesday', here(17)],
    ['TUE', here(17)],
    ['friday', here(20)],
    ['sunday', here(15)],
    // Today's weekday means the previous week, because there is `today`.
    ['saturday', here(14)],
    ['2026-11-03', here(3)],
    ['2026-11-03T09:30', here(3, 9, 30)],
    ['2026-11-03T09:30:15.250Z', Date.UTC(2026, 10, 3, 9, 30, 15, 250)],
    ['2026-11-03T09:30+02:00', Date.UTC(2026, 10, 3, 7, 30)],
    ['2026-11-03T09:30-0230', null],
    ['2026-11-03T09:30-02:30', Date.UTC(2026, 10, 3, 12, 0)],
    ['2024-02-29', new Date(2024, 1, 29).getTime()],
    ['2026-02-29', null],
    ['2026-13-01', null],
    ['2026-00-10', null],
    ['2026-11-03T24:00', null],
    ['-2h', null],
    ['2026', null],
    ['tues', null],
  ])('%s', (text, at) => expect(readTime(text, now)).toBe(at))
})
