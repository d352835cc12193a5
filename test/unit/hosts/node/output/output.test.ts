import { expect, it } from 'vitest'
import { bodyJson, jsonLine } from '#hosts/node/output/output.ts'

const body = (text: string) => JSON.stringify(bodyJson(Buffer.from(text)))

it('prints the value of a JSON body with all digits of its numbers', () => {
  expect(body('{ "id": 9007199254740993, "total": 42.50, "n": [1e400, -0] }')).toBe(
    '{"body":{"id":9007199254740993,"total":42.50,"n":[1e400,-0]}}',
  )
})

it.each([
  ['text', 'plain\ntext', { body: 'plain\ntext' }],
  ['JSON that is nested too deeply', '['.repeat(200_000), { body: '['.repeat(200_000) }],
  ['nothing', '', {}],
])('prints %s', (_, text, printed) => {
  expect(bodyJson(Buffer.from(text))).toEqual(printed)
})

it('prints other bytes in Base64', () => {
  expect(bodyJson(Uint8Array.of(0xff, 0))).toEqual({ bodyBase64: '/wA=' })
})

it('rounds times and durations, but not within a body', () => {
  const line = jsonLine('response', {
    id: 1,
    integrationId: 1,
    tokenId: null,
    sentAt: 1_700_000_000_000.75,
    method: 'GET',
    url: 'http://127.0.0.1/',
    status: 200,
    durationMs: 1.26,
    bytes: 0,
    request: {
      integrationId: 1,
      tokenId: null,
      method: 'GET',
      path: '/',
      query: [],
      headers: [],
      body: '',
    },
    hops: [],
    error: null,
    advice: null,
    maskedValues: [],
    storedBytes: 0,
    ...bodyJson(Buffer.from('{"createdAt":1.5,"totalMs":1.26}')),
  })
  expect(JSON.parse(line)).toMatchObject({
    event: 'response',
    sentAt: 1_700_000_000_000,
    durationMs: 1.3,
    body: { createdAt: 1.5, totalMs: 1.26 },
  })
})
