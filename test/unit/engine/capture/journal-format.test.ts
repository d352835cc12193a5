import { describe, expect, it } from 'vitest'
import { seeded } from '#sandbox/random.ts'
import {
  deliverySizeBound,
  readRecord,
  recordHead,
  type JournalRecord,
} from '#engine/capture/journal-format.ts'
import { toHeaders } from '#engine/deliveries/rows.ts'
import {
  answeredRecord,
  answersRecord,
  deliveryRecord,
  encode,
} from '#test/support/journal-records.ts'

/** Decodes the single record in these bytes. */
function decode(bytes: Buffer): JournalRecord | null {
  expect(bytes.readUInt32LE(0)).toBe(bytes.byteLength - recordHead)
  return readRecord(bytes.subarray(recordHead), bytes.readUInt32LE(4))
}

const latin1 = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
  .filter((character) => character !== '\n')
  .join('')

describe('journal format', () => {
  it.each([
    ['a usual delivery', deliveryRecord(1)],
    ['every Latin-1 byte in a header', deliveryRecord(2, { headers: `X-All\n${latin1}` })],
    ['no headers and no body', deliveryRecord(3, { headers: '', body: Buffer.alloc(0) })],
    ['a header with an empty value', deliveryRecord(4, { headers: 'X-Empty\n' })],
    ['trailers', deliveryRecord(5, { trailers: 'X-Sum\nÿ' })],
    ['a body of every byte', deliveryRecord(6, { body: Buffer.from(latin1, 'latin1') })],
    ['texts of four bytes a character', deliveryRecord(8, { type: '🍔'.repeat(300) })],
    ['half a character', deliveryRecord(9, { type: '\ud83c' })],
    ['what was answered by a rule', deliveryRecord(10, { answeredBy: 'rule', status: 503 })],
    ['a delivery of our own sender', deliveryRecord(11, { own: 'forward' })],
    ['a delivery through the tunnel', deliveryRecord(15, { via: 'tunnel' })],
    ['a late answer', answeredRecord(12)],
    ['a late response that was never sent', answeredRecord(13, { status: null, answeredBy: null })],
    ['a late answer with a reason', answeredRecord(14, { reason: '„漢🍔“ \ud83c \n'.repeat(400) })],
    ['an answer', answersRecord(1, 9)],
    [
      'a group with many lost responses',
      answersRecord(
        1,
        500,
        Array.from({ length: 500 }, (_, i) => i),
      ),
    ],
  ])('restores %s', (_, record) => {
    expect(decode(encode([record]))).toEqual(record)
  })

  it('restores random records of a seeded generator', () => {
    const random = seeded(20_260_314)
    const letters = (alphabet: string, most: number) =>
      Array.from({ length: random.between(0, most) }, () => random.pick(Array.from(alphabet))).join(
        '',
      )
    for (let id = 1; id <= 300; id += 1) {
      const headers = Array.from({ length: random.between(0, 6) }, () => [
        letters('abcXYZ-', 12),
        letters(latin1, 40),
      ])
      const record = deliveryRecord(id, {
        type: random.chance(0.2) ? null : letters('A_é漢🍔"\\\u0000', 20),
        headers: headers.flat().join('\n'),
        trailers: random.chance(0.2) ? 'X-T\n1' : '',
        body: Buffer.from(
          Array.from({ length: random.between(0, 300) }, () => random.between(0, 255)),
        ),
      })
      const back = decode(encode([record]))
      expect(back).toEqual(record)
      const late = answeredRecord(id, {
        status: random.chance(0.3) ? null : random.between(200, 599),
        answeredBy: random.pick(['rule', 'target', null]),
        reason: random.chance(0.3) ? null : letters('a_é漢🍔"\\\u0000\n', 60),
      })
      expect(decode(encode([late]))).toEqual(late)
      if (back?.kind === 'delivery' && headers.length > 0) {
        expect(toHeaders(back.delivery.headers)).toEqual(headers)
      }
    }
  })

  it('restores a large body', () => {
    const bytes = encode([deliveryRecord(1, { body: Buffer.alloc(26_000_000, 0xa5) })])
    const back = decode(bytes)
    // Compared as buffers: toEqual would take seconds.
    expect(back && encode([back]).equals(bytes)).toBe(true)
  })

  it('never exceeds its size bound', () => {
    const wide = deliveryRecord(1, { type: '漢'.repeat(500), headers: `X\n${latin1}` })
    if (wide.kind !== 'delivery') throw new Error('a delivery record')
    const { meta, headers, trailers, body } = wide.delivery
    const bound = deliverySizeBound(JSON.stringify(meta), headers, trailers, body)
    expect(encode([wide]).byteLength).toBeLessThanOrEqual(bound)
  })

  it.each([
    ['delivery', deliveryRecord(1, { headers: 'A\nb', body: Buffer.from('{}') })],
    ['late answer', answeredRecord(1, { reason: 'ü' })],
  ])('rejects the record of a %s with any single bit flipped', (_, record) => {
    const bytes = encode([record])
    const crc = bytes.readUInt32LE(4)
    const payload = bytes.subarray(recordHead)
    for (let at = 0; at < payload.byteLength; at += 1) {
      const turned = Buffer.from(payload)
      turned.writeUInt8(turned.readUInt8(at) ^ (1 << (at % 8)), at)
      expect(readRecord(turned, crc)).toBeNull()
    }
    expect(readRecord(payload, crc ^ 1)).toBeNull()
  })
})
