import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { describeFinding } from '#catalogue/findings.ts'
import { inspect } from '#engine/payload/inspect.ts'
import { inspectedEndpoint, type InspectedEndpoint } from '#engine/payload/endpoint.ts'

const endpoint = inspectedEndpoint({
  id: 1,
  name: 'Sandbox',
  brand: 'Acme',
  applicationId: 'app-1',
  customHeaders: [],
  secrets: [{ name: 'current', secret: 'now' }],
})
/** Findings of every delivery in this test, regardless of its body. */
const usual = [
  ['User-Agent', 'Acme-WebhookAgent/1.0'],
  ['Content-Type', 'application/json'],
  ['X-Acme-Application-ID', 'app-1'],
].flat()
const bytes = (body: unknown) =>
  Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8')
const inspectBody = (
  body: Uint8Array,
  rawHeaders: string[] = [],
  at: InspectedEndpoint | null = endpoint,
) =>
  inspect(
    { method: 'POST', arrival: 'complete', rawHeaders: [...usual, ...rawHeaders], body },
    at,
    'Service',
  )
const inspectPayload = (payload: unknown) => inspectBody(bytes(payload))
const codes = (body: Uint8Array) => inspectBody(body).findings.map(({ code }) => code)

describe('inspect', () => {
  it('describes a delivery that matches the API documentation', () => {
    const body = bytes({
      type: 'CLOSE_TAB',
      targetUuid: 'tab-1',
      locationName: 'Zoë’s',
      createdAt: '2026-03-14T21:00:00.123Z',
      data: {},
    })
    const signature = createHmac('sha256', 'now').update(body).digest('hex')
    const headers = ['X-Acme-Event-Type', 'CLOSE_TAB', 'X-Acme-Event-Target-UUID', 'tab-1']
    expect(inspectBody(body, [...headers, 'X-ACME-signature', signature])).toEqual({
      type: 'CLOSE_TAB',
      title: 'Tab tab-1 closed',
      facts: expect.objectContaining({ tab: { id: 'tab-1', name: null } }),
      target: 'tab-1',
      locationName: 'Zoë’s',
      createdAt: Date.UTC(2026, 2, 14, 21, 0, 0, 123),
      verdict: 'valid',
      secretName: 'current',
      findings: [],
    })
  })

  it.each([
    ['empty', Buffer.alloc(0), 'body.empty'],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'body.not_utf8'],
    ['UTF-16', Buffer.from('{}', 'utf16le'), 'body.not_json'],
    ['no JSON', bytes('{"type":'), 'body.not_json'],
    ['an array', bytes([{ type: 'A' }]), 'body.not_object'],
    ['null', bytes('null'), 'body.not_object'],
    ['text', bytes('"ITEM_ADDED"'), 'body.not_object'],
    ['a number', bytes('1e999'), 'body.not_object'],
  ])('describes a body that is %s', (_, body, code) => {
    expect(inspectBody(body)).toMatchObject({ type: null, target: null, createdAt: null })
    expect(codes(body)).toEqual([code])
  })

  it('names another protocol instead of a missing endpoint', () => {
    const hello = Buffer.from('16030100c8', 'hex')
    const request = { method: '', arrival: 'malformed', rawHeaders: [], body: hello } as const
    const found = inspect({ ...request, protocol: 'tls' }, null, 'Service')
    expect(found).toMatchObject({
      title: 'TLS connection, not HTTP',
      findings: [{ code: 'request.tls' }],
    })
    expect(found.findings).toHaveLength(1)
    expect(inspect(request, null, 'Service').findings).toMatchObject([
      { code: 'request.malformed' },
    ])
  })

  it('names the endpoint whose path is nearly requested', () => {
    const request = {
      method: 'POST',
      arrival: 'complete',
      rawHeaders: [],
      body: bytes({}),
    } as const
    const [found] = inspect({ ...request, nearPath: '/hooks/main' }, null, 'Service').findings
    expect(found && describeFinding(found, null).message).toContain(
      'The endpoint /hooks/main nearly has it',
    )
  })

  it('reports a byte order mark, ignores it when parsing, and includes it in the signature', () => {
    const payload = { type: 'OPEN_TAB', targetUuid: 't', createdAt: '2026-03-14T21:00:00.123Z' }
    const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes(payload)])
    const signature = createHmac('sha256', 'now').update(body).digest('hex')
    const headers = ['X-Acme-Event-Type', 'OPEN_TAB', 'X-Acme-Event-Target-UUID', 't']
    expect(inspectBody(body, [...headers, 'X-Acme-Signature', signature])).toMatchObject({
      type: 'OPEN_TAB',
      verdict: 'valid',
      findings: [{ code: 'body.byte_order_mark' }],
    })
  })

  it('uses targetUuid as the target, or else targetId', () => {
    expect(inspectPayload({ targetUuid: 'u', targetId: 'i' }).target).toBe('u')
    expect(
      inspectPayload({ type: 'CATEGORY_UPDATED', targetUuid: null, targetId: '118' }).target,
    ).toBe('118')
    expect(inspectPayload({ targetUuid: '', targetId: 118 }).target).toBe('118')
    expect(inspectPayload({ targetUuid: null, targetId: null }).target).toBeNull()
    expect(inspectPayload({ targetUuid: ['u'], targetId: { i: 1 } }).target).toBeNull()
  })

  it.each([
    ['2026-03-14T21:00:00.123Z', Date.UTC(2026, 2, 14, 21, 0, 0, 123)],
    ['2026-03-14T21:00:00Z', Date.UTC(2026, 2, 14, 21)],
    ['2026-03-14T21:00:00.123456+02:00', Date.UTC(2026, 2, 14, 19, 0, 0, 123)],
    // Without a zone, the time would depend on the computer.
    ['2026-03-14T21:00:00.123', null],
    ['2026-03-14', null],
    ['2026-13-45T21:00:00Z', null],
    // Date.parse accepts these.
    ['Table 5', null],
    ['1', null],
    ['Sat Mar 14 2026', null],
    ['', null],
    [1_773_522_000_123, null],
    [null, null],
    [['2026-03-14T21:00:00.123Z'], null],
  ])('reads createdAt %j as %j', (createdAt, expected) => {
    expect(inspectPayload({ createdAt }).createdAt).toBe(expected)
  })

  it('truncates long texts at whole characters', () => {
    const long = inspectPayload({
      type: 'A'.repeat(5000),
      locationName: `${'x'.repeat(299)}🍔 and more`,
    })
    expect(long.type).toBe(`${'A'.repeat(300)}…`)
    expect(long.locationName).toBe(`${'x'.repeat(299)}\uFFFD…`)
    expect(inspectPayload({ type: 'A'.repeat(300) }).type).toBe('A'.repeat(300))
    expect(inspectBody(bytes('{"type":"\\ud800"}')).type).toBe('\uFFFD')
    const { target } = inspectPayload({ type: 'OPEN_TAB', targetUuid: 'u'.repeat(1e6), data: {} })
    expect(target?.length).toBeLessThan(400)
  })

  const wrong = [0, -1.5, true, null, [], {}, [[]], { a: { b: [] } }, 'x\u0000\u001b[31m\u202e']
  it.each(wrong)('accepts %j in every field without throwing', (value) => {
    for (const type of ['ITEM_ADDED', 'ORDER_PLACED', 'CATEGORY_UPDATED', 'QR_SCANNED', value]) {
      const data = Object.fromEntries(
        [
          'name',
          'price',
          'quantity',
          'tags',
          'total',
          'itemNames',
          'cause',
          'handle',
          'created',
        ].map((key) => [key, value]),
      )
      const payload = { targetUuid: value, targetId: value, locationName: value, createdAt: value }
      for (const inside of [data, value]) {
        const inspection = inspectPayload({ ...payload, type, data: inside })
        expect(inspection.type).toBe(typeof type === 'string' ? type : null)
      }
    }
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    'treats %s as an unknown type, although objects inherit this name',
    (type) => {
      expect(inspectPayload({ type, data: { a: 1 } }).type).toBe(type)
      expect(inspectBody(bytes(`{"${type}":{"type":"OPEN_TAB"},"data":{}}`)).type).toBeNull()
    },
  )

  it('does not check the signature if no endpoint has the path', () => {
    const inspection = inspectBody(bytes({}), ['X-Service-Signature', 'f'.repeat(64)], null)
    expect(inspection.verdict).toBe('unchecked')
    expect(inspection.findings.map(({ code }) => code)).toEqual(['request.no_endpoint'])
  })
})
