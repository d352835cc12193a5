import { describe, expect, test } from 'vitest'
import type { Header } from '#contract/models.ts'
import type { Edits, SignChoice } from '#contract/sending.ts'
import { AppError } from '#engine/platform/errors.ts'
import { prepareResend, type Prepared } from '#engine/sending/prepare/prepare.ts'
import type { Captured } from '#engine/deliveries/store.ts'
import { sign } from '#test/support/requests.ts'
import { body, delivery, route, secrets, filterContextOf } from './captured-delivery.ts'

const auto: SignChoice = { how: 'auto' }
const edited = Buffer.from('{"type":"CATEGORY_UPDATED","targetId":"cat-9","data":{}}')

function send(
  change: {
    readonly captured?: Captured
    readonly url?: string
    readonly sign?: SignChoice
    readonly headers?: Header[]
    readonly body?: Edits['body']
    readonly world?: ReturnType<typeof filterContextOf>
  } = {},
): Prepared {
  const {
    captured = delivery(),
    url = 'http://127.0.0.1:3000/in',
    world = filterContextOf(route()),
  } = change
  const edits: Edits = { headers: change.headers ?? [], body: change.body ?? null }
  return prepareResend(captured, { url: new URL(url), sign: change.sign ?? auto, edits }, world)
}

function typeHeaderOf(type: string): string[] {
  return values(send({ body: Buffer.from(JSON.stringify({ type })) }), 'x-service-event-type')
}

function values({ request }: Prepared, name: string): string[] {
  return request.headers.flatMap(([header, value]) =>
    header.toLowerCase() === name.toLowerCase() ? [value] : [],
  )
}

const hostByHand: Header = ['host', 'elsewhere']

describe('an unedited delivery', () => {
  test('is sent as captured, except for Host', () => {
    const captured = delivery()
    const { request, ...rest } = send({ captured })
    expect(request.headers).toEqual(
      captured.headers.map(([name, value]) => [name, name === 'HOST' ? '127.0.0.1:3000' : value]),
    )
    expect(request.body).toBe(captured.body)
    expect(rest).toEqual({
      edited: false,
      bodyEdited: false,
      signing: 'kept',
      secretName: null,
      notes: [],
      asStored: true,
      sha256: captured.sha256,
    })
  })

  test('does not count as stored if Host is set manually, or if it may not be stored', () => {
    expect(send({ headers: [hostByHand] })).toMatchObject({ edited: false, asStored: false })
    expect(send({ captured: delivery({ sha256: null }) })).toMatchObject({ asStored: false })
  })

  test('gets a Host at the front only if it had none', () => {
    const headers = delivery().headers.filter(([name]) => name !== 'HOST')
    const { request, edited } = send({ captured: delivery({ headers }) })
    expect(request.headers).toEqual([['Host', '127.0.0.1:3000'], ...headers])
    expect(edited).toBe(false)
  })

  test('keeps chunks, trailers and a binary body', () => {
    const captured = delivery({
      headers: [
        ['Host', 'a'],
        ['transfer-encoding', 'Chunked'],
      ],
      trailers: [['X-Sum', '1']],
      body: Buffer.from([0, 255, 128]),
    })
    const { request, edited } = send({ captured })
    expect(request).toMatchObject({ body: captured.body, trailers: captured.trailers })
    expect(request.headers).toEqual([
      ['Host', '127.0.0.1:3000'],
      ['transfer-encoding', 'Chunked'],
    ])
    expect(edited).toBe(false)
  })

  test.each([
    // URL, captured path, request target
    ['http://a/in', '/hooks/main', '/in'],
    ['http://a/in', '/hooks/main?x=1', '/in?x=1'],
    ['http://a/in?y=2', '/hooks/main?x=1', '/in?y=2'],
    ['http://a/in', '/hooks/main?q=\'b|c"<&&=', '/in?q=\'b|c"<&&='],
    ['http://a', '/hooks/main?x', '/?x'],
    ['http://a/hooks/ma|in', '/hooks/ma|in?x', '/hooks/ma|in?x'],
    ['http://a/hooks/m%22x', '/hooks/m"x', '/hooks/m"x'],
    ['http://a/in#part', '*', '/in'],
    ['http://a/in', '/x?q=1 HTTP/1.1\r\nX-More: 1', '/in?q=1%20HTTP/1.1X-More:%201'],
  ])('to %s, having come to %s, asks for %s', (url, path, target) => {
    expect(send({ url, captured: delivery({ path }) }).request.target).toBe(target)
  })

  test.each([
    ['without a secret', [route({ secrets: [] })]],
    ['without its endpoint', []],
  ])('keeps its signature %s', (_, endpoints) => {
    const { signing, notes } = send({ world: filterContextOf(...endpoints) })
    expect({ signing, notes }).toEqual({ signing: 'kept', notes: [] })
  })

  test('is not edited by equal values', () => {
    const same = send({ headers: [['X-Empty', '']], body: Buffer.from(body) })
    expect(same).toMatchObject({ edited: false, bodyEdited: false, signing: 'kept' })
    expect(values(same, 'x-service-signature')).toEqual([sign(body, secrets.current)])
  })

  test('cannot be sent if only its start was stored', () => {
    expect(() => send({ captured: delivery({ whole: false }) })).toThrow(/Only the start/)
    const whole = send({ captured: delivery({ whole: false }), body: Buffer.from(body) })
    expect(whole).toMatchObject({ bodyEdited: true, signing: 'signed' })
  })

  test.each(['', 'GE T', 'CONNECT'])('cannot be sent with the method %j', (method) => {
    expect(() => send({ captured: delivery({ method }) })).toThrow(
      expect.objectContaining({ code: 'bad_input' }),
    )
  })
})

describe('headers set manually', () => {
  test('replace the first header of their name; further ones are removed', () => {
    const names = send({ headers: [['X-TWICE', 'z']] }).request.headers.map(([name]) => name)
    expect(names.slice(4, 8)).toEqual([
      'content-LENGTH',
      'X-TWICE',
      'X-SERVICE-event-type',
      'X-Service-Event-Target-UUID',
    ])
    expect(names).not.toContain('x-twice')
  })

  test('with a new name are added last, including duplicates', () => {
    const { request, edited, signing } = send({
      headers: [
        ['X-New', '1'],
        ['x-new', '2'],
      ],
    })
    expect(request.headers.slice(-2)).toEqual([
      ['X-New', '1'],
      ['x-new', '2'],
    ])
    expect({ edited, signing }).toEqual({ edited: true, signing: 'kept' })
  })

  test('stay, even if the body implies other values', () => {
    const prepared = send({ body: edited, headers: [['X-Service-Event-Type', 'MINE']] })
    expect(values(prepared, 'x-service-event-type')).toEqual(['MINE'])
  })

  test('may be the Host', () => {
    const prepared = send({ headers: [['host', 'elsewhere.test']] })
    expect(values(prepared, 'host')).toEqual(['elsewhere.test'])
  })

  test('may be the signature', () => {
    const prepared = send({ body: edited, headers: [['X-Service-Signature', 'mine']] })
    expect(values(prepared, 'x-service-signature')).toEqual(['mine'])
    expect(prepared).toMatchObject({ signing: 'kept', secretName: null })
  })

  test.each([
    ['an invalid name', [['na me', 'hidden']], /"na me" is not a valid header name/],
    ['a name with a line break', [['a\r\nb', 'hidden']], /"a\\r\\nb" is not a valid header name/],
    ['no name', [['', 'hidden']], /no name/],
    ['a line break', [['X-Bad', 'hidden\r\nX-Other: 1']], /X-Bad.*line break/],
    ['a letter beyond Latin-1', [['X-Bad', 'hidden €']], /X-Bad.*Latin-1/],
    ['another length', [['content-length', '3']], /content-length.*62 bytes/],
    [
      'two lengths',
      [
        ['content-length', '62'],
        ['Content-Length', '62'],
      ],
      /twice/,
    ],
    ['another coding', [['Transfer-Encoding', 'gzip, chunked']], /Transfer-Encoding.*chunked/],
    [
      'both framings',
      [
        ['Transfer-Encoding', 'chunked'],
        ['Content-Length', '62'],
      ],
      /cannot be combined/,
    ],
  ] satisfies [string, Header[], RegExp][])(
    'are refused with %s, by name',
    (_, headers, message) => {
      const rejection = refusal(() => send({ headers }))
      expect(rejection).toMatchObject({
        code: 'bad_input',
        message: expect.stringMatching(message),
      })
      expect(rejection.message).not.toContain('hidden')
    },
  )

  test.each([
    [['Transfer-Encoding', 'chunked'], 'content-length'],
    [['Content-Length', '62'], 'transfer-encoding'],
  ] satisfies [Header, string][])('%j takes the place of the other framing', (given, gone) => {
    const headers: Header[] =
      gone === 'content-length' ? [['Content-Length', '62']] : [['Transfer-Encoding', 'chunked']]
    const captured = delivery({ headers })
    expect(values(send({ captured, headers: [given] }), gone)).toEqual([])
  })
})

describe('an edited body', () => {
  test('is signed with the current secret, in place and case of the old signature', () => {
    const prepared = send({ body: edited })
    const { headers } = prepared.request
    expect(headers[headers.length - 2]).toEqual([
      'x-service-SIGNATURE',
      sign(edited, secrets.current),
    ])
    expect(prepared).toMatchObject({
      edited: true,
      bodyEdited: true,
      signing: 'signed',
      secretName: 'current of Main',
      notes: [],
    })
  })

  test('updates length, type and targets; the application ID stays', () => {
    const prepared = send({ body: edited })
    expect(values(prepared, 'content-length')).toEqual([String(edited.byteLength)])
    expect(values(prepared, 'x-service-event-type')).toEqual(['CATEGORY_UPDATED'])
    expect(values(prepared, 'x-service-event-target-uuid')).toEqual([])
    expect(values(prepared, 'x-service-event-target-id')).toEqual(['cat-9'])
    expect(values(prepared, 'x-service-application-id')).toEqual(['app-1'])
    expect(prepared.request.headers[6]?.[0]).toBe('X-SERVICE-event-type')
  })

  test('does not update a header that did not match before', () => {
    const headers: Header[] = [
      ['X-Service-Event-Type', 'OTHER'],
      ['X-Service-Event-Target-UUID', 'tab-1'],
    ]
    const prepared = send({ captured: delivery({ headers }), body: edited })
    expect(values(prepared, 'x-service-event-type')).toEqual(['OTHER'])
    expect(values(prepared, 'x-service-event-target-uuid')).toEqual([])
  })

  test('adds no such header to a delivery without any', () => {
    const headers: Header[] = [['Host', 'a']]
    const prepared = send({ captured: delivery({ headers, body: Buffer.of() }), body: edited })
    expect(prepared.request.headers).toEqual([
      ['Host', '127.0.0.1:3000'],
      ['Content-Length', String(edited.byteLength)],
      ['X-Service-Signature', sign(edited, secrets.current)],
    ])
  })

  test('stays in chunks', () => {
    const headers: Header[] = [['Transfer-Encoding', 'chunked']]
    const captured = delivery({ headers, trailers: [['X-Sum', '1']] })
    const prepared = send({ captured, body: edited, sign: { how: 'none' } })
    expect(prepared.request).toMatchObject({ trailers: captured.trailers })
    expect(values(prepared, 'content-length')).toEqual([])
  })

  test('encodes non-ASCII values as UTF-8, and omits line breaks', () => {
    expect(typeHeaderOf('CAFÉ')).toEqual(['CAFÃ\u0089'])
    expect(typeHeaderOf('a\nb')).toEqual([])
  })

  test.each([
    ['not JSON where JSON is said', { body: Buffer.from('{') }, [/not JSON/]],
    ['empty', { body: Buffer.of() }, []],
    ['not UTF-8', { body: Buffer.of(0xff) }, [/not JSON/]],
    [
      'text, and said to be text',
      { body: Buffer.from('{'), headers: [['Content-Type', 'text/plain']] },
      [],
    ],
    ['of no endpoint', { body: edited, world: filterContextOf() }, [/no endpoint/]],
    [
      'without a secret',
      { body: edited, world: filterContextOf(route({ secrets: [] })) },
      [/"Main" has no secret/],
    ],
  ] satisfies [string, Parameters<typeof send>[0], RegExp[]][])(
    '%s: is reported',
    (_, change, notes) => {
      expect(send(change).notes).toEqual(notes.map((note) => expect.stringMatching(note)))
    },
  )

  test('is sent without a signature if there is no secret', () => {
    const prepared = send({ body: edited, world: filterContextOf(route({ secrets: [] })) })
    expect(values(prepared, 'x-service-signature')).toEqual([])
    expect(prepared.signing).toBe('none')
  })
})

describe('the signature', () => {
  const of = { endpointId: 1, which: 'current' } as const
  const right = sign(body, secrets.current)

  test.each([
    ['keep', { how: 'keep' }, [right], 'kept', null],
    ['none', { how: 'none' }, [], 'none', null],
    ['current', { how: 'secret', ...of }, [right], 'signed', 'current of Main'],
    [
      'previous',
      { how: 'secret', endpointId: 1, which: 'previous' },
      [sign(body, secrets.previous)],
      'signed',
      'previous of Main',
    ],
    [
      'base64',
      { how: 'broken', ...of, fault: 'base64' },
      [Buffer.from(right, 'hex').toString('base64')],
      'broken',
      'current of Main',
    ],
    [
      'prefix',
      { how: 'broken', ...of, fault: 'prefix' },
      [`sha256=${right}`],
      'broken',
      'current of Main',
    ],
  ] satisfies [string, SignChoice, string[], string, string | null][])(
    '%s',
    (_, choice, value, signing, secretName) => {
      const prepared = send({ sign: choice })
      expect(values(prepared, 'x-service-signature')).toEqual(value)
      expect(prepared).toMatchObject({ signing, secretName, bodyEdited: false })
    },
  )

  test('with a wrong digit differs in one digit', () => {
    const [value = ''] = values(
      send({ sign: { how: 'broken', ...of, fault: 'digit' } }),
      'x-service-signature',
    )
    expect(value).toMatch(/^[0-9a-f]{64}$/)
    expect(Array.from(value).filter((digit, index) => digit !== right[index])).toHaveLength(1)
  })

  test('with an unknown secret is invalid, and is reported', () => {
    const prepared = send({ sign: { how: 'broken', ...of, fault: 'other_secret' } })
    expect(values(prepared, 'x-service-signature')).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ])
    expect(values(prepared, 'x-service-signature')).not.toContain(right)
    expect(prepared.secretName).toBeNull()
  })

  test('keeps the captured one for an edited body on request', () => {
    const prepared = send({ body: edited, sign: { how: 'keep' } })
    expect(values(prepared, 'x-service-signature')).toEqual([right])
    expect(prepared.signing).toBe('kept')
  })

  test('that was received twice is sent once', () => {
    const headers: Header[] = [
      ['X-Service-Signature', 'a'],
      ['X-A', ''],
      ['x-service-signature', 'b'],
    ]
    const prepared = send({ captured: delivery({ headers }), sign: { how: 'secret', ...of } })
    expect(prepared.request.headers).toEqual([
      ['Host', '127.0.0.1:3000'],
      ['X-Service-Signature', right],
      ['X-A', ''],
    ])
  })

  test('that was not received follows the other documented headers', () => {
    const headers = delivery().headers.filter(([name]) => !/signature/i.test(name))
    const prepared = send({ captured: delivery({ headers }), sign: { how: 'secret', ...of } })
    expect(prepared.request.headers.slice(-3).map(([name]) => name)).toEqual([
      'X-Service-Application-ID',
      'X-Service-Signature',
      'X-Empty',
    ])
    expect(prepared.edited).toBe(true)
  })

  test('cannot be computed with a deleted secret', () => {
    const lone = route({ secrets: [{ name: 'current', secret: secrets.current }] })
    const choice: SignChoice = { how: 'secret', endpointId: 1, which: 'previous' }
    expect(refusal(() => send({ sign: choice, world: filterContextOf(lone) }))).toMatchObject({
      code: 'secret_unavailable',
      message:
        'The endpoint "Main" has no previous secret. Select another, or send without a signature.',
    })
    expect(refusal(() => send({ sign: choice, world: filterContextOf() })).code).toBe(
      'secret_unavailable',
    )
  })

  test.each([
    { how: 'none' },
    { how: 'secret', ...of },
    { how: 'broken', ...of, fault: 'digit' },
  ] satisfies SignChoice[])('set manually and by $how contradict each other', (choice) => {
    const rejection = refusal(() =>
      send({ sign: choice, headers: [['X-Service-Signature', 'hidden']] }),
    )
    expect(rejection.code).toBe('bad_input')
    expect(rejection.message).not.toContain('hidden')
  })
})

function refusal(act: () => unknown): AppError {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('it was not refused')
}
