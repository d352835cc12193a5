import { describe, expect, it } from 'vitest'
import { maskHeaders, maskQuery, maskSecretFields } from '#engine/platform/masking/secret-fields.ts'
import { Masker } from '#engine/platform/masking/masker.ts'

describe('maskSecretFields', () => {
  it.each([
    ['{"token":"tok-1234567890"}', '{"token":"«token»"}'],
    ['{"refreshToken" : "r-1234567890"}', '{"refreshToken" : "«refresh_token»"}'],
    ['{"access_token":"a-1"}', '{"access_token":"«access_token»"}'],
    ['{"api_access_secret":"s"}', '{"api_access_secret":"«api_access_secret»"}'],
    ['{"data":{"Password":"p w"}}', '{"data":{"Password":"«password»"}}'],
    ['{"code":"Xy7Zq"}', '{"code":"«code»"}'],
    // Truncated in the value, in an escape and after a key.
    ['{"token":"tok-12345', '{"token":"«token»'],
    ['{"token":"tok-12345\\', '{"token":"«token»\\'],
    ['{"token":', '{"token":'],
    ['{"token":"a\\"b\\u0041","x":"y"}', '{"token":"«token»","x":"y"}'],
    ['"{\\"token\\":\\"abc\\"}"', '"{\\"token\\":\\"«token»\\"}"'],
    ['access_token=abc&token_type=Bearer', 'access_token=«access_token»&token_type=Bearer'],
    ['{"1token":"abc"}', '{"1token":"«token»"}'],
    // Values that must stay readable.
    ['{"tokenType":"Bearer","expiresIn":"86400"}', '{"tokenType":"Bearer","expiresIn":"86400"}'],
    ['{"code":"invalid_code","message":"no"}', '{"code":"invalid_code","message":"no"}'],
    ['{"code":"INVALID_CODE"}', '{"code":"INVALID_CODE"}'],
    ['{"code":"400"}', '{"code":"400"}'],
    ['{"error_code":"E17"}', '{"error_code":"E17"}'],
    ['{"token":""}', '{"token":""}'],
    ['<p>no token today</p>', '<p>no token today</p>'],
  ])('masks %s', (text, masked) => {
    expect(maskSecretFields(new Masker(), text)).toBe(masked)
  })

  it('gives each value its own marker, and stores it so that it can be revealed', () => {
    const masker = new Masker()
    const text =
      '{"token":"one-1234567890","list":[{"token":"two-1234567890"}],"again":"one-1234567890"}'
    expect(maskSecretFields(masker, text)).toBe(
      '{"token":"«token»","list":[{"token":"«token_2»"}],"again":"«token»"}',
    )
    expect(masker.values()).toEqual([
      { name: 'token', value: 'one-1234567890' },
      { name: 'token_2', value: 'two-1234567890' },
    ])
    expect(masker.mask('one-1234567890')).toBe('«token»')
  })

  it('does not mask a short value elsewhere, because it may be a word', () => {
    const masker = new Masker()
    expect(maskSecretFields(masker, '{"token":"http"}')).toBe('{"token":"«token»"}')
    expect(masker.mask('http://a.example')).toBe('http://a.example')
  })

  it('keeps existing markers', () => {
    const masker = new Masker()
    masker.hold('access_token', 'Access token', 'tok-1234567890')
    expect(maskSecretFields(masker, '{"token":"tok-1234567890"}')).toBe(
      '{"token":"«access_token»"}',
    )
    expect(masker.values()).toHaveLength(1)
  })
})

it.each([
  ['https://a.example/p?code=Xy7Zq&state=S', 'https://a.example/p?code=«code»&state=S'],
  [
    'https://a.example/p?next=1&session_id=abc#x',
    'https://a.example/p?next=1&session_id=«session_id»',
  ],
  ['/cb?Code=a%20b', '/cb?Code=«code»'],
])('maskQuery masks %s', (text, masked) => {
  expect(maskQuery(new Masker(), text)).toContain(masked)
})

it('maskHeaders masks credentials and cookies', () => {
  const masker = new Masker()
  masker.hold('access_token', 'Access token', 'tok-1234567890')
  expect(
    maskHeaders(masker, [
      ['Set-Cookie', 'sid=abc123; Path=/; HttpOnly'],
      ['Set-Cookie', 'gone=; Max-Age=0'],
      ['authorization', 'Basic dXNlcjpwYXNz'],
      ['Authorization', 'Bearer tok-1234567890'],
      ['Location', 'https://a.example/?code=Xy7Zq'],
      ['Content-Type', 'text/html; charset=utf-8'],
    ]),
  ).toEqual([
    ['Set-Cookie', 'sid=«set_cookie»; Path=/; HttpOnly'],
    ['Set-Cookie', 'gone=; Max-Age=0'],
    ['authorization', '«authorization»'],
    ['Authorization', 'Bearer «access_token»'],
    ['Location', 'https://a.example/?code=«code»'],
    ['Content-Type', 'text/html; charset=utf-8'],
  ])
})

describe('a value that is masked in one place first, and later everywhere', () => {
  it('keeps its one name', () => {
    const masker = new Masker()
    expect(maskSecretFields(masker, '{"code":"Xy7Zq"}')).toBe('{"code":"«code»"}')
    expect(masker.mask('Xy7Zq')).toBe('Xy7Zq')
    expect(masker.hold('code', 'Authorization code', 'Xy7Zq')).toBe('code')
    expect(masker.mask('Xy7Zq')).toBe('«code»')
    expect(masker.values()).toHaveLength(1)
  })

  it('is still masked everywhere after it was found in one place again', () => {
    const masker = new Masker()
    masker.hold('code', 'Authorization code', 'c-1')
    expect(maskSecretFields(masker, '{"code":"c-1"}')).toBe('{"code":"«code»"}')
    expect(masker.values()).toHaveLength(1)
  })
})
