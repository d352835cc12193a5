import { describe, expect, it } from 'vitest'
import { enclose, encloseText } from '#hosts/node/mcp/captured.ts'

/** At most 0.73 tokens for each of these bytes of an answer, 8,000 for the captured data and the rest. */
const maxBytes = 10_200

function bytesIn(captured: string): number {
  return Buffer.byteLength(JSON.stringify(captured))
}

function linesOf(captured: string): unknown[] {
  return captured
    .split('\n')
    .slice(1, -1)
    .map((line): unknown => JSON.parse(line))
}

const hostile = {
  quotes: '"\\'.repeat(20_000),
  hidden: '\u202E\u{E0101}\u3164'.repeat(2000),
  Chinese: '\u4E2D'.repeat(20_000),
  plain: 'a'.repeat(60_000),
}

describe('captured text', () => {
  it.for(Object.entries(hostile))('of %s is returned in parts that fit', ([, text]) => {
    let read = ''
    for (let parts = 0; read.length < text.length; parts += 1) {
      expect(parts).toBeLessThan(100)
      const { captured, length } = encloseText(text.slice(read.length, read.length + 16_384))
      expect(length).toBeGreaterThan(Math.min(500, text.length - read.length - 1))
      expect(bytesIn(captured)).toBeLessThan(maxBytes)
      read += String(linesOf(captured)[0])
    }
    expect(read).toBe(text)
  })

  it.for(Object.entries(hostile))('of %s in many fields is shortened, not omitted', ([, text]) => {
    const fields = Array.from({ length: 15 }, (_, index) => [`field${index}`, text] as const)
    const value = { ...Object.fromEntries(fields), method: 'POST', headers: fields }
    const { captured, next } = enclose([value, 'next'])
    expect(bytesIn(captured)).toBeLessThan(maxBytes)
    expect(next).toBeOneOf([null, 1])
    expect(linesOf(captured)[0]).toMatchObject({ method: 'POST' })
  })

  it('has a cursor when not all values fit', () => {
    const values = Array.from({ length: 100 }, (_, index) => [`X-${index}`, 'word '.repeat(100)])
    const read: unknown[] = []
    for (let from: number | null = 0; from !== null;) {
      const { captured, next } = enclose(values, from)
      expect(bytesIn(captured)).toBeLessThan(maxBytes)
      read.push(...linesOf(captured))
      from = next
    }
    expect(read).toEqual(values)
  })

  it('has no character that is invisible or changes the order of others', () => {
    const all = Array.from({ length: 0x11_0000 }, (_, code) => code).filter(
      (code) => code !== 0x0a && invisible.test(String.fromCodePoint(code)),
    )
    expect(all.length).toBeGreaterThan(4000)
    for (let from = 0; from < all.length; from += 500) {
      const text = String.fromCodePoint(...all.slice(from, from + 500))
      const { captured } = encloseText(text)
      expect(captured.replaceAll('\n', '')).not.toMatch(invisible)
      expect(linesOf(captured)).toEqual([text])
    }
  })
})

const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
