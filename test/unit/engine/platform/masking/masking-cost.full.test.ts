import { describe, expect, it } from 'vitest'
import { Masker, unmaskable } from '#engine/platform/masking/masker.ts'
import { maskSecretFields } from '#engine/platform/masking/secret-fields.ts'

/** Creates a list of customers, each with a different token. */
function customers(count: number, token = (at: number) => `tok_live_${at}_${'x'.repeat(20)}`) {
  return JSON.stringify(Array.from({ length: count }, (_, at) => ({ id: at, token: token(at) })))
}

describe('masking', { timeout: 60_000 }, () => {
  it.each([
    ['alike', undefined],
    [
      'of equal length with the same prefix',
      (at: number) => 'a'.repeat(60) + String(at).padStart(6, '0'),
    ],
    ['of every length that begin alike', (at: number) => 'a'.repeat(12 + (at % 500))],
    ['that hold one another', (at: number) => 'ab'.repeat(8 + (at % 300))],
    ['that end alike', (at: number) => String(at).padStart(6, '0') + 'z'.repeat(40)],
  ])('takes seconds at most for many values %s', (_what, token) => {
    const masker = new Masker()
    const started = performance.now()
    maskSecretFields(masker, customers(6000, token))
    const size = 150_000
    masker.mask('a'.repeat(size) + 'ab'.repeat(size) + 'z'.repeat(size))
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  it('stores a limited number of values, and masks the others in place', () => {
    const masker = new Masker()
    const text = maskSecretFields(masker, customers(6000))
    expect(masker.values()).toHaveLength(500)
    expect(text).not.toContain('tok_live_')
    expect(text.split(unmaskable)).toHaveLength(5501)
  })

  it('prefers longer values, including those added later', () => {
    const masker = new Masker()
    masker.hold('short', 'Short', 'abcd')
    masker.hold('middle', 'Middle', 'abcdefgh')
    expect(masker.mask('abcdefgh abcd')).toBe('«middle» «short»')
    masker.hold('long', 'Long', 'efghijklmnopqrst')
    expect(masker.mask('abcdefghijklmnopqrst')).toBe('«short»«long»')
  })
})
