import { describe, expect, it } from 'vitest'
import { eventTypes } from '#catalogue/catalogue.ts'
import { readResponse } from '#catalogue/response-causes.ts'
import { field } from '#catalogue/payload.ts'
import { Aliases } from '#engine/payload/masking/aliases.ts'
import { maskSentence } from '#engine/payload/masking/headers.ts'
import { RecordMasker } from '#engine/event-logs/record-masker.ts'
import { Values } from '#engine/payload/masking/values.ts'
import { readRedirect } from '#engine/authorization/oauth/redirect.ts'
import { explainRefusal } from '#engine/authorization/oauth/refusal.ts'
import { quoteForeign } from '#shared/text/format.ts'
import type { RunStep } from '#contract/authorization.ts'
import { logHead } from '#test/support/event-log.ts'
import { sampleRun } from '#test/support/event-log/sample-log.ts'
import { full } from '#test/support/full.ts'
import { maskDelivery, maskedBody } from '#test/support/masking.ts'
import { sampleDelivery } from '#test/support/sample-delivery.ts'

const uuid = '550e8400-e29b-41d4-a716-446655440000'

describe('a body', () => {
  it.each([
    [
      'OPEN_TAB',
      `{"type":"OPEN_TAB","targetUuid":"${uuid}","locationName":"Pier 9","createdAt":"2026-01-01T10:00:00.123Z","data":{"name":"Miller","spotName":"T4","total":42.50,"openedFrom":"SERVER_TAB"}}`,
      '{"type":"OPEN_TAB","targetUuid":"uuid 1","locationName":"location 1","createdAt":"2026-01-01T10:00:00.123Z","data":{"name":"name 1","spotName":"T4","total":42.50,"openedFrom":"SERVER_TAB"}}',
    ],
    [
      'ORDER_PLACED',
      '{"type":"ORDER_PLACED","data":{"orderName":"A-17","itemNames":["Fries","Cake for Anna"],"total":"15.50","scheduled":false,"orderNumber":1234567890,"loyaltyTier":"gold","anna":12}}',
      '{"type":"ORDER_PLACED","data":{"orderName":"name 1","itemNames":["item 1","item 2"],"total":"15.50","scheduled":false,"orderNumber":1000000000,"loyaltyTier":"xxxxx","key 1":10}}',
    ],
    [
      'ITEM_ADDED',
      '{"type":"ITEM_ADDED","data":{"name":"Fries","productName":"Fries","orderId":"30012","productId":30012,"price":6.5,"quantity":2,"tags":["hot"]}}',
      '{"type":"ITEM_ADDED","data":{"name":"Fries","productName":"Fries","orderId":"id 1","productId":1,"price":6.5,"quantity":2,"tags":["hot"]}}',
    ],
    [
      'QR_SCANNED',
      '{"type":"QR_SCANNED","targetId":"412","data":{"type":"ROOM","targetName":"T4","entryPoint":"door"}}',
      '{"type":"QR_SCANNED","targetId":"id 1","data":{"type":"XXXXX","targetName":"xx0","entryPoint":"door"}}',
    ],
    [
      'GUEST_SUBSCRIBED',
      '{"type":"GUEST_SUBSCRIBED","data":{"handle":"+31 6 1234 5678"}}',
      '{"type":"GUEST_SUBSCRIBED","data":{"handle":"+phone 1"}}',
    ],
    [
      null,
      '{"createdAt":"2026-11-27","created":1764187200,"type":"order","n":[5,42,-42.50,1.5E+3]}',
      '{"createdAt":"1000-00-00","created":1000000000,"type":"xxxxx","key 1":[5,10,-10.00,1.0E+0]}',
    ],
    [
      null,
      String.raw`{"note":"Jos\u00e9\nM\u00FCller a\/b \q","text":"Zoë 中 😀"}`,
      String.raw`{"note":"Xxxx\u00e9\nXxxx\u00E9 x\/x \x","text":"Xxé 中 😀"}`,
    ],
    [
      null,
      '<order guest="Anna"><name>Miller</name></order>',
      '<xxxxx xxxxx="Xxxxx"><xxxxx>Xxxxx</xxxxx></xxxxx>',
    ],
    [
      'OPEN_TAB',
      '{"type":"OPEN_TAB","data":{"spotName":"T4","total":42.5,},"zoneName":"Patio","createdAt":"2026-01-01T10:00:00.123Z"}',
      '{"type":"OPEN_TAB","data":{"spotName":"T4","total":42.5,},"zoneName":"Xxxxx","createdAt":"2026-01-01T10:00:00.123Z"}',
    ],
    [null, 'guest 2李明 7Evelien tel 0 6 1 2', 'xxxxx 00中 xxxxxxxxx0 xxx 0 0 0 0'],
    [
      'ITEM_ADDED',
      '{"type":"ITEM_ADDED","data":{"productName":"Cake for Anna Miller","name":"Cake for Anna Miller"},"tabName":"Anna Miller"}',
      '{"type":"ITEM_ADDED","data":{"productName":"Xxxxx xxx Xxxxx Xxxxx","name":"item 1"},"tabName":"name 1"}',
    ],
    [
      null,
      '{"type":"NEW_EVENT","data":{"type":"GUEST_NAME","cause":{"type":"GUEST_NAME"},"list":[{"type":"OPEN_TAB"}]},"text":"{\\"type\\":\\"GUEST_NAME\\"}"}',
      '{"type":"NEW_EVENT","data":{"type":"XXXXX_XXXXX","cause":{"type":"XXXXX_XXXXX"},"list":[{"type":"OPEN_TAB"}]},"text":"{\\"type\\":\\"XXXXX_XXXXX\\"}"}',
    ],
    [
      null,
      '{"type":"OPEN_TAB",}{"type":"GUEST_NAME"}',
      '{"type":"OPEN_TAB",}{"type":"XXXXX_XXXXX"}',
    ],
    [null, 'token=abc123&targetId=5', 'token=xxxx0&targetId=0'],
    [null, 'targetUuid 12 Miller ORDER_PLACED', 'targetUuid 10 Xxxxx ORDER_PLACED'],
  ])('of the type %s shows what is harmless: %s', (type, body, masked) => {
    expect(maskedBody(body, { type, marks: true })).toBe(masked)
  })

  it('of each documented type keeps its kept fields', () => {
    for (const { type, data } of eventTypes) {
      const { body } = sampleDelivery(type)
      const before: unknown = JSON.parse(Buffer.from(body).toString())
      const after: unknown = JSON.parse(maskedBody(body, { type }))
      const valuesOf = (payload: unknown): unknown[] =>
        data
          .filter(
            ({ format, leaves }) =>
              leaves === 'text' || ['amount', 'count', 'flag', 'time'].includes(format),
          )
          .map(({ key }) => field(field(payload, 'data'), key))
      expect(valuesOf(after)).toEqual(valuesOf(before))
    }
  })
})

it('headers keep names, words of protocols and the form of a signature', () => {
  const { fields } = maskDelivery({
    body: '{"type":"OPEN_TAB","data":{"name":"POST"}}',
    headers: [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Content-Length', '42'],
      ['User-Agent', 'Service-WebhookAgent/1.0 Miller/2'],
      ['X-Service-Signature', `sha256=${'ab'.repeat(32)}`],
      ['X-Signature', 't=1764187200,v1=' + 'AB'.repeat(32)],
      ['X-Service-Event-Target-UUID', uuid.toUpperCase()],
      ['X-Service-Event-Type', 'OPEN_TAB'],
      ['X-Forwarded-For', '203.0.113.7, 127.0.0.1'],
      ['Host', 'hooks.example:8080'],
      ['X-Shop', 'Miller'],
      ['Anna', 'x'],
      ['Date', 'Fri, 27 Nov 2026 10:00:00 GMT'],
      ['X-Service-Timestamp', '1764187200'],
      ['X-Service-Timestamp', '0612345678'],
      ['X-Signature', '0612345678'],
    ],
    fields: { type: 'OPEN_TAB' },
  })
  expect(fields.method).toBe('POST')
  expect(fields.headers.map((header) => header.join(': '))).toEqual([
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${fields.bytes}`,
    'User-Agent: Service-WebhookAgent/1.0 Xxxxx/2',
    'X-Service-Signature: sha256=(64 hex)',
    'X-Signature: t=1764187200,v1=(64 HEX)',
    'X-Service-Event-Target-UUID: uuid 1',
    'X-Service-Event-Type: OPEN_TAB',
    'X-Forwarded-For: address 1, 127.0.0.1',
    'Host: host 1:8080',
    'X-Shop: Xxxxx',
    'key-1: x',
    'Date: Fri, 27 Nov 2026 10:00:00 GMT',
    'X-Service-Timestamp: 1764187200',
    'X-Service-Timestamp: 0000000000',
    'X-Signature: 0000000000',
  ])
})

it('gives the same value the same alias, and another notation of it a letter', () => {
  const masker = new RecordMasker()
  const targetOf = (target: string) =>
    maskDelivery(
      {
        body: JSON.stringify({ type: 'CLOSE_TAB', targetUuid: target }),
        fields: { type: 'CLOSE_TAB' },
      },
      masker,
    ).fields.target
  expect([uuid, uuid.toUpperCase(), uuid.replaceAll('-', ''), uuid, 'other'].map(targetOf)).toEqual(
    ['uuid 1', 'uuid 1b', 'uuid 1c', 'uuid 1', 'id 1'],
  )
})

it('finds the original of an alias only if asked to', () => {
  const aliases = new Aliases({ reversible: true })
  expect(aliases.aliasOf('uuid', uuid, uuid)).toBe('uuid 1')
  expect(aliases.originalOf('uuid 1')).toBe(uuid)
  expect(new Aliases().originalOf('uuid 1')).toBeNull()
})

it.runIf(full)('numbers half a million values without a mistake', () => {
  const aliases = new Aliases()
  const seen = new Set<string>()
  for (let at = 0; at < 500_000; at += 1)
    seen.add(aliases.aliasOf('id', `value ${at}`, `value ${at}`))
  expect(seen.size).toBe(500_000)
  expect(aliases.aliasOf('id', 'value 499999', 'value 499999')).toBe('id 500000')
})

it('marks an alias with what is unusual in its value, unless the delivery is in order', () => {
  const body = '{"type":"OPEN_TAB","data":{"name":"José\\n"}}'
  expect(maskedBody(body, { type: 'OPEN_TAB', marks: true })).toContain('"name 1é\\n"')
  expect(maskedBody(body, { type: 'OPEN_TAB', marks: false })).toContain('"name 1\\n"')
})

it.each([
  ['name 1é', ['invalid', 'valid']],
  ['name 1', ['valid', 'invalid']],
] as const)('gives a value one alias in a file: %s', (alias, verdicts) => {
  const masker = new RecordMasker()
  const body = '{"type":"OPEN_TAB","data":{"name":"José"}}'
  for (const verdict of verdicts) {
    const masked = maskDelivery({ body, fields: { type: 'OPEN_TAB', verdict } }, masker)
    expect(masked.body.toString()).toContain(`"${alias}"`)
    expect(masked.fields.title).toBe(`Tab ${alias} opened`)
  }
})

it('keeps and masks the fields that the user has selected, but never a secret', () => {
  const body =
    '{"type":"OPEN_TAB","data":{"spotName":"T4","loyaltyTier":"gold","items":[{"note":"no ice","price":250}],"key":"top-secret"}}'
  expect(
    maskedBody(body, {
      type: 'OPEN_TAB',
      choices: [
        { field: 'data.loyaltyTier', as: 'keep' },
        { field: 'data.items', as: 'keep' },
        { field: 'data.items[].price', as: 'mask' },
        { field: 'data.key', as: 'keep' },
        { field: 'data.spotName', as: 'mask' },
      ],
      secrets: ['top-secret'],
    }),
  ).toBe(
    '{"type":"OPEN_TAB","data":{"spotName":"xx0","loyaltyTier":"gold","items":[{"note":"no ice","price":100}],"key":"xxx-xxxxx"}}',
  )
})

it('leaves a masked log as it is', () => {
  const first = maskDelivery({
    body: '{"type":"OPEN_TAB","targetUuid":"550e8400-e29b-41d4-a716-446655440000","data":{"name":"Miller","note":"call me","x":42}}',
    headers: [
      ['X-Service-Signature', 'ab'.repeat(32)],
      ['X-Shop', 'Miller'],
      ['Host', 'a.example'],
    ],
    fields: { type: 'OPEN_TAB', note: 'ask Anna', verdict: 'invalid' },
  })
  const again = new RecordMasker({ masked: true }).item({
    kind: 'delivery',
    delivery: first,
  }).delivery
  expect(again.body).toEqual(first.body)
  expect(again.fields).toEqual(first.fields)
})

it('keeps out a secret that looks like the name of a spot, and an encoded one', () => {
  const secret = 'Sunset Terrace'
  const encoded = Buffer.from(secret).toString('base64')
  const body = JSON.stringify({ type: 'OPEN_TAB', data: { spotName: secret, code: encoded } })
  const masked = maskedBody(body, {
    type: 'OPEN_TAB',
    secrets: [secret],
    choices: [{ field: 'data.code', as: 'keep' }],
  })
  expect(masked).not.toContain(secret)
  expect(masked).not.toContain(encoded)
})

it('shows neither the slug of another listener nor digits of an address or a phone number', () => {
  const { fields } = maskDelivery({
    headers: [
      ['User-Agent', 'x/192.168.178.44 a=612;345;678'],
      ['Accept-Language', '612.345.678'],
    ],
    fields: {
      notForwarded: ['Not forwarded to http://127.0.0.1:3000/hooks/anna: code-482-193 612;345;678'],
    },
  })
  const text = JSON.stringify([fields.headers, fields.notForwarded])
  for (const part of ['192', '178', '345', '678', 'anna', '482', '193'])
    expect(text).not.toContain(part)
})

it('names no guest in the head of a file', () => {
  const masker = new RecordMasker()
  const head = masker.head({
    ...logHead(0),
    redaction: {
      on: true,
      list: 1,
      kept: ['data.guests.Anna Miller'],
      masked: ['data.spotName'],
      note: '',
    },
  })
  expect(head.redaction).toMatchObject({ kept: ['data.guests.key 1'], masked: ['data.spotName'] })
})

it('masks a text beyond ASCII: a kept note that holds a secret, the values of a finding, a key', () => {
  const secret = 'pässwörter'
  const masker = new RecordMasker({ secrets: [secret], choices: [{ field: 'note', as: 'keep' }] })
  const { fields, body } = maskDelivery(
    {
      body: '{"李明":1}',
      fields: {
        note: `李明 ${secret}`,
        httpVersion: '李明',
        findings: [
          {
            code: 'header.user_agent',
            severity: 'warning',
            location: 'body.李明',
            message: '',
            expected: '李明',
            actual: '李明',
          },
        ],
      },
    },
    masker,
  )
  expect(JSON.stringify(fields)).not.toMatch(/李明|pässwörter/)
  const [finding] = fields.findings
  expect(Buffer.from(body).toString()).toContain(`"${finding?.location.slice('body.'.length)}"`)
})

describe('a sentence', () => {
  const said = 'the snake order now'
  const response = { status: 400, statusText: '', headers: [], error: null, page: null }
  const address = `https://a.example/cb?state=s&error=${said}&error_description=${said}`
  const redirect = readRedirect(address, 's')
  it.each([
    [
      'a redirect',
      redirect.ok ? '' : redirect.message,
      'The service returned the error “xxx xxxxx',
    ],
    [
      'a refusal',
      explainRefusal({ ...response, error: { code: said, description: said } }, 0).message,
      ': “xxx xxxxx xxxxx xxx” (“xxx xxxxx xxxxx xxx”).',
    ],
    [
      'a header',
      explainRefusal({ ...response, headers: [['Retry-After', said]] }, 0).message,
      'It asks to wait: Retry-After: “xxx xxxxx xxxxx xxx”.',
    ],
    [
      'quotation marks',
      `The script logged: ${quoteForeign(`”${said}“ ${said}”`)}`,
      'logged: “"xxx xxxxx',
    ],
    ['a cut one', `The script logged: ${quoteForeign(said)}`.slice(0, -1), 'logged: “xxx xxxxx'],
    [
      'a path',
      `Not “/${said}”, but http://a.example/${said.replaceAll(' ', '/')}.`,
      'Not “/xxx xxxxx',
    ],
    [
      'a path with signs',
      `See http://127.0.0.1:80/snake's(order)/snake.`,
      'See http://127.0.0.1:80/',
    ],
    [
      'a host',
      'Nothing listens at snake.order:8080, nor at localhost:80.',
      'Nothing listens at host-1:8080, nor at localhost:80.',
    ],
    ['another scheme', 'It redirected to snake://order/open.', 'It redirected to xxxxx://'],
    ['an apostrophe', `The token’s type is ${quoteForeign(said)}.`, 'The token’s type is “xxx'],
    [
      'a code',
      'No secure connection (ERR_SSL_NO_CIPHER) for “ERR_SSL_SNAKE”.',
      '(ERR_SSL_NO_CIPHER)',
    ],
    ['own words', 'The value of “data” is “undefined”.', 'The value of “data” is “undefined”.'],
  ])('keeps the words of Tabscope and masks what it quotes: %s', (_what, sentence, shown) => {
    const masked = maskSentence(new Values({}), sentence)
    expect(masked).toContain(shown)
    expect(masked).not.toMatch(/snake|order/i)
  })

  it('of a cause keeps no name of an endpoint', () => {
    const key = `the current secret of the endpoint ${quoteForeign(said)}`
    const causes = [
      { code: 'secret.none', where: 'here', values: { endpoint: said } },
      { code: 'secret.other_endpoint', where: 'here', values: { sum: 'the HMAC-SHA256', key } },
    ] as const
    const { fields } = maskDelivery({ fields: { causes: [...causes] } })
    expect(fields.causes).toMatchObject([
      { values: { endpoint: 'xxx xxxxx xxxxx xxx' } },
      {
        values: {
          sum: 'the HMAC-SHA256',
          key: 'the current secret of the endpoint “xxx xxxxx xxxxx xxx”',
        },
      },
    ])
  })

  it('of a response keeps neither its text nor its location', () => {
    const location = `https://a.example/${said.replaceAll(' ', '/')}`
    const cause = readResponse({ status: 302, headers: [['Location', location]], body: said })
    const { fields } = maskDelivery({ fields: { causes: cause && [cause] } })
    expect(fields.causes).toMatchObject([{ code: 'response.redirect', values: { status: '302' } }])
    expect(JSON.stringify(fields.causes)).not.toMatch(/snake|order/i)
  })

  it('in the record of a run keeps neither a value nor the phrase after a status', () => {
    const step: RunStep = {
      kind: 'response',
      at: 0,
      durationMs: null,
      outcome: 'failed',
      title: `400 ${said}`,
      detail: null,
      facts: [
        { name: 'error', value: said },
        { name: 'path', value: `/${said}, expected /callback` },
        { name: 'error', value: 'access_denied' },
      ],
      request: null,
      response: null,
      timings: null,
    }
    const finding = {
      severity: 'info',
      location: 'header.content-type',
      message: 'It differs.',
    } as const
    const run = { ...sampleRun, steps: [step], findings: [{ code: 'x', ...finding, actual: said }] }
    const masked = JSON.stringify(new RecordMasker().item({ kind: 'run', run }))
    expect(masked).not.toMatch(/snake|order/i)
    expect(masked).toContain('"access_denied"')
    expect(masked).toContain(', expected /')
  })
})
