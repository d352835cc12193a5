import type { Finding } from '#contract/models.ts'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  exported,
  plainly,
  redactDelivery,
  redactedBody,
  redactedText,
  redactorWith,
} from '#test/support/redacting.ts'

const secret = 'S3cr3t/+ "quoted" ü-7f3a'
const known = [{ kind: 'secret', value: secret }] as const
const bytes = Buffer.from(secret)

describe('a known secret', () => {
  it.each([
    ['as it is', secret],
    ['percent-encoded', encodeURIComponent(secret)],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
    ['percent-encoded throughout', bytes.toString('hex').replaceAll(/../g, '%$&')],
    ['form-encoded', new URLSearchParams({ v: secret }).toString().slice(2)],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    [
      'in JSON with escaped slashes',
      JSON.stringify(secret)
        .slice(1, -1)
        .replaceAll('/', String.raw`\/`),
    ],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    [
      'in ASCII JSON',
      JSON.stringify(secret)
        .slice(1, -1)
        .replaceAll('ü', String.raw`\u00fc`),
    ],
    ['as entities', secret.replaceAll('"', '&quot;').replaceAll('ü', '&#252;')],
    ['as UTF-8 read as Latin-1', bytes.toString('latin1')],
    ['in Base64', bytes.toString('base64')],
    ['in Base64 for addresses', bytes.toString('base64url')],
    ['in Base64, of a longer text', Buffer.from(`user:${secret}`).toString('base64')],
    ['in Base64, without a separator', `zz${Buffer.from(`u:${secret}`).toString('base64')}`],
    ['in Base64 of gzip', gzipSync(`user: ${secret} and more`).toString('base64')],
    ['in Base64 of UTF-16', Buffer.from(`user: ${secret}`, 'utf16le').toString('base64')],
    ['in hex', bytes.toString('hex')],
    ['in upper-case hex', bytes.toString('hex').toUpperCase()],
    ['in Base64 of Base64', Buffer.from(bytes.toString('base64')).toString('base64')],
  ])('is redacted when written %s', (_way, written) => {
    const text = `before ${written} after`
    for (const redacted of [
      redactedText(text, { known }),
      redactedBody(text, { known }),
      redactedBody(JSON.stringify({ text, [written]: 1 }), { known }),
    ]) {
      expect(redacted).toContain('before ')
      expect(redacted).toContain(' after')
      expect(redacted).not.toContain(written)
      expect(redacted).not.toContain(JSON.stringify(written).slice(1, -1))
    }
  })

  it('has the same pseudonym everywhere', () => {
    const [first, second] = redactedText(`${encodeURIComponent(secret)} ${bytes.toString('hex')}`, {
      known,
    }).split(' ')
    expect(first).toMatch(/^redacted-secret-[a-z2-7]{12}$/)
    expect(second).toBe(first)
  })

  it('is redacted as a JSON number, and when it is short', () => {
    const numbers = [{ kind: 'code', value: '991234' }] as const
    expect(plainly(redactedBody('{"n":991234,"s":"x991234y"}', { known: numbers }))).toBe(
      '{"n":"‹code›","s":"x‹code›y"}',
    )
  })

  it('is found among thousands, and bodies without secrets stay unchanged', () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({
      kind: 'token' as const,
      value: `token-${index.toString(36)}-${(index * 7919).toString(36)}`,
    }))
    const secretToken = many[4321]?.value ?? ''
    expect(plainly(redactedText(`a ${secretToken} b`, { known: many }))).toBe('a ‹token› b')
    const body = Buffer.from('{"a":"token-x"}')
    expect(redactDelivery(redactorWith({ known: many }), exported({ body })).body).toBe(body)
  })
})

describe('a value that is secret by its name', () => {
  it.each([
    ['{"token":"tok-1"}', '{"token":"‹token›"}'],
    ['{"refreshToken" : "r-1"}', '{"refreshToken" : "‹token›"}'],
    ['{"api_access_secret":"s"}', '{"api_access_secret":"‹secret›"}'],
    ['{"data":{"Password":"p w"}}', '{"data":{"Password":"‹secret›"}}'],
    ['{"code":"Xy7Zq"}', '{"code":"‹code›"}'],
    ['{"otp":123456,"smsOtp":"9"}', '{"otp":"‹code›","smsOtp":"‹code›"}'],
    ['{"token":"tok-123', '{"token":"‹token›'],
    ['{"list":[{"token":"tok-123"},', '{"list":[{"token":"‹token›"},'],
    ['access_token=abc&token_type=Bearer', 'access_token=‹token›&token_type=Bearer'],
    ['https://user:pass@a.example/x', 'https://‹credential›@a.example/x'],
    ['curl -H "Authorization: Bearer abc.def-1"', 'curl -H "Authorization: Bearer ‹credential›"'],
    ['Cookie: sid=1234; lang=en', 'Cookie: ‹cookie›'],
    ['password: hunter2', 'password: ‹secret›'],
    ['Bearer A1b2c3d4e5f6', 'Bearer ‹credential›'],
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl here', 'jwt ‹token› here'],
    [
      '{"code":"INVALID_CODE","tokenType":"Bearer","x":"token"}',
      '{"code":"INVALID_CODE","tokenType":"Bearer","x":"token"}',
    ],
    [
      '{"spotPosition":"12","sessionStart":"2026-01-31T19:05:07Z","session":1763760824123}',
      '{"spotPosition":"12","sessionStart":"2026-01-31T19:05:07Z","session":1763760824123}',
    ],
    ['{"tokenId":7,"token":null,"hasToken":true}', '{"tokenId":7,"token":null,"hasToken":true}'],
  ])('%s', (body, redacted) => {
    expect(plainly(redactedBody(body))).toBe(redacted)
  })
})

describe('headers', () => {
  it.each([
    ['Authorization', 'Bearer abc', 'Bearer ‹credential›'],
    ['authorization', 'abc', '‹credential›'],
    ['Proxy-Authorization', 'Basic dXNlcjpwYXNz', 'Basic ‹credential›'],
    ['Cookie', 'a=b; c=d', '‹cookie›'],
    ['Set-Cookie', 'a=b; Path=/', '‹cookie›'],
    ['X-Api-Key', 'k', '‹credential›'],
    ['X-Auth-Token', 'k', '‹credential›'],
    ['X-CSRF-Token', 'k', '‹credential›'],
    ['X-Amz-Security-Token', 'k', '‹credential›'],
    ['X-Service-Signature', 'ab12', '‹signature›'],
    ['X-Hub-Signature-256', 'sha256=ab12', '‹signature›'],
    ['X-Tenant', 'blue', '‹custom-header›'],
    ['X-Mine', 'x', '‹rule›'],
    ['X-Forwarded-For', '10.0.0.1, 2001:db8::1', '‹ip-address›, ‹ip-address›'],
    ['From', 'Anna <anna@example.com>', 'Anna <‹email›>'],
    [
      'Referer',
      'https://a.example/?handle=anna%40example.com',
      'https://a.example/?handle=‹email›',
    ],
    ['X-Forwarded-Uri', '/x?phone=%2B4930901820', '/x?phone=‹phone›'],
    ['X-Guest', Buffer.from('jürgen@müller.example').toString('latin1'), '‹email›'],
    [
      'X-Service-Event-Target-UUID',
      '550e8400-e29b-41d4-a716-446655440000',
      '550e8400-e29b-41d4-a716-446655440000',
    ],
    ['X-Request-Id', '4155550134', '4155550134'],
    ['Content-Length', '517', '517'],
    ['Access-Control-Allow-Credentials', 'true', 'true'],
  ])('%s: %s', (name, value, redacted) => {
    const redactor = redactorWith({
      customHeaders: ['x-tenant'],
      rules: [{ kind: 'header', name: 'x-mine' }],
    })
    const [header] = redactDelivery(redactor, exported({ headers: [[name, value]] })).fields.headers
    expect(header?.map(plainly)).toEqual([name, redacted])
  })

  it('are redacted wherever the delivery repeats them', () => {
    const redactor = redactorWith({ customHeaders: ['X-Tenant'] })
    const { fields, body } = redactDelivery(
      redactor,
      exported({
        headers: [
          ['Authorization', `Basic ${Buffer.from('user:hunter2x').toString('base64')}`],
          ['Cookie', 'sid=aBc123456789; lang=english1'],
          ['X-Tenant', 'blue-company'],
          ['X-Service-Signature', 'ab'.repeat(32)],
          ['X-Echo', `got ${'ab'.repeat(32)}`],
        ],
        body: '{"tenant":"blue-company","p":"hunter2x"}',
        fields: {
          note: 'sid was aBc123456789, tenant blue-company',
          findings: [
            {
              code: 'x',
              severity: 'error',
              location: 'header.x-tenant',
              message: 'X-Tenant is "blue-company", not "red-company".',
              actual: 'blue-company',
              expected: 'red-company',
            },
          ],
        },
      }),
    )
    const all = plainly(JSON.stringify(fields) + Buffer.from(body).toString())
    expect(all).not.toMatch(/hunter2x|aBc123456789|blue-company|red-company|abababab.{0,50}"\]/)
    expect(plainly(fields.note)).toBe('sid was ‹cookie›, tenant ‹custom-header›')
    expect(plainly(Buffer.from(body).toString())).toBe(
      '{"tenant":"‹custom-header›","p":"‹credential›"}',
    )
    expect(fields.sha256).not.toBe(exported({}).fields.sha256)
  })

  it('leave words of Tabscope in findings unchanged', () => {
    const findings = [
      findingWith('body.data.handle', 'list', 'text'),
      findingWith('body.data.token', 'object', 'number'),
      findingWith('body.data.handle', 'text', 'nothing'),
      findingWith('header.x-tenant', 'blue-company', 'another value'),
    ]
    const redactor = redactorWith({ customHeaders: ['X-Tenant'] })
    const { fields } = redactDelivery(
      redactor,
      exported({ fields: { note: 'plain text, a number, another value', findings } }),
    )
    expect(fields.note).toBe('plain text, a number, another value')
    expect(fields.findings.slice(0, 3)).toEqual(findings.slice(0, 3))
    expect(fields.findings[3]).toMatchObject({ actual: 'another value' })
    expect(fields.findings[3]?.expected).not.toContain('blue-company')
  })
})

function findingWith(location: string, expected: string, actual: string): Finding {
  return { code: 'x', severity: 'error', location, message: 'It is not.', expected, actual }
}
