import { describe, expect, it } from 'vitest'
import { Masker, unmaskable } from '#engine/platform/masking/masker.ts'
import { maskSecretFields } from '#engine/platform/masking/secret-fields.ts'
import { growth, linearGrowth } from '#test/support/growth.ts'

/** Creates a list of customers, each with a different token. */
function customers(count: number, token = (at: number) => `tok_live_${at}_${'x'.repeat(20)}`) {
  return JSON.stringify(Array.from({ length: count }, (_, at) => ({ id: at, token: token(at) })))
}

const masked = (size: number) => (): unknown => maskSecretFields(new Masker(), customers(size))

describe('masking', { timeout: 60_000 }, () => {
  it('scales linearly with the number of secrets', () => {
    expect(growth(masked, 150)).toBeLessThan(linearGrowth)
  })

  it.each([
    [
      'of equal length with the same prefix',
      (at: number) => 'a'.repeat(60) + String(at).padStart(6, '0'),
    ],
    ['of every length that begin alike', (at: number) => 'a'.repeat(12 + (at % 500))],
    ['that hold one another', (at: number) => 'ab'.repeat(8 + (at % 300))],
    ['that end alike', (at: number) => String(at).padStart(6, '0') + 'z'.repeat(40)],
  ])('stops after a limited amount of work for hostile values %s', (_what, token) => {
    const work = (size: number) => (): unknown => {
      const masker = new Masker()
      maskSecretFields(masker, customers(Math.round(size / 4), token))
      return masker.mask('a'.repeat(size * 50) + 'ab'.repeat(size * 50) + 'z'.repeat(size * 50))
    }
    expect(growth(work, 150)).toBeLessThan(linearGrowth)
  })

  it('stores a limited number of values, and masks the others in place', () => {
    const masker = new Masker()
    const text = maskSecretFields(masker, customers(6000))
    expect(masker.values()).toHaveLength(5000)
    expect(text).not.toContain('tok_live_')
    expect(text.split(unmaskable)).toHaveLength(1001)
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
