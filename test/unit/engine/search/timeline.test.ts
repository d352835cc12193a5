import { describe, expect, it } from 'vitest'
import { parseFilter } from '#contract/filter/parse.ts'
import { bucketsFor, classesOf } from '#engine/search/timeline-classes.ts'
import { seeded } from '#test/support/random-json.ts'

const day = 86_400_000
const at = Date.parse('2026-03-14T21:07:03.500Z')

const types = (n: number) =>
  new Map<string | null, number>(Array.from({ length: n }, (_, index) => [`T${index}`, n - index]))

describe('buckets', () => {
  it('are the narrowest that cover the range, have a common width, and align with UTC', () => {
    const spans: [ms: number, most: number, width: number][] = [
      [0, 1, 1000],
      [1000, 60, 1000],
      [60_000, 60, 5000],
      [5 * 60_000, 60, 15_000],
      [3_600_000, 60, 300_000],
      [3_600_000, 100, 60_000],
      [day, 60, 3_600_000],
      [30 * day, 100, 12 * 3_600_000],
      [365 * day, 100, 4 * day],
    ]
    for (const [span, most, width] of spans) {
      expect(bucketsFor(at, at + span, most).width, `${span} in ${most}`).toBe(width)
    }
    expect(bucketsFor(at, at + day, 60).from).toBe(Date.parse('2026-03-14T21:00:00Z'))
  })

  it('are never too many, and include both ends', () => {
    const random = seeded(7)
    for (let turn = 0; turn < 2000; turn++) {
      const from = random() * 2e12
      const to = from + random() ** 8 * 1e12
      const most = 1 + Math.floor(random() * 400)
      const { from: first, width, count } = bucketsFor(from, to, most)
      expect(count).toBeLessThanOrEqual(most)
      expect(first).toBeLessThanOrEqual(from)
      expect(from - first).toBeLessThan(width)
      expect(first + count * width).toBeGreaterThan(to)
      expect(first + (count - 1) * width).toBeLessThanOrEqual(to)
      expect(first % width).toBe(0)
    }
  })
})

describe('classes', () => {
  it('of types are the twelve most frequent, and the others together', () => {
    expect(classesOf('type', types(12)).map(({ label }) => label)).toHaveLength(12)
    // A single additional type is shown instead of “others”.
    expect(classesOf('type', types(13)).at(-1)?.label).toBe('T12')
    const many = classesOf('type', types(20))
    expect(many).toHaveLength(13)
    expect(many.at(-1)).toMatchObject({
      label: '8 other types',
      of: expect.arrayContaining(['T19']),
    })
    expect(many.at(-1)?.term).toBe(`-type:${Array.from({ length: 12 }, (_, n) => `T${n}`).join()}`)
  })

  it('have valid terms for any name of a type', () => {
    const hostile = ['none', 'a b', 'a,b', '"', 'x*', '-', '(', '', '\u202e', null]
    const totals = new Map<string | null, number>(hostile.map((type) => [type, 1]))
    for (const { term } of classesOf('type', totals)) expect(parseFilter(term).ok, term).toBe(true)
    for (const by of ['verdict', 'lag', 'size'] as const) {
      for (const { term } of classesOf(by, totals)) expect(parseFilter(term).ok, term).toBe(true)
    }
  })
})
