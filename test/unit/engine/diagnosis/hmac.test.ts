import { createHmac, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { hmac, hmacKey } from '#engine/payload/signature/verify.ts'

it.each([0, 1, 63, 64, 65, 500, 16 * 1024 - 1, 16 * 1024, 16 * 1024 + 1, 300_000])(
  'agrees with the library on a message of %i bytes, under keys of every length around a block',
  (length) => {
    const message = randomBytes(length)
    for (const keyLength of [0, 1, 32, 63, 64, 65, 200]) {
      const secret = randomBytes(keyLength)
      const expected = createHmac('sha256', secret).update(message).digest('hex')
      expect(hmac(message, hmacKey(secret)), `key of ${keyLength} bytes`).toBe(expected)
    }
  },
)

it('keeps no state between messages', () => {
  const key = hmacKey(Buffer.from('secret'))
  const first = hmac(Buffer.from('first, and the longer one'), key)
  hmac(Buffer.from('second'), hmacKey(Buffer.from('another')))
  expect(hmac(Buffer.from('first, and the longer one'), key)).toBe(first)
})
