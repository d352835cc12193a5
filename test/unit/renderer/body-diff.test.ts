import { describe, expect, it } from 'vitest'
import type { Header } from '#contract/models.ts'
import { diffHeaders } from '#shared/diff/headers.ts'
import { diffLines } from '#shared/diff/lines.ts'
import { compareBodies, lineRows } from '#parts/diff/diff-model.ts'
import { differsByRoute } from '#parts/diff/HeaderDiffTable.tsx'

const lines = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word} ${n}`).join('\n')
const utf8 = (text: string) => new TextEncoder().encode(text)
const numbers = (by: number) => JSON.stringify(Array.from({ length: 20_000 }, (_, n) => n * by))
const deep = (inner: string) => `${'['.repeat(30_000)}${inner}${']'.repeat(30_000)}`
const compare = (before: string, after: string) =>
  compareBodies({ before: utf8(before), after: utf8(after) })

describe('two bodies', () => {
  it('are equal, or have a first difference', () => {
    expect(compare('abc', 'abc')).toMatchObject({ equal: true, firstDifference: null })
    // One is a prefix of the other.
    expect(compare('abc', 'abcd').firstDifference).toBe(3)
  })

  it('may be large, deep or unrelated', () => {
    const apart = compare(numbers(2), numbers(-3))
    expect(apart.counts.changed).toBe(19_999)
    expect(apart.values).toHaveLength(200)
    const longer = compare(numbers(2), numbers(2).replace('0,', '-1,0,'))
    expect(longer.values).toMatchObject([{ path: '[0]', change: 'added', after: '-1' }])
    const long = compare(`["${'x'.repeat(2000)}"]`, '[1]')
    expect(long.values[0]?.before).toHaveLength(2002)
    expect(compare(deep('1'), deep('2'))).toMatchObject({ equal: false, as: 'text' })
  })
})

describe('two texts', () => {
  it('are compared by line, with some context', () => {
    const before = Array.from({ length: 30 }, (_, n) => `line ${n}`)
    const after = before.with(15, 'another').toSpliced(20, 1)
    const rows = lineRows(diffLines(before.join('\n'), after.join('\n')) ?? [])
    const printed = rows.map(({ kind, number, text }) => `${kind} ${number} ${text}`.trim())
    expect(printed[0]).toBe('skipped 12')
    expect(printed).toContain('removed 16 line 15')
    expect(printed).toContain('added 16 another')
    expect(printed).toContain('removed 21 line 20')
    expect(printed.at(-1)).toBe('skipped 6')
  })

  it('that have nothing in common stop at the time limit', () => {
    expect(diffLines(lines('a'), lines('b'))).toBeNull()
  })
})

it('headers differ by their route if a tunnel or proxy added them or changed their names', () => {
  const straight: Header[] = [
    ['Host', '127.0.0.1:4780'],
    ['X-Service-Event-Type', 'OPEN_TAB'],
    ['X-Odd', '1'],
  ]
  const tunnelled: Header[] = [
    ['host', 'pier9.loca.lt'],
    ['x-service-event-type', 'OPEN_TAB'],
    ['x-odd', '2'],
    ['x-forwarded-for', '203.0.113.9'],
  ]
  const rows = diffHeaders(straight, tunnelled)
  const byTheWay = (oneThroughTunnel: boolean): string[] =>
    rows.filter((row) => differsByRoute(row, oneThroughTunnel)).map(({ name }) => name)
  expect(byTheWay(true)).toEqual(['host', 'x-service-event-type', 'x-forwarded-for'])
  expect(byTheWay(false)).toEqual(['x-forwarded-for'])
  const [same] = diffHeaders(tunnelled.slice(3), tunnelled.slice(3))
  expect(same && differsByRoute(same, true)).toBe(false)
})
