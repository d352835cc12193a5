import { describe, expect, it } from 'vitest'
import type { Header } from '#contract/models.ts'
import { diffBytes, diffText } from '#renderer/features/diff/byte-diff.ts'
import { compareBodies, createDiffModel, meaningUpTo } from '#renderer/features/diff/diff-model.ts'
import { differsByRoute, diffHeaders } from '#renderer/features/diff/HeaderDiffTable.tsx'

const lines = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word} ${n}`).join('\n')

const utf8 = (text: string) => new TextEncoder().encode(text)

describe('two bodies by byte', () => {
  it('are equal, or have a first difference', () => {
    expect(diffBytes(utf8('abc'), utf8('abc'))).toMatchObject({ equal: true, at: null })
    expect(diffBytes(utf8('abc'), utf8('abd'))).toMatchObject({ equal: false, at: 2, from: 0 })
    // One is a prefix of the other.
    expect(diffBytes(utf8('abc'), utf8('abcd'))).toMatchObject({ equal: false, at: 3 })
    expect(diffBytes(utf8(''), utf8(''))).toMatchObject({ equal: true })
    const long = diffBytes(utf8(`${'x'.repeat(1000)}a`), utf8(`${'x'.repeat(1000)}b`))
    expect(long).toMatchObject({ at: 1000, from: 944 })
    expect(long.around[0].length).toBe(57)
    expect(long.around[0][1000 - 944]).toBe(0x61)
  })

  it('are compared by value up to 5 MiB', () => {
    const long = utf8(`"${'x'.repeat(meaningUpTo)}"`)
    const found = compareBodies(long, utf8('"x"'))
    expect(found.json).toBeNull()
    expect(found.notJson).toMatch(/larger than 5 MiB/)
    expect(found.bytes.at).toBe(2)
  })

  it('report which of them is not JSON', () => {
    expect(compareBodies(utf8('{}'), utf8('x')).notJson).toMatch(/after is not JSON/)
    expect(compareBodies(utf8('{'), utf8('{}')).notJson).toMatch(/before is not JSON/)
    expect(compareBodies(Uint8Array.of(0xff), utf8('<a>')).notJson).toMatch(/Neither/)
    // Even a single line of text is compared by line.
    expect(compareBodies(utf8('not found'), utf8('busy'))).toMatchObject({
      notJson: 'Neither body is JSON: compared as text.',
      lines: { added: 1, removed: 1 },
    })
    expect(compareBodies(utf8('x'.repeat(501)), utf8('y'.repeat(501))).lines).toBeNull()
    expect(compareBodies(utf8('1.0'), utf8('1'))).toMatchObject({
      json: { equal: true },
      bytes: { equal: false, at: 1 },
    })
  })

  it('come in slices', () => {
    const model = createDiffModel()
    for (const bytes of [utf8('{"a"'), utf8(':1}')]) model.add({ side: 'before', bytes })
    model.add({ side: 'after', bytes: utf8('{"a":2}') })
    expect(model.compare().json?.counts).toMatchObject({ changed: 1 })
  })
})

describe('two texts', () => {
  it('are compared by line, with some context', () => {
    const before = Array.from({ length: 30 }, (_, n) => `line ${n}`)
    const after = before.with(15, 'another').toSpliced(20, 1)
    const found = diffText(before.join('\n'), after.join('\n'))
    expect(found).toMatchObject({ added: 1, removed: 2 })
    const rows = found?.rows.map(({ kind, number, text }) => `${kind} ${number} ${text}`.trim())
    expect(rows?.[0]).toBe('skipped 12')
    expect(rows).toContain('removed 16 line 15')
    expect(rows).toContain('added 16 another')
    expect(rows).toContain('removed 21 line 20')
    expect(rows?.at(-1)).toBe('skipped 6')
  })

  it('that have nothing in common stop at the time limit', () => {
    expect(diffText(lines('a'), lines('b'))).toBeNull()
  })
})

describe('two lists of headers', () => {
  const before: Header[] = [
    ['Host', 'a'],
    ['X-One', '1'],
    ['Set', 'a'],
    ['set', 'b'],
    ['Gone', 'x'],
  ]

  it('are distinguished by name, value, case and number', () => {
    const after: Header[] = [
      ['host', 'a'],
      ['X-One', '2'],
      ['Set', 'a'],
      ['New', 'y'],
    ]
    const { rows, reordered } = diffHeaders(before, after)
    expect(rows.map(({ name, kind }) => [name, kind])).toEqual([
      ['host', 'case'],
      ['x-one', 'changed'],
      ['set', 'changed'],
      ['new', 'added'],
      ['gone', 'removed'],
    ])
    expect(reordered).toBe(false)
  })

  it('differ by their route if a tunnel or proxy added headers or changed names', () => {
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
    const { rows } = diffHeaders(straight, tunnelled)
    const byTheWay = (oneThroughTunnel: boolean): string[] =>
      rows.filter((row) => differsByRoute(row, oneThroughTunnel)).map(({ name }) => name)
    expect(byTheWay(true)).toEqual(['host', 'x-service-event-type', 'x-forwarded-for'])
    expect(byTheWay(false)).toEqual(['x-forwarded-for'])
    const [same] = diffHeaders(tunnelled.slice(3), tunnelled.slice(3)).rows
    expect(same && differsByRoute(same, true)).toBe(false)
  })

  it('in a different order are reported as reordered, and equal ones as equal', () => {
    const same = diffHeaders(before, before)
    expect(same.reordered).toBe(false)
    expect(same.rows.every(({ kind }) => kind === 'same')).toBe(true)
    expect(diffHeaders(before, before.toReversed()).reordered).toBe(true)
    // An additional header does not change the order of the others.
    expect(diffHeaders(before, before.toSpliced(1, 0, ['New', '1'])).reordered).toBe(false)
  })
})
