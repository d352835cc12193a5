import { expect, it } from 'vitest'
import { readResult } from '#engine/sending/scripts/result.ts'

const request = { kind: 'request', headers: [], body: null, url: null, sign: 'auto' }
const response = { kind: 'response', status: 200, headers: [], body: '', delayMs: 0 }

it.each<[unknown, unknown]>([
  [null, { kind: 'none' }],
  [{ forward: false }, { kind: 'skip' }],
  [{}, request],
  [
    { headers: { 'X-Key': 'a', Remove: null }, url: 'https://example.com/', sign: 'keep' },
    {
      ...request,
      headers: [
        ['X-Key', 'a'],
        ['Remove', null],
      ],
      url: 'https://example.com/',
      sign: 'keep',
    },
  ],
  [{ body: 'é' }, { ...request, body: new TextEncoder().encode('é') }],
  [{ body: [{ a: 1 }] }, { ...request, body: new TextEncoder().encode('[{"a":1}]') }],
  [{ status: 200 }, response],
  [
    { status: 503, headers: { 'Retry-After': '5' }, body: { a: 1 }, delayMs: 250 },
    { ...response, status: 503, headers: [['Retry-After', '5']], body: '{"a":1}', delayMs: 250 },
  ],
  [
    { drop: true, delayMs: 5 },
    { ...response, status: null, delayMs: 5 },
  ],
])('%j is read', (returned, expected) => {
  expect(readResult(returned, '')).toEqual(expected)
})

it.each<[unknown, string]>([
  ['text', 'a string'],
  [[1], 'an array'],
  [{ forward: true }, '`forward` can only be false'],
  [{ forward: false, body: '' }, '“body” cannot be used in `forward: false`'],
  [{ drop: 1 }, '`drop` can only be true'],
  [{ drop: true, status: 200 }, '“status” cannot be used in `drop: true`'],
  [{ delayMs: 5 }, 'needs a `status`'],
  [{ status: 199 }, 'needs a `status`'],
  [{ status: '200' }, 'needs a `status`'],
  [{ status: 200, delayMs: 1.5 }, '`delayMs` must be'],
  [{ status: 200, url: 'https://example.com/' }, '“url” cannot be used in a response'],
  [{ status: 200, headers: { a: null } }, '“a” of a response must be a string'],
  [{ body: 5 }, '`body` must be'],
  [{ body: null }, '`body` must be'],
  [{ body: 'x'.repeat(1024 * 1024 + 1) }, '1 MiB'],
  [{ headers: [] }, '`headers` must be'],
  [{ headers: { a: 1 } }, '“a” must be a string'],
  [{ headers: { 'a b': '' } }, '“a b” cannot be sent'],
  [{ headers: { a: 'x\r\ny: z' } }, '“a” cannot be sent'],
  [
    { headers: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`h${i}`, ''])) },
    'more than 100',
  ],
  [{ url: '/path' }, '`url` must be'],
  [{ url: 'file:///etc/passwd' }, '`url` must be'],
  [{ url: 'https://user@example.com/' }, 'without a user name'],
  [{ sign: 'no' }, '`sign` must be'],
  [{ bodyy: '' }, '“bodyy” cannot be used in a request. It can have: headers, body, url, sign.'],
  [JSON.parse('{"__proto__":{"status":200}}'), '“__proto__” cannot be used'],
])('%j is refused', (returned, sentence) => {
  expect(() => readResult(returned, '')).toThrow(sentence)
})
