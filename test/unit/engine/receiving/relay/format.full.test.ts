import { expect, test } from 'vitest'
import {
  decodeRecords,
  encodeRecord,
  maxMessageBytes,
  RecordError,
  recordFormat,
} from '#engine/receiving/relay/format.ts'
import { randomJson, seeded, type Json } from '#test/support/random-json.ts'
import { recordOf } from '#test/support/nats/records.ts'

const rounds = 8000
const numbers = [-1, -4, 0, 1, 3, 2 ** 31, 2 ** 32 - 1, 2 ** 53, 1e308, 0.5]

test('a message of any bytes is read within its own size, or refused as one that cannot be read', () => {
  const random = seeded(17)
  const below = (end: number): number => Math.floor(random() * end)
  const values = (): Json =>
    random() < 0.5 ? (numbers[below(numbers.length)] ?? 0) : randomJson(random)

  /** A record with some fields of its head replaced, removed or nested. */
  const changedRecord = (): Uint8Array => {
    const { head, body } = recordOf('bar', Buffer.alloc(below(300), 'x'))
    const changed: Record<string, unknown> = { ...head }
    const keys = Object.keys(changed)
    for (let n = random() < 0.5 ? 0 : 1 + below(2); n > 0; n -= 1) {
      const key = keys[below(keys.length)] ?? ''
      if (random() < 0.2) delete changed[key]
      else changed[key] = values()
    }
    if (random() < 0.1) {
      changed['parts'] = { count: values(), bytes: values(), sha256: 'a'.repeat(64) }
    }
    const json = Buffer.from(JSON.stringify(changed))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(random() < 0.1 ? (numbers[4 + below(3)] ?? 0) : json.byteLength)
    return Buffer.concat([length, json, body])
  }

  let read = 0
  for (let round = 0; round < rounds; round += 1) {
    const count = random() < 0.1 ? below(40) : 1 + below(3)
    const message = Buffer.concat(Array.from({ length: count }, changedRecord))
    for (let n = random() < 0.5 ? 0 : below(4); n > 0; n -= 1) {
      message[below(message.byteLength)] = below(256)
    }
    const bytes = random() < 0.2 ? message.subarray(0, below(message.byteLength + 1)) : message
    try {
      const records = decodeRecords(bytes)
      // What was read is a partition of the message: no record is empty, and none is read twice.
      expect(Buffer.concat(records.map(({ body }) => body)).byteLength).toBeLessThanOrEqual(
        bytes.byteLength,
      )
      const again = records.map(({ head, body }) => encodeRecord(head, body))
      expect(decodeRecords(Buffer.concat(again))).toEqual(records)
      for (const { head, body } of records) {
        expect(head.format).toBe(recordFormat)
        expect(head.bodyBytes).toBe(body.byteLength)
      }
      read += records.length
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
    }
  }
  // Otherwise only refusals were tried.
  expect(read).toBeGreaterThan(rounds / 10)
  expect(() => decodeRecords(Buffer.alloc(maxMessageBytes + 1))).toThrow('too large')
})
