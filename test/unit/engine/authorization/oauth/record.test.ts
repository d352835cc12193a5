import { describe, expect, it } from 'vitest'
import { runFailures } from '#contract/authorization.ts'
import type { HttpResponse } from '#engine/platform/http/http.ts'
import {
  failureOf,
  maskStep,
  newStep,
  recordResponse,
  recordRequest,
} from '#engine/authorization/oauth/record.ts'
import { exchangeRequest } from '#engine/authorization/oauth/token-client.ts'
import { Masker } from '#engine/platform/masking/masker.ts'

function answer(body: Uint8Array, more: Partial<HttpResponse> = {}): HttpResponse {
  return {
    status: 400,
    statusText: 'Bad Request',
    httpVersion: '1.1',
    headers: [],
    body,
    bytes: body.byteLength,
    truncated: false,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 1 },
    ...more,
  }
}

describe('recordRequest', () => {
  it('shows the exchange without its secrets', () => {
    const masker = new Masker()
    masker.hold('access_secret', 'Access secret', 'se"cret/1')
    masker.hold('code', 'Authorization code', 'c-1')
    const request = exchangeRequest({
      baseUrl: 'https://service.example/v2/',
      accessId: 'id',
      accessSecret: 'se"cret/1',
      code: 'c-1',
    })
    expect(recordRequest(masker, request)).toEqual({
      method: 'POST',
      url: 'https://service.example/v2/api/oauth/token',
      headers: [
        ['Accept', 'application/json'],
        ['Content-Type', 'application/json'],
      ],
      body: '{"grant_type":"authorization_code","api_access_id":"id","api_access_secret":"«access_secret»","code":"«code»"}',
    })
  })
})

describe('recordResponse', () => {
  it('stores 64 KiB of text, masked before it is truncated', () => {
    const masker = new Masker()
    masker.hold('code', 'Authorization code', 'canary-code')
    const filler = 'x'.repeat(64 * 1024 - 4)
    const recorded = recordResponse(masker, answer(Buffer.from(`${filler}canary-code`)))
    expect(recorded.body).toHaveLength(64 * 1024)
    expect(recorded.body).not.toContain('plan')
    expect(recorded.truncated).toBe(true)
  })

  it('stores no bytes that are not text, except for a partial character at the end', () => {
    const masker = new Masker()
    expect(recordResponse(masker, answer(Buffer.from([0xff, 0xfe]))).body).toBeNull()
    expect(recordResponse(masker, answer(Buffer.from('a\0b'))).body).toBeNull()
    expect(recordResponse(masker, answer(Buffer.from('né').subarray(0, 2))).body).toBe('n')
  })
})

describe('maskStep', () => {
  it('masks in earlier texts a secret that becomes known later', () => {
    const masker = new Masker()
    const step = newStep(
      {
        kind: 'hop',
        title: 'to canary-code',
        detail: 'canary-code',
        facts: [{ name: 'url', value: 'https://a.example/?x=canary-code' }],
        request: {
          method: 'GET',
          url: '/canary-code',
          headers: [['X', 'canary-code']],
          body: 'canary-code',
        },
        response: { ...recordResponse(masker, answer(Buffer.from('canary-code'))) },
      },
      1,
    )
    masker.hold('code', 'Authorization code', 'canary-code')
    expect(JSON.stringify(maskStep(masker, step))).not.toContain('canary-code')
  })
})

describe('failures', () => {
  it.each(runFailures)('%s explains what happened, what it means and what to do', (code) => {
    const { message, meaning, remedy } = failureOf(code, 'authorize')
    for (const sentence of [message, meaning, remedy]) expect(sentence).toMatch(/^["A-Z].*[.")]$/)
  })

  it('adds details if there are any', () => {
    expect(failureOf('token_refused', 'authorize', 'With 400.').message).toBe('With 400.')
  })
})

it('mentions leading or trailing white space of the access secret as a possible cause', () => {
  const refused = failureOf('token_refused', 'authorize', undefined, true)
  expect(refused.meaning).toMatch(/^The access secret starts or ends with white space/)
  expect(refused.remedy).toMatch(/^Replace the access secret without the white space\./)
  const other = failureOf('token_server_error', 'authorize', undefined, true)
  expect(other.meaning).not.toContain('white space')
})
