import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { namedKey, sign, verify } from '#engine/payload/signature/verify.ts'

const body = Buffer.from('{"type":"OPEN_TAB", "n": 1.0}')
const hmac = (secret: string, of: Uint8Array = body) =>
  createHmac('sha256', secret).update(of).digest('hex')
const current = namedKey('current', 'now')
const previous = namedKey('previous', 'before')
const verdictOf = (...received: string[]) => verify(body, received, [current]).verdict

it('a signature is computed with the UTF-8 bytes of the secret', () => {
  expect(sign(body, namedKey('current', 'schlüssel🗝').key)).toBe(hmac('schlüssel🗝'))
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
