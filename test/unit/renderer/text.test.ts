import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type * as Time from '#renderer/ui/text/time.ts'
import {
  ago,
  clockTime,
  clockTimeSeconds,
  fromNow,
  fullTime,
  utcTime,
} from '#renderer/ui/text/time.ts'
import { truncate, escapeControls, visibleParts } from '#renderer/ui/text/visible.ts'

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)
const escapeOf = (code: number): string =>
  code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`

describe('visible', () => {
  it('escapes every C0 and C1 control', () => {
    const short = new Map([
      [0x09, String.raw`\t`],
      [0x0a, String.raw`\n`],
      [0x0d, String.raw`\r`],
    ])
    for (const code of [...range(0, 0x1f), ...range(0x7f, 0x9f)]) {
      const expected = short.get(code) ?? escapeOf(code)
      expect(escapeControls(`a${String.fromCodePoint(code)}b`)).toBe(`a${expected}b`)
    }
  })

  it.each([
    ['bidirectional marks', [0x061c, 0x200e, 0x200f, ...range(0x202a, 0x202e)]],
    ['bidirectional isolates', range(0x2066, 0x2069)],
    ['what has no width', [0xad, 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff]],
    ['separators of lines and paragraphs', [0x2028, 0x2029]],
    ['annotations and tags', [...range(0xfff9, 0xfffb), ...range(0xe0000, 0xe007f)]],
    ['lone surrogates', range(0xd800, 0xdfff)],
  ])('escapes %s', (_, codes) => {
    for (const code of codes) {
      const character = String.fromCodePoint(code)
      expect(escapeControls(`a${character}b`)).toBe(`a${escapeOf(code)}b`)
    }
  })

  it('keeps text of any script, and surrogate pairs', () => {
    for (const text of [
      '',
      'Zoë “ß” 東京 שלום مرحبا',
      '\u{1F37A}',
      '\u{1F468}',
      '👨‍👩‍👧 ❤️‍🔥 👩🏽‍💻',
      '\\n',
      ' \u00a0~¡',
    ]) {
      expect(escapeControls(text)).toBe(text)
      expect(visibleParts(text)).toEqual(text === '' ? [] : [{ text, escaped: false }])
    }
  })

  it('escapes a joiner that joins no pictographs', () => {
    expect(escapeControls('👨\u200d')).toBe(String.raw`👨\u200d`)
    expect(escapeControls('a\u200d👨\u200db')).toBe(String.raw`a\u200d👨\u200db`)
  })

  it('distinguishes an escape from text that looks like one', () => {
    expect(visibleParts('\\n\n\u{1F37A}\ud83c')).toEqual([
      { text: '\\n', escaped: false },
      { text: '\\n', escaped: true },
      { text: '\u{1F37A}', escaped: false },
      { text: '\\ud83c', escaped: true },
    ])
  })
})

describe('cut', () => {
  it('keeps what fits, and never splits a surrogate pair', () => {
    expect(truncate('abcd', 4)).toBe('abcd')
    expect(truncate('abcde', 4)).toBe('abc…')
    expect(truncate('ab\u{1F37A}de', 4)).toBe('ab…')
    expect(truncate('a\u{1F37A}def', 4)).toBe('a\u{1F37A}…')
    expect(truncate('', 4)).toBe('')
  })
})

describe('times', () => {
  const at = Date.UTC(2026, 10, 21, 20, 9, 4, 512)
  let fresh: typeof Time
  beforeAll(async () => {
    vi.stubEnv('TZ', 'Europe/Vienna')
    vi.resetModules()
    fresh = await import('#renderer/ui/text/time.ts')
  })
  afterAll(() => vi.unstubAllEnvs())

  it('are formatted in the local time zone, and in UTC', () => {
    expect(fresh.clockTime(at + 0.9)).toBe('21:09:04.512')
    expect(fresh.clockTimeSeconds(at)).toBe('21:09:04')
    expect(fresh.fullTime(at)).toBe('Sat, 21 Nov 2026, 21:09:04.512 GMT+01:00')
    expect(utcTime(at)).toBe('2026-11-21T20:09:04.512Z')
  })

  it.each([Number.NaN, Infinity, -Infinity, 8.64e15 + 1, -1e300])(
    '%d is an invalid time',
    (value) => {
      expect([clockTime(value), clockTimeSeconds(value)]).toEqual(['–', '–'])
      expect([fullTime(value), utcTime(value)]).toEqual(['invalid time', 'invalid time'])
    },
  )

  it('are unknown for an entry of a HAR file without one', () => {
    expect([clockTime(0), fullTime(0)]).toEqual(['–', 'unknown time'])
  })

  it('are relative to now, in both directions', () => {
    expect(ago(at, at + 1999)).toBe('just now')
    expect(ago(at, at + 14_000)).toBe('14 s ago')
    // A page learns the time only every 15 s.
    expect(ago(at, at - 14_000)).toBe('just now')
    expect(ago(at, at + 150_000)).toBe('3 min ago')
    expect(fromNow(at, at + 150_000)).toBe('3 min ago')
    expect(fromNow(at, at - 1999)).toBe('just now')
    expect(fromNow(at, at - 3 * 3_600_000)).toBe('in 3 h')
  })
})
