import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyedHash } from '#engine/event-logs/redact/pseudonyms.ts'

test.each([0, 1, 20, 32, 63, 64, 65, 200])('equals the HMAC for a key of %d bytes', (bytes) => {
  const key = Buffer.alloc(bytes, 0xa7)
  const hashed = keyedHash(key)
  for (const text of [
    '',
    'mara@harbour.example',
    'ü\u{1f37a}',
    'x'.repeat(1000),
    '\u20ac'.repeat(1024),
    'é'.repeat(2000),
  ]) {
    expect(hashed(text).toString('hex')).toBe(createHmac('sha256', key).update(text).digest('hex'))
  }
})
