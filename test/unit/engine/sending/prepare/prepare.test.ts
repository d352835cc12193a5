import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Header } from '#contract/models.ts'
import type { Edits, SignChoice } from '#contract/sending.ts'
import type { Prepared } from '#engine/sending/prepare/draft.ts'
import { draftOfScript, prepareResend, prepareVersion } from '#engine/sending/prepare/prepare.ts'
import type { Captured } from '#engine/deliveries/store.ts'
import { pick, randomOf, type Random } from '#test/support/random-filter.ts'
import { sign } from '#test/support/requests.ts'
import { body, delivery, route, secrets, filterContextOf } from './captured-delivery.ts'
import { refusal } from '#test/support/refusal.ts'

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

function values({ request }: Prepared, name: string): string[] {
  return request.headers.flatMap(([header, value]) =>
    header.toLowerCase() === name.toLowerCase() ? [value] : [],
  )
}

const someNames = ['Host', 'hOST', 'X-A', 'x-a', 'X-Service-Event-Type', 'X-Service-Signature', 'Z']
const someTexts = ['', 'a', 'b  c', '\u00ff', 'OPEN_TAB']
const someHeader = (random: Random): Header => [pick(random, someNames), pick(random, someTexts)]
const several = <T>(random: Random, one: (random: Random) => T): T[] =>
  Array.from({ length: Math.floor(random() * 8) }, () => one(random))
const someBytes = (random: Random): Uint8Array =>
  Uint8Array.from(several(random, () => Math.floor(random() * 256)))
const without = (headers: readonly Header[], names: readonly string[]): Header[] =>
  headers.filter(([name]) => !names.includes(name.toLowerCase()))

const typeHeaderOf = (type: string): string[] =>
  values(send({ body: Buffer.from(JSON.stringify({ type })) }), 'x-service-event-type')

test.each(Array.from({ length: 200 }, (_, seed) => seed))(
  'whatever was captured bytes out are bytes in, except what is named (seed %i)',
  (seed) => {
    const random = randomOf(seed)
    const captured = delivery({ headers: several(random, someHeader), body: someBytes(random) })
    const plain = send({ captured })
    expect(plain.request.body).toBe(captured.body)
    expect(without(plain.request.headers, ['host'])).toEqual(without(captured.headers, ['host']))
    expect(plain).toMatchObject({ edited: false, bodyEdited: false, asStored: true })

    const headers = several(random, someHeader)
    const given = headers.map(([name]) => name.toLowerCase())
    const named = ['host', 'content-length', ...given]
    const changed = send({ captured, headers, sign: { how: 'keep' } })
    expect(changed.request.body).toBe(captured.body)
    expect(without(changed.request.headers, named)).toEqual(without(captured.headers, named))
    for (const name of given) {
      expect(values(changed, name)).toEqual(
        headers.flatMap(([other, value]) => (other.toLowerCase() === name ? [value] : [])),
      )
    }

    const other = someBytes(random)
    const dependent = [...named, 'x-service-event-type', 'x-service-signature']
    const replaced = send({ captured, headers, body: other })
    expect(Buffer.from(replaced.request.body)).toEqual(Buffer.from(other))
    expect(without(replaced.request.headers, dependent)).toEqual(
      without(captured.headers, dependent),
    )
  },
)

describe('an unedited delivery', () => {
  test('does not count as stored if Host is set manually, or if it may not be stored', () => {
    const byHand = send({ headers: [['host', 'elsewhere']] })
    expect(byHand).toMatchObject({ edited: false, asStored: false })
    expect(values(byHand, 'host')).toEqual(['elsewhere'])
    expect(send({ captured: delivery({ sha256: null }) })).toMatchObject({ asStored: false })
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
    const captured = delivery({ path })
    expect(send({ url, captured }).request.target).toBe(target)
    expect(send({ url, captured, headers: [['X-New', '1']] }).request.target).toBe(target)
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
    expect(refusal(() => send({ captured: delivery({ method }) })).code).toBe('bad_input')
  })
})

describe('headers set manually', () => {
  test('take the place of the first of their name, and new ones are added last', () => {
    const { request, edited, signing } = send({
      headers: [
        ['X-TWICE', 'z'],
        ['X-New', '1'],
        ['x-new', '2'],
      ],
    })
    const names = request.headers.map(([name]) => name)
    expect(names.slice(4, 7)).toEqual(['content-LENGTH', 'X-TWICE', 'X-SERVICE-event-type'])
    expect(request.headers.slice(-2)).toEqual([
      ['X-New', '1'],
      ['x-new', '2'],
    ])
    expect({ edited, signing }).toEqual({ edited: true, signing: 'kept' })
  })

  test.each([
    ['a name with a line break', [['a\r\nb', 'hidden']], /"a\\r\\nb" is not a valid header name/],
    ['a letter beyond Latin-1', [['X-Bad', 'hidden €']], /X-Bad.*Latin-1/],
    [
      'two lengths',
      [
        ['content-length', '62'],
        ['Content-Length', '62'],
      ],
      /twice/,
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
    [['Transfer-Encoding', 'chunked'], ['Content-Length', '62'], 'content-length'],
    [['Content-Length', '62'], ['Transfer-Encoding', 'chunked'], 'transfer-encoding'],
  ] satisfies [Header, Header, string][])(
    '%j takes the place of the other framing',
    (given, captured, gone) => {
      const prepared = send({ captured: delivery({ headers: [captured] }), headers: [given] })
      expect(values(prepared, gone)).toEqual([])
      expect(prepared.request.headers).toContainEqual(given)
    },
  )
})

describe('an edited body', () => {
  test('is signed with the current secret, in place and case of the old signature', () => {
    const prepared = send({ body: edited })
    expect(prepared.request.headers.at(-2)).toEqual([
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

  test('adds no header that repeats the body to a delivery without any', () => {
    const captured = delivery({ headers: [['Host', 'a']], body: Buffer.of() })
    expect(send({ captured, body: edited }).request.headers).toEqual([
      ['Host', '127.0.0.1:3000'],
      ['X-Service-Signature', sign(edited, secrets.current)],
      ['Content-Length', String(edited.byteLength)],
    ])
  })

  test('stays in chunks, with the trailers, which are reported if they cannot be sent', () => {
    const headers: Header[] = [['Transfer-Encoding', 'chunked']]
    const captured = delivery({ headers, trailers: [['X-Sum', '1']] })
    const prepared = send({ captured, body: edited, sign: { how: 'none' } })
    expect(prepared.request).toMatchObject({ trailers: captured.trailers })
    expect(values(prepared, 'content-length')).toEqual([])
    const whole = send({ captured, headers: [['Content-Length', String(body.byteLength)]] })
    expect(whole).toMatchObject({ edited: true, request: { trailers: [] } })
    expect(whole.notes).toEqual([expect.stringContaining('The trailers are not sent')])
  })

  test('encodes non-ASCII values as UTF-8, and omits line breaks', () => {
    expect(typeHeaderOf('CAFÉ')).toEqual(['CAFÃ\u0089'])
    expect(typeHeaderOf('a\nb')).toEqual([])
  })

  test('loses the captured coding, unless it is gzip itself or that is set manually', () => {
    const headers: Header[] = [['Content-Encoding', 'gzip']]
    const captured = delivery({ headers })
    const replaced = send({ captured, body: edited })
    expect(values(replaced, 'content-encoding')).toEqual([])
    expect(replaced.notes).toEqual([expect.stringContaining('Content-Encoding is left out')])
    for (const kept of [
      send({ captured, body: edited, headers }),
      send({ captured, body: gzipSync(edited) }),
    ]) {
      expect(values(kept, 'content-encoding')).toEqual(['gzip'])
    }
    expect(send({ captured, body: edited, headers }).notes).toEqual([])
  })

  test('of a script loses it as well, also if the script copies the headers', () => {
    const captured = delivery({ headers: [['Content-Encoding', 'gzip'], ...delivery().headers] })
    const copied = captured.headers.map(([name, value]): Header => [name.toLowerCase(), value])
    const draft = draftOfScript(
      captured,
      { kind: 'request', headers: copied, body: edited, url: null, sign: 'auto' },
      route(),
      'http://127.0.0.1:3000/in',
    )
    const { request, signing } = prepareVersion(draft, captured, filterContextOf(route()))
    expect(request.headers.map(([name]) => name.toLowerCase())).not.toContain('content-encoding')
    expect(signing).toBe('signed')
  })
})

describe('the signature', () => {
  const of = { endpointId: 1, which: 'current' } as const
  const right = sign(body, secrets.current)
  const base64 = Buffer.from(right, 'hex').toString('base64')

  test.each([
    ['none', { how: 'none' }, [], 'none', null],
    ['current', { how: 'secret', ...of }, [right], 'signed', 'current of Main'],
    [
      'previous',
      { how: 'secret', endpointId: null, which: 'previous' },
      [sign(body, secrets.previous)],
      'signed',
      'previous of Main',
    ],
    ['base64', { how: 'broken', ...of, fault: 'base64' }, [base64], 'broken', 'current of Main'],
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
    const prepared = send({ sign: { how: 'broken', ...of, fault: 'digit' } })
    const [value = ''] = values(prepared, 'x-service-signature')
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

  test('that was received twice is sent once', () => {
    const headers: Header[] = [
      ['X-Service-Signature', 'a'],
      ['X-A', ''],
      ['x-service-signature', 'b'],
      ['Content-Length', String(body.byteLength)],
    ]
    const prepared = send({ captured: delivery({ headers }), sign: { how: 'secret', ...of } })
    expect(prepared.request.headers).toEqual([
      ['Host', '127.0.0.1:3000'],
      ['X-Service-Signature', right],
      ...headers.slice(1, 2),
      ...headers.slice(3),
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
