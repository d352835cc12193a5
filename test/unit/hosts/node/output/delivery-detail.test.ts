import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Delivery } from '#contract/models.ts'
import type * as Output from '#hosts/node/output/output.ts'
import { jsonLine } from '#hosts/node/output/output.ts'
import { globals } from '#hosts/node/command-line/globals.ts'
import { deliveryDetail, deliveryJson, shownBody } from '#hosts/node/output/delivery-detail.ts'
import { summary } from './sample-summary.ts'

// The terminal that runs the tests must not add colors.
vi.mock('#hosts/node/output/output.ts', async (original) => ({
  ...(await original<typeof Output>()),
  colored: (_: unknown, text: string) => text,
}))

beforeAll(() => {
  globals.utc = true
})

const delivery: Delivery = {
  ...summary,
  httpVersion: '1.1',
  remoteAddress: '127.0.0.1',
  via: null,
  relay: null,
  headers: [['Host', 'a']],
  trailers: [],
  storedBytes: 2,
  reason: null,
  endpointName: 'Sandbox',
  brand: 'Service',
  secretName: null,
  note: '',
}

const asSent = (bytes: Buffer) => ({ bytes, decodedFrom: null, problem: null })
const text = (given: Partial<Delivery>): string =>
  deliveryDetail({ ...delivery, ...given }, asSent(Buffer.from('{}')))

/** The lines after the facts. */
function lines(given: Partial<Delivery>): string[] {
  const all = text(given).split('\n')
  return all.slice(all.findIndex((line) => line.startsWith('Endpoint')))
}

const forwarded: Delivery['headers'] = [
  ['x-forwarded-for', '203.0.113.9'],
  ['x-forwarded-proto', 'https'],
]

it('reports that a delivery arrived through the tunnel and its claims, and nothing otherwise', () => {
  expect(lines({ via: null }).slice(1, 3)).toEqual(['', 'POST /hooks/sandbox HTTP/1.1'])
  expect(lines({ via: 'tunnel', headers: forwarded }).slice(1, 6)).toEqual([
    'Received from 127.0.0.1. Reported by the tunnel: from 203.0.113.9, over https.',
    'Not verified: any sender can set these headers.',
    'The tunnel may change the letter case of header names, so it is not checked.',
    '',
    'POST /hooks/sandbox HTTP/1.1',
  ])
  expect(lines({ via: null, headers: forwarded })[1]).toContain(
    'Reported by a header: from 203.0.113.9',
  )
  expect(lines({ via: 'tunnel' })[1]).toBe(
    'Received from 127.0.0.1. Received through the tunnel, which does not report a source.',
  )
})

it('escapes control characters in header claims', () => {
  const hostile: Delivery['headers'] = [['X-Forwarded-For', '\u001B[2J\n1.1.1.1\u202E']]
  const [, says = ''] = lines({ headers: hostile })
  expect(says).toContain('\\u001b[2J\\n1.1.1.1\\u202e')
})

it('lists errors first, and equal findings once', () => {
  const finding = {
    code: 'data.time',
    severity: 'warning',
    location: 'data.at',
    message: 'm',
  } as const
  const error = { ...finding, code: 'body.empty', severity: 'error', actual: 'x\n' } as const
  expect(
    text({ findings: [finding, error, finding] })
      .split('\n')
      .slice(-6),
  ).toEqual([
    '',
    'error    body.empty  data.at',
    '         m',
    String.raw`         actual    x\n`,
    'warning  data.time  data.at  ×2',
    '         m',
  ])
})

it('has its claims and its body in JSON', () => {
  const finding = { code: 'data.time', location: 'data.at', expected: 'e' }
  const given: Delivery = { ...delivery, findings: [finding], via: 'tunnel', headers: forwarded }
  const body = Buffer.from('{"a":1}')
  expect(JSON.parse(jsonLine('delivery', deliveryJson(given, body, asSent(body))))).toEqual({
    event: 'delivery',
    ...given,
    findings: [expect.objectContaining({ ...finding, message: expect.any(String) })],
    claims: expect.objectContaining({ by: 'tunnel', protocol: 'https' }),
    body: { a: 1 },
  })
})

const encoded = (encoding: string): Delivery => ({
  ...delivery,
  headers: [['Content-Encoding', encoding]],
  storedBytes: 29,
})

describe('a body with a content encoding', () => {
  const json = Buffer.from('{"a":1.0}')

  it.each([
    ['gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['deflate', deflateRawSync(json)],
    ['br', brotliCompressSync(json)],
  ])('is shown without %s, and JSON also has the bytes as received', async (encoding, body) => {
    const given = encoded(encoding)
    const shown = shownBody(given, body)
    expect(deliveryDetail(given, shown)).toContain(
      `\n{"a":1.0}\nDecoded from ${encoding}. The signature is over the 29 B as sent, which --body prints.`,
    )
    const line = jsonLine('delivery', deliveryJson(given, body, shown))
    expect(line).toContain('"body":{"a":1.0}')
    expect(JSON.parse(line)).toMatchObject({
      bodyDecodedFrom: encoding,
      bodyBase64: body.toString('base64'),
    })
  })

  it.each([
    ['gzip', gzipSync(json).subarray(0, -6), 'The body is not gzip as its header says'],
    ['x-unknown', gzipSync(json), 'Unknown encoding "x-unknown"'],
  ])(
    'that cannot be decoded (%s) is shown as received, with the reason',
    async (encoding, body, reason) => {
      const given = encoded(encoding)
      const shown = shownBody(given, body)
      expect(deliveryDetail(given, shown)).toContain(`of binary data\n${reason}`)
      expect(JSON.parse(jsonLine('delivery', deliveryJson(given, body, shown)))).toMatchObject({
        bodyBase64: body.toString('base64'),
        bodyProblem: expect.stringContaining(reason),
      })
    },
  )

  it('is shown as received if it is text, or not complete', async () => {
    const part = gzipSync(json).subarray(0, -6)
    const cut: Delivery = { ...encoded('gzip'), arrival: 'cut_off' }
    expect(shownBody(encoded('gzip'), json)).toEqual(asSent(json))
    expect(shownBody(cut, part)).toEqual(asSent(part))
  })
})
