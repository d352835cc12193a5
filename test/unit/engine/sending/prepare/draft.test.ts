import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { DraftContent, DraftHeader } from '#contract/compose.ts'
import type { Header } from '#contract/models.ts'
import type { SignChoice } from '#contract/sending.ts'
import { prepareDraft, type PreparedDraft } from '#engine/sending/prepare/draft.ts'
import { draftOfDelivery, newDraft } from '#engine/sending/prepare/start.ts'
import type { Captured } from '#engine/deliveries/store.ts'
import { sign } from '#test/support/requests.ts'
import { body, delivery, route, secrets, filterContextOf } from './captured-delivery.ts'

const edited = Buffer.from('{"type":"CATEGORY_UPDATED","targetId":"cat-9","data":{}}')
const world = filterContextOf(route())
const filling = {
  now: new Date('2026-11-21T09:00:00.123Z'),
  uuid: () => `uuid-${(made += 1)}`,
  counter: 42,
}
let made = 0

function draft(
  change: Partial<DraftContent> = {},
  of: { captured?: Captured | null; world?: typeof world } = {},
): PreparedDraft {
  made = 0
  const { captured = delivery() } = of
  const start = draftOfDelivery(
    captured ?? delivery(),
    route(),
    'http://127.0.0.1:3000/in?tag=a%20b',
  )
  return prepareDraft({ ...start, ...change }, captured, filling, of.world ?? world)
}

function fresh(change: Partial<DraftContent> = {}, endpoint = route()): PreparedDraft {
  made = 0
  const url = 'http://127.0.0.1:3000/in'
  const start = newDraft({ kind: 'empty' }, edited, endpoint, { brand: 'Service', url })
  return prepareDraft({ ...start, ...change }, null, filling, filterContextOf(endpoint))
}

function withBody(bytes: Uint8Array): Pick<DraftContent, 'body'> {
  return { body: { kind: 'bytes', bytes } }
}

function textBody(text: string): Pick<DraftContent, 'body'> {
  return withBody(Buffer.from(text))
}

function rows(...changed: (Partial<DraftHeader> & { name: string })[]): DraftHeader[] {
  const { headers } = draftOfDelivery(delivery(), route(), 'http://a/')
  const left = changed.filter(
    ({ name }) => !headers.some((row) => row.name.toLowerCase() === name.toLowerCase()),
  )
  return [
    ...headers.map((row) => ({
      ...row,
      ...changed.find(({ name }) => name.toLowerCase() === row.name.toLowerCase()),
    })),
    ...left.map((row) => ({ value: '', on: true, byHand: false, ...row })),
  ]
}

function valuesOf({ preview }: PreparedDraft, name: string): string[] {
  return preview.headers.flatMap((header) =>
    header.name.toLowerCase() === name.toLowerCase() ? [header.value] : [],
  )
}

function codes({ problems }: PreparedDraft): string[] {
  return problems.map(({ code, severity }) => `${severity} ${code}`)
}

describe('an unchanged draft of a delivery', () => {
  test('is signed with the secret of another endpoint when that is selected', () => {
    const other = route({
      id: 2,
      name: 'Other',
      applicationId: 'app-2',
      secrets: [{ name: 'current', secret: 'its own' }],
    })
    const changed = draft({ endpointId: 2 }, { world: filterContextOf(route(), other) })
    expect(valuesOf(changed, 'x-service-signature')).toEqual([sign(body, 'its own')])
    expect(valuesOf(changed, 'x-service-application-id')).toEqual(['app-2'])
    expect(changed.preview).toMatchObject({ unchanged: false, bodyUnchanged: true })
  })

  test('stays unchanged when its endpoint is deleted and another replaces it', () => {
    const captured = delivery({ endpointId: null })
    expect(draft({}, { captured }).preview.unchanged).toBe(true)
  })

  test.each([
    ['method', { method: 'PUT' }],
    ['a header switched off', { headers: rows({ name: 'X-Empty', on: false }) }],
    ['a header more', { headers: rows({ name: 'X-New', value: '1' }) }],
    ['the case of a name', { headers: rows({ name: 'x-empty' }) }],
    ['the order', { headers: rows().toReversed() }],
    ['the body', withBody(edited)],
    ['no signature', { sign: { how: 'none' } }],
  ] satisfies [string, Partial<DraftContent>][])('is changed by %s', (_, change) => {
    const { preview, prepared } = draft(change)
    expect(preview.unchanged).toBe(false)
    expect(prepared?.edited).toBe(true)
  })
})

describe('an automatic header', () => {
  test('follows body, address, endpoint and secret, and reports it', () => {
    const { preview } = draft(withBody(edited))
    const from = Object.fromEntries(preview.headers.map((row) => [row.name.toLowerCase(), row]))
    expect(from).toMatchObject({
      host: { value: '127.0.0.1:3000', from: 'url' },
      'content-length': { value: String(edited.byteLength), from: 'length' },
      'x-service-event-type': { value: 'CATEGORY_UPDATED', from: 'body' },
      'x-service-event-target-id': { value: 'cat-9', from: 'body', draft: null },
      'x-service-application-id': { value: 'app-1', from: 'endpoint' },
      'x-service-signature': { value: sign(edited, secrets.current), from: 'signature' },
      'x-first': { value: 'one', from: 'draft', draft: 0 },
    })
    expect(preview.leftOut).toEqual([7])
    expect(
      valuesOf({ preview, problems: [], prepared: null }, 'x-service-event-target-uuid'),
    ).toEqual([])
    expect(preview.signature).toEqual({
      value: sign(edited, secrets.current),
      secretName: 'current of Main',
      verdict: 'valid',
    })
  })

  test.each([
    ['X-Service-Event-Type', 'MINE'],
    ['X-Service-Event-Target-UUID', 'mine'],
    ['X-Service-Application-ID', 'mine'],
    ['Host', 'mine.test'],
    ['X-Service-Signature', 'mine'],
  ])('but %s by hand stays', (name, value) => {
    const changed = draft({ ...withBody(edited), headers: rows({ name, value, byHand: true }) })
    expect(valuesOf(changed, name)).toEqual([value])
    expect(changed.prepared).not.toBeNull()
  })

  test('stays unchanged if it did not match the captured body', () => {
    const headers: Header[] = [
      ['X-Service-Event-Type', 'OTHER'],
      ['X-Service-Application-ID', 'app-9'],
    ]
    const captured = delivery({ headers })
    const start = draftOfDelivery(captured, route(), 'http://a/')
    expect(start.headers.map(({ byHand }) => byHand)).toEqual([true, true])
    const changed = draft({ ...start, ...withBody(edited) }, { captured })
    expect(valuesOf(changed, 'x-service-event-type')).toEqual(['OTHER'])
    expect(valuesOf(changed, 'x-service-application-id')).toEqual(['app-9'])
  })

  test('is omitted from a request without content', () => {
    const { preview } = fresh(
      withBody(Buffer.from('[]')),
      route({ secrets: [], applicationId: '' }),
    )
    expect(preview.headers.map(({ name }) => name)).toEqual([
      'Host',
      'User-Agent',
      'Content-Type',
      'Content-Length',
      'X-Service-Application-ID',
    ])
    expect(preview.leftOut).toEqual([4, 5, 6, 8])
  })

  test('is not added if its row was removed', () => {
    const { headers } = newDraft({ kind: 'empty' }, edited, route(), {
      brand: 'Service',
      url: 'http://a',
    })
    const kept = headers.filter(({ name }) => !name.startsWith('X-Service-Event'))
    expect(valuesOf(fresh({ headers: kept }), 'x-service-event-type')).toEqual([])
  })

  test('is sent even without a row if every request requires it: host and length', () => {
    const { preview } = fresh({ headers: [], sign: { how: 'none' } })
    expect(preview.headers).toEqual([
      { name: 'Host', value: '127.0.0.1:3000', draft: null, from: 'url' },
      { name: 'Content-Length', value: String(edited.byteLength), draft: null, from: 'length' },
    ])
  })

  test('a disabled length is still sent with a body, and this is reported', () => {
    const changed = draft({
      ...withBody(edited),
      headers: rows({ name: 'Content-Length', on: false }),
    })
    expect(codes(changed)).toContain('info header.length_added')
    expect(changed.prepared).not.toBeNull()
  })

  test.each([
    ['Transfer-Encoding', [['Transfer-Encoding', 'chunked']]],
    ['Content-Length', [['Content-Length', String(body.byteLength)]]],
  ] satisfies [string, Header[]][])(
    'a body as captured is framed though its %s is switched off',
    (_, headers) => {
      const captured = delivery({ headers })
      const start = draftOfDelivery(captured, route(), 'http://a/')
      const off = start.headers.map((row) => ({ ...row, on: false }))
      const { prepared } = draft({ ...start, headers: off }, { captured })
      expect(prepared?.request.headers).toEqual([
        ['Host', 'a'],
        ['Content-Length', String(body.byteLength)],
      ])
      expect(prepared?.bodyEdited).toBe(false)
    },
  )

  test('Content-Length is omitted with a chunked body', () => {
    const headers = rows({ name: 'Transfer-Encoding', value: 'chunked' })
    const changed = draft({ ...withBody(edited), headers })
    expect(valuesOf(changed, 'content-length')).toEqual([])
    expect(changed.prepared).not.toBeNull()
  })
})

describe('the signature', () => {
  const current = { endpointId: null, which: 'current' } as const
  const right = sign(edited, secrets.current)

  test.each([
    ['auto', { how: 'auto' }, right, 'current of Main', 'valid', 'signed'],
    ['keep', { how: 'keep' }, sign(body, secrets.current), null, 'invalid', 'kept'],
    ['none', { how: 'none' }, null, null, 'missing', 'none'],
  ] satisfies [string, SignChoice, string | null, string | null, string, string][])(
    '%s',
    (_, choice, value, secretName, verdict, signing) => {
      const changed = draft({ ...withBody(edited), sign: choice })
      expect(changed.preview.signature).toEqual({ value, secretName, verdict })
      expect(changed.prepared).toMatchObject({ signing, secretName })
    },
  )

  test('is not sent if it should be kept but none was captured', () => {
    const { preview, prepared } = fresh({ sign: { how: 'keep' } })
    expect(preview.leftOut).toContain(8)
    expect(prepared?.signing).toBe('none')
  })

  test('is not sent when disabled, and this is reported', () => {
    const headers = rows({ name: 'X-Service-Signature', on: false })
    const changed = draft({ ...withBody(edited), headers })
    expect(codes(changed)).toEqual(['info sign.off'])
    expect(changed.preview.signature.value).toBeNull()
    expect(changed.prepared?.signing).toBe('none')
  })

  test('is not overwritten if set manually, which is reported', () => {
    const headers = rows({ name: 'X-Service-Signature', value: 'mine', byHand: true })
    const changed = draft({ headers, sign: { how: 'secret', ...current } })
    expect(codes(changed)).toEqual(['info sign.by_hand'])
    expect(changed.preview.signature).toMatchObject({
      value: 'mine',
      secretName: null,
      verdict: 'invalid',
    })
  })
})

describe('a problem', () => {
  test.each([
    ['a method of two words', { method: 'PO ST' }, ['error method.invalid']],
    ['no method', { method: '' }, ['error method.invalid']],
    ['CONNECT', { method: 'CONNECT' }, ['error method.invalid']],
    ['no address', { url: ' ' }, ['error url.empty']],
    ['half an address', { url: 'menu.example:3000' }, ['error url.invalid']],
    ['an address of no port', { url: 'http://a:99999' }, ['error url.invalid']],
    ['a file', { url: 'file:///etc/passwd' }, ['error url.invalid']],
    ['another scheme', { url: 'ftp://a/' }, ['error url.invalid']],
    ['a password in the address', { url: 'http://ada:secret@a/' }, ['error url.invalid']],
    ['a name that is none', { headers: rows({ name: 'na me' }) }, ['error header.name']],
    ['a name that is missing', { headers: rows({ name: '', value: 'x' }) }, ['error header.name']],
    ['a row that is still empty', { headers: rows({ name: '' }) }, []],
    ['a name that is none, but off', { headers: rows({ name: 'na me', on: false }) }, []],
    ['a line break', { headers: rows({ name: 'X-Bad', value: 'a\r\nb' }) }, ['error header.value']],
    [
      'another length',
      { headers: rows({ name: 'content-LENGTH', value: '3', byHand: true }) },
      ['error header.framing'],
    ],
    [
      'another coding',
      {
        headers: rows(
          { name: 'Transfer-Encoding', value: 'gzip' },
          { name: 'content-length', on: false },
        ),
      },
      ['error header.framing'],
    ],
    [
      'two ways of framing',
      {
        headers: rows(
          { name: 'Transfer-Encoding', value: 'chunked' },
          { name: 'content-LENGTH', byHand: true },
        ),
      },
      ['error header.framing'],
    ],
    ['no JSON', { ...textBody('{"a":'), sign: { how: 'none' } }, ['warning body.not_json']],
    [
      'no JSON, and not said to be',
      { ...textBody('{'), headers: rows({ name: 'content-type', value: 'text/plain' }) },
      [],
    ],
    ['a byte order mark', textBody('\ufeff{}'), ['warning body.bom']],
    [
      'a secret that is gone',
      { sign: { how: 'secret', endpointId: 9, which: 'current' } },
      ['error sign.no_secret'],
    ],
  ] satisfies [string, Partial<DraftContent>, string[]][])('%s', (_, change, expected) => {
    const changed = draft(change)
    expect(codes(changed)).toEqual(expected)
    const refused = expected.some((code) => code.startsWith('error'))
    expect(changed.prepared === null).toBe(refused)
  })

  test('names the row, and never its value', () => {
    const { problems } = draft({ headers: rows({ name: 'X-Bad', value: 'hidden\n' }) })
    expect(problems).toMatchObject([{ field: 'headers', header: rows().length }])
    expect(JSON.stringify(problems)).not.toContain('hidden')
  })

  test('reports the correct length', () => {
    const { problems } = draft({
      headers: rows({ name: 'content-LENGTH', value: '3', byHand: true }),
    })
    expect(problems[0]).toMatchObject({
      header: 4,
      message: expect.stringContaining(`${body.byteLength} bytes`),
    })
  })

  test.each([
    ['no endpoint', { endpointId: null }, 'info sign.left_out'],
    [
      'no endpoint, and a secret is asked for',
      { endpointId: null, sign: { how: 'secret', endpointId: null, which: 'current' } },
      'error sign.no_secret',
    ],
  ] satisfies [string, Partial<DraftContent>, string][])('%s', (_, change, expected) => {
    expect(codes(fresh(change))).toEqual([expected])
  })

  test('an endpoint without a secret', () => {
    const without = route({ secrets: [] })
    expect(codes(fresh({}, without))).toEqual(['info sign.left_out'])
    expect(fresh({}, without).prepared?.notes).toEqual([
      expect.stringContaining('"Main" has no secret'),
    ])
    const choice: SignChoice = { how: 'secret', endpointId: null, which: 'current' }
    expect(codes(fresh({ sign: choice }, without))).toEqual(['error sign.no_secret'])
  })

  test('a deleted delivery, if its body is needed', () => {
    expect(codes(draft({}, { captured: null }))).toContain('error body.gone')
    expect(draft(withBody(edited), { captured: null }).prepared).not.toBeNull()
  })

  test('a body of which only the start was stored', () => {
    const captured = delivery({ whole: false })
    expect(codes(draft({}, { captured }))).toContain('error body.partial')
    expect(draft(withBody(edited), { captured }).prepared).not.toBeNull()
  })
})

describe('placeholders', () => {
  const template = {
    url: 'http://127.0.0.1:3000/{{counter}}',
    ...withBody(Buffer.from('{"a":"{{uuid}}","b":"{{uuid:x}}","c":"{{uuid:x}}","d":"{{uuid}}"}')),
    headers: rows(
      { name: 'X-New', value: '{{now}} {{now:seconds}} {{now:milliseconds}} {{uuid:x}}' },
      { name: 'X-Off', value: '{{nme}}', on: false },
    ),
    placeholders: true,
  }

  test('are filled in, and signed as filled in', () => {
    const filled = draft(template)
    const text = '{"a":"uuid-2","b":"uuid-1","c":"uuid-1","d":"uuid-3"}'
    expect(Buffer.from(filled.preview.filled ?? []).toString()).toBe(text)
    // The page must not get other bytes: threads and ports copy the whole buffer of a view.
    expect(filled.preview.filled?.buffer.byteLength).toBe(filled.preview.filled?.byteLength)
    expect(filled.prepared?.request.url.href).toBe('http://127.0.0.1:3000/42')
    expect(valuesOf(filled, 'x-new')).toEqual([
      '2026-11-21T09:00:00.123Z 1795251600 1795251600123 uuid-1',
    ])
    expect(filled.preview).toMatchObject({
      bytes: text.length,
      sha256: createHash('sha256').update(text).digest('hex'),
      signature: { value: sign(text, secrets.current), verdict: 'valid' },
      problems: [],
    })
  })

  test('stay unchanged if placeholders are off', () => {
    const { preview, prepared } = draft({ ...template, placeholders: false })
    expect(preview.filled).toBeNull()
    expect(Buffer.from(prepared?.request.body ?? []).toString()).toContain('{{uuid}}')
    expect(prepared?.request.target).toBe('/%7B%7Bcounter%7D%7D')
  })

  test('that are unknown stay, and are reported with the available ones', () => {
    const changed = draft({
      ...withBody(Buffer.from('{"a":"{{nme}} {{uuid:}} {{nme}} {{ uuid }}"}')),
      placeholders: true,
    })
    expect(changed.problems.map(({ message }) => message)).toEqual(
      ['"{{nme}}"', '"{{uuid:}}"', '"{{ uuid }}"'].map((name) => expect.stringContaining(name)),
    )
    expect(changed.problems[0]?.message).toContain('{{now:seconds}}')
    expect(changed.preview.filled).toBeNull()
  })

  test('stay unchanged in a body that is not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('{{uuid}}'), Buffer.of(0xff)])
    const changed = draft({ ...withBody(bytes), placeholders: true })
    expect(codes(changed)).toContain('info placeholders.not_text')
    expect(changed.prepared?.request.body).toEqual(bytes)
  })
})

describe('the findings of a draft', () => {
  test('is reported with its place, in the request as sent', () => {
    const headers = rows({ name: 'Content-type', value: 'text/plain' })
    const places = draft({ ...withBody(edited), headers }).preview.findings.map(
      ({ code, location }) => `${code} at ${location}`,
    )
    expect(places).toContain('header.content_type at header.content-type')
    expect(places).toContain('payload.field_missing at body.createdAt')
  })

  test('are empty without an endpoint', () => {
    expect(fresh({ endpointId: null }).preview.findings).toEqual([])
  })
})
