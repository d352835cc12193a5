import { describe, expect, it } from 'vitest'
import type { Header } from '#contract/models.ts'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import {
  decodeTokenResponse,
  maxTokenResponseBytes,
  readTokenResponse,
  type DecodedResponse,
} from '#engine/authorization/oauth/token-response.ts'

/** Seconds since the epoch. */
const at = 1_800_000_000
const now = at * 1000
const mask = (text: string) => text.replaceAll('canary', '«secret»')
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
): DecodedResponse {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return {
    status,
    statusText: '',
    httpVersion: '1.1',
    headers,
    body: bytes,
    bytes: bytes.byteLength,
    truncated: false,
    isReadable: true,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 1 },
  }
}

const endOf = (expires: unknown) =>
  readTokenResponse(answer({ ...good, expires }), now, mask).grant?.expires
const issued = (initiated: number) => ({ ...good, initiated, expires: initiated + 86_400 })

/** The failure, or the codes of the findings. */
function codesOf(response: DecodedResponse) {
  const outcome = readTokenResponse(response, now, mask)
  return outcome.failure ?? outcome.findings.map(({ code }) => code)
}

const read = (...given: Parameters<typeof answer>) => codesOf(answer(...given))

const detailOf = (...given: Parameters<typeof answer>) => {
  const outcome = readTokenResponse(answer(...given), now, mask)
  return outcome.failure === null ? null : outcome.detail
}

const decoded = (body: Uint8Array, encoding: string | null, status = 200) =>
  decodeTokenResponse({
    ...answer('', {
      status,
      headers: encoding === null ? [json] : [json, ['Content-Encoding', encoding]],
    }),
    body,
    bytes: body.byteLength,
  })

describe('readTokenResponse', () => {
  it('accepts the documented response', () => {
    expect(readTokenResponse(answer(good), now, mask)).toEqual({
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
    [429, 'token_rate_limited'],
    [500, 'token_server_error'],
    [503, 'token_server_error'],
    [101, 'token_not_json'],
    [600, 'token_not_json'],
  ])('refuses status %s with any body', (status, failure) => {
    expect(read(good, { status })).toBe(failure)
  })

  it.each<[string, string, Header[]]>([
    ['', 'token_not_json', [json]],
    ['OK', 'token_not_json', [json]],
    ['{"token":"T"}x', 'token_truncated', [json]],
    ["{'token':'T'}", 'token_not_json', [json]],
    ['<html><body>no', 'token_html', [json]],
    ['<?xml version="1.0"?><error/>', 'token_not_json', [['Content-Type', 'application/xml']]],
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
    ['{"token":null,"error":"x"}', 'token_refused', [json]],
    ['{"error":"slow_down"}', 'token_rate_limited', [json]],
    ['{"errors":[{"message":"no"}]}', 'token_refused', [json]],
    [
      'error=invalid_grant',
      'token_refused',
      [['Content-Type', 'application/x-www-form-urlencoded']],
    ],
    ['{"error":null,"message":"ok"}', 'token_missing', [json]],
    ['{"access_token":"T"}', 'token_snake_case', [json]],
    ['{"token_type":"Bearer","expires_in":1}', 'token_snake_case', [json]],
  ])('refuses the body %s as %s', (body, failure, headers) => {
    expect(read(body, { headers })).toBe(failure)
  })

  it('refuses a response that is too large, by received or by stored bytes', () => {
    const complete = answer(good)
    expect(readTokenResponse({ ...complete, bytes: 1024 * 1024 + 1 }, now, mask).failure).toBe(
      'token_not_json',
    )
    expect(readTokenResponse({ ...complete, truncated: true }, now, mask).failure).toBe(
      'token_not_json',
    )
    expect(readTokenResponse({ ...complete, bytes: 1024 * 1024 }, now, mask).failure).toBeNull()
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
    const outcome = readTokenResponse(answer({ ...good, ...change }), now, mask)
    expect(outcome).toMatchObject({ failure, grant: { token: 'T', refreshToken: 'R', ...grant } })
  })

  it.each<[object, string[]]>([
    [{ tokenType: 'bearer' }, ['token.type_case']],
    [{ tokenType: 'Bearer\n' }, ['token.type_case']],
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
    [{ initiated: now }, []],
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
    const outcome = readTokenResponse(answer({ ...good, secretThing: 'canary' }), now, mask)
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

describe('a response that is refused', () => {
  it('names the status and the title of a web page', () => {
    const page = '<!doctype html><TITLE lang="en">Log\n in, canary</title><p>No'
    expect(detailOf(page)).toBe(
      'The token endpoint responded with 200 and a web page, “Log in, «secret»”, in place of JSON.',
    )
    expect(detailOf('<p>No', { status: 500 })).toBe(
      'The token endpoint failed with 500. The body is a web page, so a proxy or firewall in front of the service may have responded.',
    )
    expect(detailOf('', { status: 204 })).toBe(
      'The token endpoint responded with 204, but the response is empty.',
    )
  })

  it('quotes what the body says, masked', () => {
    const body = { error: 'invalid_grant', error_description: 'The code canary is too old' }
    expect(detailOf(body)).toContain('invalid_grant (“The code «secret» is too old”).')
    expect(detailOf({ message: 'Try again' })).toMatch(/It says: “Try again”\.$/)
  })
})

describe('a compressed response', () => {
  const text = Buffer.from(JSON.stringify(good))
  const gzip = gzipSync(text)

  it.each<[string, Uint8Array, string | null, string | string[]]>([
    ['gzip', gzip, 'gzip', []],
    ['br', brotliCompressSync(text), 'br', []],
    ['gzip without a header', gzip, null, 'token_not_json'],
    ['text that is not compressed', text, 'gzip', 'token_encoding'],
    [
      'damaged data',
      Buffer.concat([gzip.subarray(0, 20), gzip.subarray(30)]),
      'gzip',
      'token_encoding',
    ],
    ['an unknown encoding', gzip, 'compress', 'token_encoding'],
    ['data that ends too early', gzip.subarray(0, 60), 'gzip', 'token_truncated'],
    [
      'more than the limit',
      gzipSync(Buffer.alloc(maxTokenResponseBytes + 1)),
      'gzip',
      'token_encoding',
    ],
  ])('%s', async (_name, body, encoding, expected) => {
    expect(codesOf(await decoded(body, encoding))).toEqual(expected)
  })

  it('names the status of one that cannot be decompressed, and explains a compressed error', async () => {
    const broken = readTokenResponse(await decoded(gzip, 'br', 500), now, mask)
    expect(broken).toMatchObject({
      failure: 'token_server_error',
      detail:
        'The token endpoint failed with 500. The body cannot be decompressed as its Content-Encoding says, or is too large.',
    })
    const error = gzipSync('{"error":"E17"}')
    expect(readTokenResponse(await decoded(error, 'gzip', 400), now, mask)).toMatchObject({
      detail: 'The token endpoint refused the request with 400: “E17”.',
    })
  })
})

it.each<[string, number, number | null, string | string[]]>([
  ['a computer two days ahead accepts a good token', at - 172_800, at - 172_800, []],
  ['a token is over by the service’s clock', at - 172_800, at, 'token_expired'],
  ['a token is over by ours, if the service’s is unknown', at - 172_800, null, 'token_expired'],
])('%s', (_name, initiated, date, expected) => {
  const headers = date === null ? [json] : [json, dated(date)]
  expect(read(issued(initiated), { headers })).toEqual(expected)
})
