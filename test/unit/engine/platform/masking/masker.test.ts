import { describe, expect, it } from 'vitest'
import { splitMasks } from '#contract/masks.ts'
import { Masker } from '#engine/platform/masking/masker.ts'

const secret = 'S3cr3t/+ "quoted" ü-7f3a'

function maskerWith(...values: [name: string, value: string][]): Masker {
  const masker = new Masker()
  for (const [name, value] of values) masker.hold(name, `The ${name}`, value)
  return masker
}

describe('Masker', () => {
  it.each([
    ['as it is', secret],
    ['percent-encoded', encodeURIComponent(secret)],
    ['form-encoded', new URLSearchParams({ v: secret }).toString().slice(2)],
    ['in JSON', JSON.stringify(secret)],
    ['in JSON with escaped slashes', JSON.stringify(secret).replaceAll('/', String.raw`\/`)],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(secret)).slice(1, -1)],
    ['in Base64', Buffer.from(secret).toString('base64')],
    ['in Base64 for addresses', Buffer.from(secret).toString('base64url')],
  ])('masks a value written %s', (_way, written) => {
    const masker = maskerWith(['access_secret', secret])
    const masked = masker.mask(`before ${written} after`)
    expect(masked).toMatch(/^before \\?"?«access_secret»\\?"? after$/)
    const bytes = masker.maskBytes(Buffer.from(`before ${written} after`))
    expect(Buffer.from(bytes).toString('utf8')).toBe(masked)
  })

  it('leaves everything else unchanged, including bytes that are not text', () => {
    const masker = maskerWith(['code', 'a-code-of-some-length'])
    const bytes = Buffer.from([0, 0xff, 0xfe, 10, 13])
    expect(masker.maskBytes(bytes)).toBe(bytes)
    const mixed = Buffer.concat([bytes, Buffer.from('a-code-of-some-length'), bytes])
    expect(Buffer.from(masker.maskBytes(mixed))).toEqual(
      Buffer.concat([bytes, Buffer.from('«code»'), bytes]),
    )
    expect(masker.mask('a-code-of-another-length')).toBe('a-code-of-another-length')
  })

  it('masks a value that contains another one as a whole', () => {
    const masker = maskerWith(['short', 'abcd1234'], ['long', 'xx-abcd1234-yy'])
    expect(masker.mask('abcd1234 xx-abcd1234-yy')).toBe('«short» «long»')
  })

  it('gives each value one name, and no two values the same name', () => {
    const masker = maskerWith(['token', 'first-token-value'])
    expect(masker.hold('other', 'Other', 'first-token-value')).toBe('token')
    expect(masker.hold('token', 'Token', 'second-token-value')).toBe('token_2')
    expect(masker.mask('first-token-value second-token-value')).toBe('«token» «token_2»')
    expect(masker.values()).toEqual([
      { name: 'token', value: 'first-token-value' },
      { name: 'token_2', value: 'second-token-value' },
    ])
  })

  it('shows the ending of a long value, and nothing of a short one', () => {
    expect(
      maskerWith(['code', 'short-code'], ['token', 'a-long-token-7f3a']).maskedValues(),
    ).toEqual([
      { name: 'code', label: 'The code', ending: null },
      { name: 'token', label: 'The token', ending: '7f3a' },
    ])
  })

  it('does not search for very short values', () => {
    const masker = maskerWith(['empty', ''], ['tiny', 'a'])
    expect(masker.mask('a banana')).toBe('a banana')
  })

  it('writes markers that match the mask pattern', () => {
    const masked = maskerWith(['code', 'the-code-itself']).mask('?code=the-code-itself&state=s')
    expect(splitMasks(masked)).toEqual([
      { name: null, text: '?code=' },
      { name: 'code', text: '«code»' },
      { name: null, text: '&state=s' },
    ])
    expect(splitMasks('«Not One» «»')).toEqual([{ name: null, text: '«Not One» «»' }])
    expect(splitMasks('')).toEqual([])
  })
})
