import { describe, expect, it } from 'vitest'
import {
  formatCount,
  formatDate,
  formatDuration,
  formatElapsed,
  formatFileTime,
  formatLimit,
  formatSize,
  plural,
} from '#shared/text/format.ts'
import { seeded } from '#test/support/random-json.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const random = seeded(11)

/** A random number up to `most`, equally often small and large. */
const anyUpTo = (most: number): number => most ** random()

describe('counts', () => {
  it('are grouped, with the right word', () => {
    expect(formatCount(12_408)).toBe('12,408')
    expect(plural(1, 'delivery', 'deliveries')).toBe('1 delivery')
    expect(plural(0, 'delivery', 'deliveries')).toBe('0 deliveries')
    expect(plural(1_000_000, 'delivery', 'deliveries')).toBe('1,000,000 deliveries')
  })

  it('are grouped as Intl groups them', () => {
    for (let turn = 0; turn < 2000; turn += 1) {
      const value = Math.floor(anyUpTo(1e15))
      expect(formatCount(value)).toBe(value.toLocaleString('en'))
    }
  })
})

describe('sizes', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KiB'],
    [4200, '4.1 KiB'],
    [150 * 1024 + 700, '151 KiB'],
    [2 * 1024 ** 3, '2 GiB'],
    [3000 * 1024 ** 4, '3000 TiB'],
  ])('%d bytes are %s', (bytes, expected) => {
    expect(formatSize(bytes)).toBe(expected)
  })

  it('are rounded to the last digit', () => {
    const units = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 }
    for (let turn = 0; turn < 3000; turn += 1) {
      const bytes = Math.floor(anyUpTo(1024 ** 5))
      const [, value = '', unit = ''] = /^([\d.]+) (\w+)$/.exec(formatSize(bytes)) ?? []
      const factor = Object.entries(units).find(([name]) => name === unit)?.[1] ?? 0
      const digit = value.includes('.') ? 0.05 : Number(value) >= 100 ? 0.5 : 0
      expect(Math.abs(Number(value) * factor - bytes)).toBeLessThanOrEqual(digit * factor + 1e-6)
    }
  })
})

describe('durations', () => {
  it.each([
    [0, '0 ms'],
    [0.44, '0.4 ms'],
    [3.2, '3 ms'],
    [420, '0.4 s'],
    [5000, '5 s'],
    [5003, '5.0 s'],
    [12_300, '12 s'],
    [90_000, '90 s'],
    [300_000, '5 min'],
    [3 * hour, '3 h'],
    [3 * day, '3 d'],
    [-2500, '−2.5 s'],
  ])('that took %d ms are %s', (ms, expected) => {
    expect(formatDuration(ms)).toBe(expected)
  })

  it('are rounded within the last digit', () => {
    const units = { ms: 1, s: 1000, min: minute, h: hour, d: day }
    for (let turn = 0; turn < 3000; turn += 1) {
      const ms = anyUpTo(1e11)
      const [, value = '', unit = ''] = /^([\d.]+) (\w+)$/.exec(formatDuration(ms)) ?? []
      const factor = Object.entries(units).find(([name]) => name === unit)?.[1] ?? 0
      const digit = (value.includes('.') ? 0.05 : 0.5) * factor
      expect(Math.abs(Number(value) * factor - ms)).toBeLessThanOrEqual(digit + 1e-6)
    }
  })

  it.each([
    [-5, '0 s'],
    [999, '0 s'],
    [59_999, '59 s'],
    [minute, '1 min'],
    [hour - 1, '59 min'],
    [7 * hour, '7 h'],
    [7 * hour + 12 * minute + 59_999, '7 h 12 min'],
    [2 * day - 1, '47 h 59 min'],
    [50 * hour + minute, '2 d 2 h'],
  ])('that last %d ms are %s', (ms, expected) => {
    expect(formatElapsed(ms)).toBe(expected)
    expect(formatElapsed(ms, 1)).toBe(expected.split(' ').slice(0, 2).join(' '))
  })

  it('are rounded down to the last unit', () => {
    const units = { s: 1000, min: minute, h: hour, d: day }
    for (let turn = 0; turn < 3000; turn += 1) {
      const ms = anyUpTo(1e10)
      let total = 0
      let last = 0
      for (const [, value, unit] of formatElapsed(ms).matchAll(/(\d+) (\w+)/g)) {
        last = Object.entries(units).find(([name]) => name === unit)?.[1] ?? 0
        total += Number(value) * last
      }
      // Whole hours are shown without minutes.
      expect(total).toBeLessThanOrEqual(ms)
      expect(ms - total).toBeLessThan(last)
    }
  })
})

it('limits are not rounded', () => {
  expect([1, 750, 1500, 30_000, 150_000].map(formatLimit)).toEqual([
    '1 ms',
    '750 ms',
    '1500 ms',
    '30 s',
    '150 s',
  ])
})

it('dates are in local time', () => {
  const date = new Date(2026, 2, 3, 9, 5)
  expect(formatDate(date)).toBe('2026-03-03')
  expect(formatFileTime(date)).toBe('2026-03-03-0905')
})
