import type * as Crypto from 'node:crypto'
import { timingSafeEqual } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { namedKey, sign, verify } from '#engine/payload/signature/verify.ts'

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof Crypto>()
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) }
})

const body = Buffer.from('{}')
const key = namedKey('current', 'secret')
const good = sign(body, key.key)

// The duration cannot be measured reliably, but the test can show that nothing else compares.
it('compares every value of valid form in constant time, and only those', () => {
  verify(body, ['short', '00'.repeat(32), `f${good.slice(1)}`, 'zz'.repeat(32)], [key])
  expect(timingSafeEqual).toHaveBeenCalledTimes(2)
  for (const [a, b] of vi.mocked(timingSafeEqual).mock.calls)
    expect([a.byteLength, b.byteLength]).toEqual([32, 32])
  vi.mocked(timingSafeEqual).mockReturnValueOnce(false)
  expect(verify(body, [good], [key]).verdict).toBe('invalid')
})
