import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hmacKey, namedKey, sign, verify } from '#engine/signature/verify.ts'

const body = Buffer.from('{"type":"OPEN_TAB", "n": 1.0}')
const hmac = (secret: string, of: Uint8Array = body) =>
  createHmac('sha256', secret).update(of).digest('hex')
const current = namedKey('current', 'now')
const previous = namedKey('previous', 'before')
const verdictOf = (...received: string[]) => verify(body, received, [current]).verdict

/** RFC 4231, 4.2 to 4.8. The fifth is cut to 128 bits there. */
const vectors: [name: string, key: Buffer, data: Buffer, digest: string][] = [
  [
    '1',
    Buffer.alloc(20, 0x0b),
    Buffer.from('Hi There'),
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  ],
  [
    '2',
    Buffer.from('Jefe'),
    Buffer.from('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    '3',
    Buffer.alloc(20, 0xaa),
    Buffer.alloc(50, 0xdd),
    '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
  ],
  [
    '4',
    Buffer.from(Array.from({ length: 25 }, (_, index) => index + 1)),
    Buffer.alloc(50, 0xcd),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  ],
  [
    '5',
    Buffer.alloc(20, 0x0c),
    Buffer.from('Test With Truncation'),
    'a3b6167473100ee06e0c796c2955552b',
  ],
  [
    '6',
    Buffer.alloc(131, 0xaa),
    Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    '7',
    Buffer.alloc(131, 0xaa),
    Buffer.from(
      'This is a test using a larger than block-size key and a larger than block-size data. ' +
        'The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  ],
]

describe('sign', () => {
  it.each(vectors)('returns the digest of RFC 4231, test case %s', (_, key, data, digest) => {
    const signature = sign(data, hmacKey(key))
    expect(signature).toHaveLength(64)
    expect(signature.slice(0, digest.length)).toBe(digest)
  })

  it('encodes the secret as UTF-8', () => {
    expect(sign(body, namedKey('current', 'schlüssel🗝').key)).toBe(hmac('schlüssel🗝'))
  })
})

describe('verify', () => {
  it('is unsigned without secret and signature, and unchecked with a signature but no secret', () => {
    const unsigned = { verdict: 'unsigned', secretName: null, upperCase: false }
    expect(verify(body, [], [])).toEqual(unsigned)
    expect(verify(body, [hmac('now')], [])).toEqual({ ...unsigned, verdict: 'unchecked' })
  })

  it('is missing with a secret and without a header, and invalid with an empty one', () => {
    expect(verify(body, [], [current]).verdict).toBe('missing')
    expect(verdictOf('')).toBe('invalid')
  })

  it('names the secret that matched, the current before the previous one', () => {
    const keys = [current, previous]
    expect(verify(body, [hmac('now')], keys)).toMatchObject({
      verdict: 'valid',
      secretName: 'current',
    })
    expect(verify(body, [hmac('before')], keys)).toMatchObject({
      verdict: 'valid',
      secretName: 'previous',
    })
    expect(verify(body, [hmac('before'), hmac('now')], keys).secretName).toBe('current')
    expect(verify(body, [hmac('other')], keys)).toEqual({
      verdict: 'invalid',
      secretName: null,
      upperCase: false,
    })
  })

  it('tries every received value', () => {
    expect(verdictOf('nonsense', hmac('other'), hmac('now'))).toBe('valid')
    expect(verdictOf('nonsense', hmac('other'))).toBe('invalid')
  })

  it('accepts upper-case hex, and reports it', () => {
    expect(verify(body, [hmac('now').toUpperCase()], [current])).toEqual({
      verdict: 'valid',
      secretName: 'current',
      upperCase: true,
    })
    expect(verify(body, [hmac('now')], [current]).upperCase).toBe(false)
  })

  it.each([
    ['one digit short', (good: string) => good.slice(0, 63)],
    ['one digit long', (good: string) => `${good}0`],
    ['twice', (good: string) => good + good],
    ['a space before', (good: string) => ` ${good}`],
    ['a line feed after', (good: string) => `${good}\n`],
    ['a scheme before', (good: string) => `sha256=${good}`],
    ['base64', (good: string) => Buffer.from(good, 'hex').toString('base64')],
    ['no hex in the last place', (good: string) => `${good.slice(0, 63)}g`],
    ['another last digit', (good: string) => good.slice(0, 63) + (good.endsWith('0') ? '1' : '0')],
    ['a list', (good: string) => `${good}, ${good}`],
    ['full-width digits', () => '０'.repeat(64)],
  ])('is invalid with %s, and never throws', (_, spoil) => {
    expect(verdictOf(spoil(hmac('now')))).toBe('invalid')
  })

  it('is computed from the received bytes, not from the JSON', () => {
    const again = Buffer.from(JSON.stringify(JSON.parse(body.toString())))
    expect(again.equals(body)).toBe(false)
    expect(verdictOf(hmac('now', again))).toBe('invalid')
    expect(verify(again, [hmac('now', again)], [current]).verdict).toBe('valid')
    expect(verify(Buffer.concat([body, Buffer.from('\n')]), [hmac('now')], [current]).verdict).toBe(
      'invalid',
    )
  })

  it('checks an empty body, and one that is not text', () => {
    const bytes = Buffer.from([0, 0xff, 0xfe, 0x80, 0x0a])
    expect(verify(bytes, [hmac('now', bytes)], [current]).verdict).toBe('valid')
    expect(verify(Buffer.alloc(0), [hmac('now', Buffer.alloc(0))], [current]).verdict).toBe('valid')
  })
})
