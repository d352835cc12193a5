import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type * as Time from '#kit/text/time.ts'
import { ago, clockTime, clockTimeSeconds, fromNow, fullTime, utcTime } from '#kit/text/time.ts'
import { truncate, escapeControls, visibleParts } from '#kit/text/visible.ts'

describe('visible', () => {
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
    fresh = await import('#kit/text/time.ts')
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
