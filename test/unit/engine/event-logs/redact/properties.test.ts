import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Header } from '#contract/models.ts'
import { full } from '#test/support/full.ts'
import { randomJson, seeded, type Json } from '#test/support/random-json.ts'
import {
  exported,
  redactDelivery,
  redactedBody,
  redactedText,
  redactorWith,
} from '#test/support/redacting.ts'

const pick = <T>(random: () => number, list: readonly [T, ...T[]]): T =>
  list[Math.floor(random() * list.length)] ?? list[0]

const digits = (random: () => number, count: number): string =>
  Array.from({ length: count }, () => Math.floor(random() * 10)).join('')

/** A random value that must never change. */
function harmless(random: () => number): Json {
  const hex = createHash('sha256').update(String(random())).digest()
  const at = new Date(1e12 + random() * 1e12)
  return pick<Json>(random, [
    `${hex.toString('hex', 0, 4)}-${hex.toString('hex', 4, 6)}-4${hex.toString('hex', 6, 8).slice(1)}-a${hex.toString('hex', 8, 10).slice(1)}-${hex.toString('hex', 10, 16)}`,
    `${digits(random, 8)}-${digits(random, 4)}-4${digits(random, 3)}-8${digits(random, 3)}-${digits(random, 12)}`,
    at.toISOString(),
    at.toISOString().slice(0, 19),
    at.toUTCString(),
    at.getTime(),
    Math.floor(at.getTime() / 1000),
    Math.round(random() * 1e6) / 100,
    (random() * 1e6).toFixed(2),
    hex.toString('hex'),
    hex.toString('base64'),
    createHash('md5').update(hex).digest('hex'),
    [...hex.subarray(0, 4)].join('.'),
    `${Math.floor(random() * 30)}.${Math.floor(random() * 30)}.${Math.floor(random() * 9999)}`,
  ])
}

describe('the redaction', () => {
  it('never changes ids, times, amounts and digests', () => {
    const random = seeded(7)
    for (let round = 0; round < (full ? 3000 : 200); round += 1) {
      const value = harmless(random)
      const body = JSON.stringify({ value, list: [value], at: { orderUuid: value } })
      expect(redactedBody(body)).toBe(body)
      if (typeof value === 'string')
        expect(redactedText(`it was ${value}, so`)).toBe(`it was ${value}, so`)
    }
  })

  const guests = ['anna@example.com', '+49 30 901820', '(415) 555-0134'] as const
  const headers: Header[] = [
    ['Authorization', 'Bearer abc'],
    ['X-Service-Signature', 'ab'.repeat(32)],
    ['Referer', 'https://a.example/?handle=anna&x=%2B4930901820'],
  ]

  it('finds values at random places in random JSON, and changes nothing the second time', () => {
    const random = seeded(11)
    for (let round = 0; round < (full ? 400 : 200); round += 1) {
      const value = pick(random, guests)
      const body = JSON.stringify(plant(random, randomJson(random), value), null, round % 3)
      const delivery = exported({
        body,
        headers,
        fields: { note: `${value} and ${encodeURIComponent(value)}`, title: body.slice(0, 50) },
      })
      const once = redactDelivery(redactorWith(), delivery)
      const text = Buffer.from(once.body).toString()
      expect(text).not.toContain(value)
      expect(text).not.toBe(body)
      expect(JSON.parse(text)).toBeDefined()
      const other = redactorWith({ key: Buffer.alloc(32, 9) })
      const twice = redactDelivery(other, once)
      expect(twice).toEqual(once)
      expect(twice.body).toBe(once.body)
      expect(other.removed()).toEqual({})
    }
  })

  it('gives a contact the same pseudonym, however it is written', () => {
    expect(
      pseudonymsIn([
        'anna@example.com',
        'Anna@Example.COM',
        'anna%40example.com',
        'handle=ANNA@example.com',
        '{"handle":"anna@example.com"}',
      ]),
    ).toHaveLength(1)
    expect(
      pseudonymsIn([
        '+1 (415) 555-0134',
        '415-555-0134',
        '4155550134',
        '1 415 555 0134',
        '001 415 555 0134',
        '"phone":4155550134',
      ]),
    ).toHaveLength(1)
    expect(
      pseudonymsIn(['+49 30 901820', '+4930901820', '0049-30-901820', '+49 (0)30 901820']),
    ).toHaveLength(1)
    expect(
      pseudonymsIn(['anna@example.com', 'anne@example.com', '+49 30 901820', '+49 30 901821']),
    ).toHaveLength(4)
  })

  it('gives other pseudonyms under another key', () => {
    expect(pseudonymWithKey(1)).toMatch(/^redacted-email-[a-z2-7]{12}$/)
    expect(pseudonymWithKey(1)).toBe(pseudonymWithKey(1))
    expect(new Set([1, 2, 3, 4].map(pseudonymWithKey))).toHaveLength(4)
  })
})

function pseudonymsIn(texts: string[]): Set<string> {
  return new Set(
    texts.flatMap((text) => redactedText(text).match(/redacted-[a-z]+-[a-z2-7]{12}/g) ?? [text]),
  )
}

function pseudonymWithKey(fill: number): string {
  return redactedText('anna@example.com', { key: Buffer.alloc(32, fill) })
}

function plant(random: () => number, json: Json, value: string): Json {
  const written = pick(random, [
    value,
    `x ${value}`,
    encodeURIComponent(value),
    JSON.stringify({ deep: value }),
    Buffer.from(`guest: ${value}`).toString('base64'),
  ])
  if (Array.isArray(json)) return [...json, written]
  if (json !== null && typeof json === 'object') {
    return random() < 0.5 ? { ...json, canary: [written] } : { [written]: json }
  }
  return { json, written }
}
