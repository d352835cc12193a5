import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { toHex } from '#shared/bytes/text.ts'

it('converts bytes like Buffer', () => {
  for (let length = 0; length < 300; length += 1) {
    const bytes = randomBytes(length)
    expect(toHex(bytes)).toBe(bytes.toString('hex'))
  }
})
