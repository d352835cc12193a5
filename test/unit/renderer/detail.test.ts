import { describe, expect, it } from 'vitest'
import { brief, formatOf, guessFormat, readPayload } from '#pages/deliveries/detail/field-format.ts'
import { textOf } from '#parts/body/body-text.ts'
import { createBodyModel } from '#parts/body/body-model.ts'
import { lastUpTo, markMatches, findMatches as placesOf } from '#parts/body/search.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

function read(bytes: Uint8Array, size = bytes.length) {
  const body = createBodyModel()
  body.add(bytes)
  const facts = body.read({ isComplete: bytes.length >= size, size })
  return readPayload({ phase: 'ready', message: '', facts })
}

const places = (text: string, wanted: string) =>
  placesOf(text.length, (from, to) => text.slice(from, to), wanted)

describe('a body', () => {
  it('is text only when it is UTF-8, and keeps its byte order mark', () => {
    expect(textOf(utf8('Zoë'), true)).toBe('Zoë')
    expect(textOf(utf8('\ufeff{}'), true)).toBe('\ufeff{}')
    expect(textOf(Uint8Array.of(0x61, 0xff), true)).toBeNull()
    expect(textOf(Uint8Array.of(0xff, 0x61, 0x61, 0x61, 0x61), false)).toBeNull()
  })

  it('may end inside a character if it is a slice, not if it is complete', () => {
    const bytes = utf8('ab\u{1F37A}')
    for (const missing of [1, 2, 3]) {
      expect(textOf(bytes.subarray(0, bytes.length - missing), false)).toBe('ab')
      expect(textOf(bytes.subarray(0, bytes.length - missing), true)).toBeNull()
    }
  })

  it('is read as a payload, or the reason is reported', () => {
    expect(read(utf8('{"type":"OPEN_TAB"}'))).toEqual({
      kind: 'payload',
      payload: { type: 'OPEN_TAB' },
      cut: false,
      exact: [],
    })
    expect(read(utf8(''))).toEqual({ kind: 'empty' })
    expect(read(utf8('{}'), 26 * 1024 * 1024)).toEqual({ kind: 'too-long' })
    expect(read(Uint8Array.of(0xc3))).toEqual({ kind: 'not-text' })
    expect(read(utf8('{"a":'))).toMatchObject({
      kind: 'not-json',
      why: expect.stringContaining('JSON'),
    })
    const kinds = { null: 'null', '[1]': 'an array', '"x"': 'a string', '7': 'a number' }
    for (const [text, what] of Object.entries(kinds)) {
      expect(read(utf8(text))).toEqual({ kind: 'not-object', what })
    }
    const none = { facts: null, message: '' }
    expect(readPayload({ ...none, phase: 'loading' })).toEqual({ kind: 'waiting' })
    expect(readPayload({ ...none, phase: 'failed', message: 'Gone.' })).toEqual({
      kind: 'failed',
      message: 'Gone.',
    })
  })

  it('may be nested 20,000 deep', () => {
    expect(read(utf8(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)).kind).toBe('payload')
  })
})

describe('a search', () => {
  it('finds all matches, ignoring case, and treats special characters literally', () => {
    expect(places('Total total TOTAL', 'total')).toEqual([0, 6, 12])
    expect(places('a.c abc (a.c)', 'a.c')).toEqual([0, 9])
    for (const sign of String.raw`\^$.*+?()[]{}|/-"`) {
      expect(places(`x${sign}x`, sign), sign).toEqual([1])
      expect(places('xyx', sign), sign).toEqual([])
    }
    expect(places('aaaa', 'aa')).toEqual([0, 2])
    expect(places('abc', '')).toEqual([])
  })

  it('stops after 5,000 matches', () => {
    expect(places('a'.repeat(6000), 'a').length).toBe(5000)
  })

  it('finds matches across chunk boundaries, each once', () => {
    const stretch = 256 * 1024
    const text = `${'x'.repeat(stretch - 2)}abcd${'x'.repeat(stretch - 4)}abcd`
    expect(places(text, 'ABCD')).toEqual([stretch - 2, 2 * stretch - 2])
    expect(places(`${'x'.repeat(stretch - 1)}aaa`, 'aa')).toEqual([stretch - 1])
  })

  it('marks matches and keeps the text between them', () => {
    expect(markMatches('xABxab', 'ab')).toEqual([
      { text: 'x', hit: false },
      { text: 'AB', hit: true },
      { text: 'x', hit: false },
      { text: 'ab', hit: true },
    ])
    expect(markMatches('ab', 'b').at(-1)).toEqual({ text: 'b', hit: true })
    expect(markMatches('abc', 'b').at(-1)).toEqual({ text: 'c', hit: false })
    expect(markMatches('abc', '')).toEqual([{ text: 'abc', hit: false }])
    expect(markMatches('', 'a')).toEqual([])
  })

  it('finds the line of a position', () => {
    const starts = [0, 10, 20]
    expect([0, 9, 10, 19, 20, 999].map((at) => lastUpTo(starts, at))).toEqual([0, 0, 1, 1, 2, 2])
    expect(lastUpTo([], 5)).toBe(0)
  })
})

describe('a field', () => {
  it('is formatted by its key, or by its value', () => {
    expect(['targetUuid', 'locationId', 'createdAt', 'name'].map(formatOf)).toEqual([
      'id',
      'id',
      'time',
      'text',
    ])
    const values = [true, 4, ['a'], [], [1], {}, null, 'x', undefined]
    expect(values.map((value) => guessFormat(value, 'any'))).toEqual([
      'flag',
      'count',
      'tags',
      'tags',
      'object',
      'object',
      'object',
      'text',
      'text',
    ])
  })

  it('is shortened, whatever its type', () => {
    const values = ['abc', 1.5, false, null, [], [1, 2], {}, undefined]
    expect(values.map((value) => brief(value, 20))).toEqual([
      'abc',
      '1.5',
      'false',
      'null',
      '[]',
      'array of 2',
      '{}',
      '',
    ])
    expect(brief({ a: 'x', b: [1], c: { d: 1 }, e: null }, 80)).toBe(
      '{ a: "x", b: [1], c: {…}, e: null }',
    )
  })

  it('is never long, and never truncated inside a character', () => {
    expect(brief('a'.repeat(21), 20)).toBe(`${'a'.repeat(19)}…`)
    expect(brief(`${'a'.repeat(18)}\u{1F37A}bc`, 20)).toBe(`${'a'.repeat(18)}…`)
    expect(brief({ ['k'.repeat(500)]: 1 }, 20).length).toBe(20)
    expect(brief({ a: `${'x'.repeat(58)}\u{1F37A}yz` }, 200)).toBe(`{ a: "${'x'.repeat(58)}…" }`)
    let deep: unknown = 1
    for (let level = 0; level < 20_000; level += 1) deep = { deep }
    expect(brief(deep, 20)).toBe('{ deep: {…} }')
  })
})
