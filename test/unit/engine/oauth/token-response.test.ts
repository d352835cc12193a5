import { describe, expect, it } from 'vitest'
import type { Header } from '#contract/models.ts'
import type { HttpResponse } from '#engine/platform/http/http.ts'
import { readTokenResponse } from '#engine/oauth/token-response.ts'

/** Seconds since the epoch. */
const at = 1_800_000_000
const now = at * 1000
const good = {
  tokenType: 'Bearer',
  token: 'T',
  initiated: at,
  expires: at + 86_400,
  expiresIn: 86_400,
  refreshToken: 'R',
}
const json: Header = ['Content-Type', 'application/json']
const dated = (seconds: number): Header => ['Date', new Date(seconds * 1000).toUTCString()]

function answer(
  body: string | object,
  { status = 200, headers = [json] }: { status?: number; headers?: Header[] } = {},
): HttpResponse {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return {
    status,
    statusText: '',
    httpVersion: '1.1',
    headers,
    body: bytes,
    bytes: bytes.byteLength,
    truncated: false,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 1 },
  }
}

const endOf = (expires: unknown) =>
  readTokenResponse(answer({ ...good, expires }), now).grant?.expires
const issued = (initiated: number) => ({ ...good, initiated, expires: initiated + 86_400 })

/** The failure, or the codes of the findings. */
function read(...given: Parameters<typeof answer>) {
  const outcome = readTokenResponse(answer(...given), now)
  return outcome.failure ?? outcome.findings.map(({ code }) => code)
}

describe('readTokenResponse', () => {
  it('accepts the documented response', () => {
    expect(readTokenResponse(answer(good), now)).toEqual({
      failure: null,
      grant: {
        token: 'T',
        refreshToken: 'R',
        initiated: at,
        expires: at + 86_400,
        expiresIn: 86_400,
      },
      findings: [],
    })
    expect(read(`\u{feff} ${JSON.stringify(good)}\n`)).toEqual([])
    expect(read(good, { status: 201 })).toEqual([])
  })

  it.each<[number, string]>([
    [301, 'token_redirected'],
    [302, 'token_redirected'],
    [307, 'token_redirected'],
    [304, 'token_redirected'],
    [400, 'token_refused'],
    [429, 'token_refused'],
    [500, 'token_server_error'],
    [503, 'token_server_error'],
    [101, 'token_status'],
    [600, 'token_status'],
  ])('refuses status %s with any body', (status, failure) => {
    expect(read(good, { status })).toBe(failure)
  })

  it.each<[string, string, Header[]]>([
    ['', 'token_not_json', [json]],
    ['OK', 'token_not_json', [json]],
    ['{"token":"T"}x', 'token_not_json', [json]],
    ["{'token':'T'}", 'token_not_json', [json]],
    ['<html><body>no', 'token_html', [json]],
    ['Please log in', 'token_html', [['content-type', 'text/html; charset=utf-8']]],
    ['{"token":"T"}', 'token_html', [['Content-Type', 'TEXT/HTML']]],
    ['{', 'token_truncated', [json]],
    ['{"token":"T', 'token_truncated', [json]],
    ['{"token":"T\\', 'token_truncated', [json]],
    ['{"token":"}"', 'token_truncated', [json]],
    ['{"token":"T","a":[1,2', 'token_truncated', [json]],
    ['[]', 'token_missing', [json]],
    ['"T"', 'token_missing', [json]],
    ['null', 'token_missing', [json]],
    ['{}', 'token_missing', [json]],
    ['{"token":""}', 'token_missing', [json]],
    ['{"token":7}', 'token_missing', [json]],
    ['{"token":null,"error":"x"}', 'token_missing', [json]],
    ['{"access_token":"T"}', 'token_snake_case', [json]],
    ['{"token_type":"Bearer","expires_in":1}', 'token_snake_case', [json]],
  ])('refuses the body %s as %s', (body, failure, headers) => {
    expect(read(body, { headers })).toBe(failure)
  })

  it('refuses a response that is too large, by received or by stored bytes', () => {
    const complete = answer(good)
    expect(readTokenResponse({ ...complete, bytes: 1024 * 1024 + 1 }, now).failure).toBe(
      'token_too_large',
    )
    expect(readTokenResponse({ ...complete, truncated: true }, now).failure).toBe('token_too_large')
    expect(readTokenResponse({ ...complete, bytes: 1024 * 1024 }, now).failure).toBeNull()
  })

  it.each<[object, string, object]>([
    [{ tokenType: 'MAC' }, 'token_not_bearer', {}],
    [{ tokenType: '' }, 'token_not_bearer', {}],
    [{ tokenType: 7 }, 'token_not_bearer', {}],
    [{ expires: at, initiated: at - 86_400 }, 'token_expired', {}],
    [{ expires: 0 }, 'token_expired', {}],
    [{ expires: -1 }, 'token_expired', {}],
    [
      { expires: (at + 86_400) * 1000, initiated: now },
      'token_milliseconds',
      { expires: at + 86_400, initiated: at },
    ],
  ])('refuses %j as %s, and returns the grant', (change, failure, grant) => {
    const outcome = readTokenResponse(answer({ ...good, ...change }), now)
    expect(outcome).toMatchObject({ failure, grant: { token: 'T', refreshToken: 'R', ...grant } })
  })

  it.each([
    [{ token: 'canary\n' }, 'token', '000A'],
    [{ token: 'canary\r\nX-Header: 1' }, 'token', '000D'],
    [{ token: 'can\0ary' }, 'token', '0000'],
    [{ token: '\tcanary', tokenType: 'MAC' }, 'token', '0009'],
    [{ refreshToken: 'canary\u007f' }, 'refreshToken', '007F'],
    [{ refreshToken: 'canary\u0085' }, 'refreshToken', '0085'],
  ])('refuses %j without the grant, and does not quote the token', (change, field, code) => {
    const outcome = readTokenResponse(answer({ ...good, ...change }), now)
    expect(outcome).toEqual({
      failure: 'token_control_characters',
      detail: `The ${field} in the response contains a control character, U+${code}.`,
      grant: null,
      findings: [],
    })
  })

  it.each<[object, string[]]>([
    [{ tokenType: 'bearer' }, ['token.type_case']],
    [{ tokenType: undefined }, ['token.type_missing']],
    [{ tokenType: null }, ['token.type_missing']],
    [{ refreshToken: undefined }, ['token.refresh_token_missing']],
    [{ refreshToken: '' }, ['token.refresh_token_missing']],
    [{ refreshToken: 7 }, ['token.refresh_token_type']],
    [{ initiated: undefined }, ['token.initiated_missing']],
    [{ expires: null }, ['token.expires_missing']],
    [{ expiresIn: undefined }, ['token.expires_in_missing']],
    [{ expires: String(at + 86_400) }, ['token.expires_type']],
    [{ expires: '2030-01-01' }, ['token.expires_type']],
    [{ expiresIn: 86_400.5 }, ['token.expires_in_type']],
    [{ expiresIn: 3600, expires: at + 3600 }, ['token.lifetime']],
    [{ expiresIn: 86_401 }, ['token.expires_in_differs', 'token.lifetime']],
    [{ initiated: now }, ['token.initiated_milliseconds']],
    [{ scope: 'all', user: {} }, ['token.extra_fields']],
  ])('accepts %j with findings', (change, codes) => {
    expect(read({ ...good, ...change })).toEqual(codes)
  })

  it('reads numbers written as strings, and nothing else', () => {
    expect(endOf(String(at + 86_400))).toBe(at + 86_400)
    expect(endOf('1e10')).toBeNull()
    expect(endOf(true)).toBeNull()
    expect(endOf([at])).toBeNull()
  })

  it('never quotes the values of undocumented fields', () => {
    const outcome = readTokenResponse(answer({ ...good, secretThing: 'canary' }), now)
    expect(JSON.stringify(outcome.findings)).not.toContain('canary')
  })

  it.each<[Header[], string[]]>([
    [[['Content-Type', 'application/json; charset=utf-8']], []],
    [[['content-type', 'application/problem+json']], []],
    [[['Content-Type', 'text/plain']], ['token.content_type']],
    [[], ['token.content_type']],
  ])('checks the content type: %j', (headers, codes) => {
    expect(read(good, { headers })).toEqual(codes)
  })
})

describe('clocks', () => {
  it.each<[string, number, number | null, string | string[]]>([
    ['half a minute is nothing', at - 30, null, []],
    ['31 seconds are reported', at - 31, null, ['token.clock_skew']],
    ['ours is ahead by an hour', at - 3600, at - 3600, ['token.clock_ours']],
    ['ours is behind by an hour', at + 3600, at + 3601, ['token.clock_ours']],
    ['the service’s stamp is off, by its own Date', at - 3600, at, ['token.clock_service']],
    ['all three differ', at - 3600, at + 7200, ['token.clock_skew']],
    ['ours is two days ahead: the token is good', at - 172_800, at - 172_800, ['token.clock_ours']],
    ['the token is really over', at - 172_800, at, 'token_expired'],
    ['nothing tells whose clock it is', at - 172_800, null, 'token_expired'],
  ])('%s', (_name, initiated, date, expected) => {
    const headers = date === null ? [json] : [json, dated(date)]
    expect(read(issued(initiated), { headers })).toEqual(expected)
  })

  it('relies on Date if the response has no initiated', () => {
    const body = { ...good, initiated: undefined, expires: at - 60 }
    expect(read(body, { headers: [json, dated(at - 3600)] })).toContain('token.clock_ours')
    expect(read(body, { headers: [json, ['Date', 'yesterday']] })).toBe('token_expired')
  })
})
