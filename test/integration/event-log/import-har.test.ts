import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { EventLog } from '#contract/logs.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { exportTo, importBytes, importPath } from '#test/support/event-log.ts'
import { deliver } from '#test/support/forwarding.ts'
import { recordingServer } from '#test/support/recording-server.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const tab = sharedTestEngine({ background: false })

interface Posted {
  readonly at?: string
  readonly url?: string
  readonly method?: string
  readonly postData?: object
  readonly bodySize?: number
  readonly headers?: readonly (readonly [string, string])[]
  /** Other members of the request. */
  readonly more?: object
}

function entry({
  at = '2026-03-14T21:00:00.000+01:00',
  url,
  method,
  headers,
  more,
  ...rest
}: Posted): object {
  return {
    pageref: 'page_1',
    startedDateTime: at,
    time: 12.5,
    request: {
      method: method ?? 'POST',
      url: url ?? 'https://hooks.example/in?a=1#part',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: (headers ?? []).map(([name, value]) => ({ name, value })),
      queryString: [],
      headersSize: -1,
      bodySize: -1,
      ...rest,
      ...more,
    },
    response: { status: 204, statusText: '', headers: [], content: { size: 0, mimeType: '' } },
    cache: {},
    timings: { send: 0, wait: 12, receive: 0.5 },
  }
}

const har = (entries: readonly unknown[], space?: number): Buffer =>
  Buffer.from(
    JSON.stringify(
      {
        log: {
          version: '1.2',
          creator: { name: 'WebInspector', version: '537.36' },
          pages: [{ title: '"entries":[{}]}}' }],
          entries,
          comment: 'the end',
        },
      },
      null,
      space,
    ),
  )

async function imported(bytes: Buffer): Promise<EventLog> {
  const done = await importBytes(tab().engine, bytes, 'browser.har', 7000)
  expect(done).toMatchObject({ state: 'done', error: null })
  const log = (await tab().engine.call('logs.list', {})).logs.find(({ id }) => id === done.logId)
  if (!log) throw new Error('the log is not listed')
  return log
}

async function failure(bytes: Buffer): Promise<string | undefined> {
  const ended = await importBytes(tab().engine, bytes, 'browser.har', 7000)
  expect(ended).toMatchObject({ state: 'failed', logId: null })
  return ended.error?.message
}

async function delivery(bytes: Buffer) {
  const { engine } = tab()
  const log = await imported(bytes)
  const { headers, ...fields } = await engine.call('deliveries.get', { log: log.id, id: 1 })
  const body = await engine.call('deliveries.body', { log: log.id, id: 1, offset: 0, length: 999 })
  return { log, headers, fields, body: Buffer.from(body.bytes).toString('latin1') }
}

test('entries of another tool become deliveries in order of time, and are inspected like received ones', async () => {
  const { engine } = tab()
  const log = await imported(
    har([
      entry({
        at: '2026-03-14T22:00:05.000+01:00',
        headers: [
          ['content-type', 'application/json'],
          ['X-Acme-Signature', 'ab'.repeat(32)],
        ],
        postData: { mimeType: 'application/json', text: goodBody.toString() },
      }),
      entry({ method: 'GET', url: 'https://hooks.example', at: '2026-03-14T21:00:01Z' }),
      entry({
        postData: { mimeType: 'x/y', text: '/wAB', encoding: 'base64' },
        at: '2026-03-14T21:00:02Z',
      }),
      entry({
        at: '2026-03-14T21:00:03Z',
        postData: {
          mimeType: 'application/x-www-form-urlencoded',
          params: [{ name: 'a b', value: 'c&d' }],
        },
      }),
      entry({ bodySize: 77, at: '2026-03-14T21:00:04Z' }),
      { startedDateTime: 'yesterday' },
      entry({ headers: [['a\nb', 'c']], at: '2026-03-14T21:00:04.500Z' }),
      7,
    ]),
  )
  expect(log).toMatchObject({
    format: 'har',
    version: null,
    app: 'WebInspector 537.36',
    redacted: null,
    state: 'unverified',
    deliveries: 6,
    problems: [
      'Skipped entry 8: it is not a JSON object.',
      'Skipped entry 6: it has no request.',
      'Entry 7: 1 header without a name or with an invalid value left out.',
    ],
  })
  const get = (id: number) => engine.call('deliveries.get', { log: log.id, id })
  expect(await get(1)).toMatchObject({ method: 'GET', path: '/', bytes: 0 })
  expect(await get(4)).toMatchObject({
    bytes: 77,
    storedBytes: 0,
    title: 'Body is not in the file',
  })
  expect(await get(6)).toMatchObject({
    receivedAt: Date.parse('2026-03-14T21:00:05Z'),
    path: '/in?a=1',
    type: 'OPEN_TAB',
    target: 'tab-1',
    brand: 'Acme',
    verdict: 'unchecked',
    status: 204,
    responseMs: 12.5,
    httpVersion: '1.1',
    headers: [
      ['content-type', 'application/json'],
      ['X-Acme-Signature', 'ab'.repeat(32)],
    ],
  })
  const body = async (id: number) =>
    Buffer.from(
      (await engine.call('deliveries.body', { log: log.id, id, offset: 0, length: 999 })).bytes,
    )
  expect(await body(2)).toEqual(Buffer.from([255, 0, 1]))
  expect((await body(3)).toString()).toBe('a+b=c%26d')
  expect(await body(6)).toEqual(goodBody)
})

// As Playwright 1.65 records a body that is not UTF-8, a Blob, and with content: 'attach'.
test.each([
  ['bytes as U+FFFD', { mimeType: 'x', text: '{"a":"\ufffd"}' }, { bodySize: 9 }, '9'],
  ['no text of a Blob', undefined, { bodySize: 0 }, '40'],
  ['a file beside it', { mimeType: 'x', _file: '1.json' }, { bodySize: 9 }, '9'],
])('%s is no body', async (_, postData, more, length) => {
  const headers: [string, string][] = [['Content-Length', length]]
  const { fields } = await delivery(har([entry({ ...(postData && { postData }), headers, more })]))
  expect(fields).toMatchObject({
    title: 'Body is not in the file',
    bytes: Number(length),
    storedBytes: 0,
  })
})

/** Parts of `entry`, with values that HAR does not allow. */
const odd: [name: string, members: object, inRequest: object][] = [
  ['a status in a text', { response: { status: '204' } }, {}],
  ['a duration in a text', { time: '12.5' }, {}],
  ['no response', { response: null }, {}],
  ['a size in a text', {}, { bodySize: '17' }],
  ['a member of another tool', { $schema: 1, _x: [null] }, {}],
  ['no version of HTTP', {}, { httpVersion: null }],
  ['headers that are not a list', {}, { headers: 7 }],
]

test.each(odd)('%s does not drop an entry', async (name, members, inRequest) => {
  const postData = { mimeType: 'x', text: '{"type":"A"}' }
  const { log, fields, body } = await delivery(
    har([{ ...entry({ postData, more: inRequest }), ...members }]),
  )
  expect(log).toMatchObject({ deliveries: 1 })
  expect(log.problems.join(' ')).not.toMatch(/expected|invalid input/i)
  expect(fields).toMatchObject({
    method: 'POST',
    type: 'A',
    status: name === 'no response' ? null : 204,
    responseMs: 12.5,
  })
  expect(body).toBe('{"type":"A"}')
})

test('headers of another tool: a value that is missing is empty, a number is a text, and pseudo headers are left out', async () => {
  const headers = [
    { name: ':method', value: 'POST' },
    { name: ':path', value: '/in' },
    { name: 'X-None' },
    { name: 'X-Null', value: null },
    { name: 'X-Number', value: 17 },
    { value: 'of nothing' },
    'X-Text: 1',
  ]
  const { log, headers: read } = await delivery(
    har([{ ...entry({}), request: { method: 'POST', url: 'https://a.example/in', headers } }]),
  )
  expect(read).toEqual([
    ['X-None', ''],
    ['X-Null', ''],
    ['X-Number', '17'],
  ])
  expect(log.problems).toEqual([
    'Entry 1: 2 headers without a name or with an invalid value left out.',
  ])
})

test.each([undefined, null, 12, '12.5', 'yesterday'])(
  'an entry with the start time %j has an unknown time',
  async (startedDateTime) => {
    const { log, fields } = await delivery(har([{ ...entry({}), startedDateTime }]))
    expect(log).toMatchObject({ deliveries: 1, firstAt: null, lastAt: null })
    expect(log.problems).toEqual(['Entry 1: It has no valid start time, so its time is unknown.'])
    expect(fields.receivedAt).toBe(0)
  },
)

test('the body that HTTP Toolkit writes into _content is imported', async () => {
  const base64 = Buffer.from([0xff, 0, 0x41]).toString('base64')
  const more = { _requestBodyStatus: 'discarded:not-representable' }
  const binary = { ...more, _content: { text: base64, size: 3, encoding: 'base64' } }
  expect((await delivery(har([entry({ more: binary })]))).body).toBe('\xff\0A')
  const text = { ...more, _content: { text: '{"type":"A"}', size: 12 } }
  expect((await delivery(har([entry({ more: text })]))).fields).toMatchObject({
    type: 'A',
    bytes: 12,
  })
})

test('headers about the coding of a decoded body are left out, and those of an encoded one stay', async () => {
  const headers = [
    ['Content-Encoding', 'gzip'],
    ['Content-Length', '31'],
  ] as const
  const decoded = entry({ headers, postData: { mimeType: 'x', text: '{"type":"A"}' } })
  const plain = await delivery(har([decoded]))
  expect(plain.headers).toEqual([])
  expect(plain.log.problems).toEqual([
    'Entry 1: The file holds the body decoded, so headers about its coding were left out.',
  ])
  const text = gzipSync('{"type":"A"}').toString('base64')
  const encoded = entry({ headers, postData: { mimeType: 'x', text, encoding: 'base64' } })
  expect((await delivery(har([encoded]))).headers).toEqual(headers)
})

test('log may follow other members', async () => {
  const { log } = JSON.parse(har([entry({})]).toString())
  const bytes = Buffer.from(JSON.stringify({ $schema: 'https://a.example/log', creator: 1, log }))
  expect(await imported(bytes)).toMatchObject({ format: 'har', deliveries: 1 })
})

const withSignature = ['X-Acme-Signature', 'ab'.repeat(32)] as const

// Source: https://docs.webhook.site/api/requests.html, version of 2026-07-22. Names of headers are in lower case, times in UTC.
test('requests of webhook.site are imported with the bytes of their bodies, in order of time', async () => {
  const [name, value] = withSignature
  const first = {
    uuid: 'a2a6a4ae-4130-4063-953a-84fa29d81d43',
    type: 'web',
    token_id: 'a94a7294-c4aa-4074-ab77-c4cf86fd53b1',
    ip: '127.0.0.1',
    method: 'POST',
    content: goodBody.toString(),
    query: null,
    request: null,
    headers: { 'content-type': ['application/json'], 'x-twice': ['1', '2'], [name]: [value] },
    url: 'https://webhook.site/a94a7294-c4aa-4074-ab77-c4cf86fd53b1/in?a=1',
    size: goodBody.byteLength,
    time: 0.0015,
    created_at: '2026-03-14 21:00:00',
  }
  const data = [
    { ...first, created_at: '2026-03-14 21:00:02', content: '', size: 271 },
    { ...first, created_at: '2026-03-14 21:00:01', content: '{"a":"\ufffd"}', size: 9 },
    first,
    { ...first, type: 'email', method: null, created_at: '2026-03-14 21:00:03' },
  ]
  for (const [json, deliveries] of [
    [{ data, total: 4, is_last_page: true }, 3],
    [data, 3],
    [first, 1],
  ] as const) {
    const { log, fields, headers, body } = await delivery(Buffer.from(JSON.stringify(json)))
    expect(log).toMatchObject({
      format: 'requests',
      app: 'webhook.site',
      state: 'unverified',
      deliveries,
      problems: deliveries === 1 ? [] : ['Skipped entry 4: it has no request.'],
    })
    expect(body).toBe(goodBody.toString('latin1'))
    expect(headers).toEqual([
      ['content-type', 'application/json'],
      ['x-twice', '1'],
      ['x-twice', '2'],
      [name, value],
    ])
    expect(fields).toMatchObject({
      receivedAt: Date.parse('2026-03-14T21:00:00Z'),
      path: '/a94a7294-c4aa-4074-ab77-c4cf86fd53b1/in?a=1',
      type: 'OPEN_TAB',
      verdict: 'unchecked',
      status: null,
    })
    // A body that is not UTF-8, and the parts of a multipart body.
    for (const id of deliveries === 1 ? [] : [2, 3]) {
      expect(await tab().engine.call('deliveries.get', { log: log.id, id })).toMatchObject({
        title: 'Body is not in the file',
        storedBytes: 0,
      })
    }
  }
})

// Source: https://ngrok.com/docs/agent/api/#list-captured-requests, read in version 3.9.0 of the agent.
test('requests of the inspector of ngrok are imported as on the wire', async () => {
  const [name, value] = withSignature
  const lines = [`${name}: ${value}`, 'x-twice: 1', 'X-Twice: 2']
  const captured = (length: string, body: Buffer, at: number): object => ({
    uri: `/api/requests/http/548fb5c70000000${at}`,
    id: `548fb5c70000000${at}`,
    tunnel_name: 'command_line',
    remote_addr: '192.168.100.25',
    start: `2026-03-14T13:00:0${at}.250-08:00`,
    duration: 3_893_202,
    request: {
      method: 'POST',
      proto: 'HTTP/1.1',
      headers: { 'X-Acme-Signature': [value], 'X-Twice': ['1', '2'] },
      uri: '/in?a=1',
      raw: Buffer.concat([
        Buffer.from(`${['POST /in?a=1 HTTP/1.1', length, ...lines].join('\r\n')}\r\n\r\n`),
        body,
      ]).toString('base64'),
    },
    response: { status: '502 Bad Gateway', status_code: 502, proto: 'HTTP/1.1', raw: '' },
  })
  const chunks = Buffer.concat([
    Buffer.from('2;x=y\r\n\xff\x00\r\n', 'latin1'),
    Buffer.from(`${goodBody.byteLength.toString(16)}\r\n`),
    goodBody,
    Buffer.from('\r\n0\r\n\r\n'),
  ])
  const hostile = Buffer.from('-6\r\n0\r\n\r\n')
  const requests = [
    { ...captured('', goodBody, 5), request: { method: 'POST', uri: '/in', raw: '' } },
    captured('Transfer-Encoding: chunked', hostile, 4),
    captured('Transfer-Encoding: chunked', chunks.subarray(0, -20), 3),
    { ...captured('Content-Length: 9999', goodBody, 2), response: null },
    captured('Transfer-Encoding: chunked', chunks, 1),
    captured(`Content-Length: ${goodBody.byteLength}`, goodBody, 0),
  ]
  const json = Buffer.from(JSON.stringify({ uri: '/api/requests/http', requests }))
  const { log, fields, headers, body } = await delivery(json)
  expect(log).toMatchObject({ format: 'requests', app: 'ngrok', deliveries: 6, problems: [] })
  expect(body).toBe(goodBody.toString('latin1'))
  expect(headers).toEqual([
    ['Content-Length', String(goodBody.byteLength)],
    [name, value],
    ['x-twice', '1'],
    ['X-Twice', '2'],
  ])
  expect(fields).toMatchObject({
    receivedAt: Date.parse('2026-03-14T21:00:00.250Z'),
    method: 'POST',
    path: '/in?a=1',
    httpVersion: '1.1',
    type: 'OPEN_TAB',
    brand: 'Acme',
    status: 502,
    responseMs: 3.893,
  })
  const { engine } = tab()
  const bodyOf = async (id: number): Promise<Buffer> => {
    const read = await engine.call('deliveries.body', { log: log.id, id, offset: 0, length: 999 })
    return Buffer.from(read.bytes)
  }
  expect(await bodyOf(2)).toEqual(Buffer.concat([Buffer.from([0xff, 0]), goodBody]))
  // ngrok keeps only the beginning of a long body.
  for (const [id, bytes] of [
    [3, 9999],
    [4, chunks.byteLength - 20],
  ] as const) {
    expect(await engine.call('deliveries.get', { log: log.id, id })).toMatchObject({
      title: 'Body is not in the file',
      bytes,
      storedBytes: 0,
    })
  }
  expect(await bodyOf(5)).toEqual(hostile)
  expect(await bodyOf(6)).toEqual(Buffer.alloc(0))
  expect(await failure(json.subarray(0, -20))).toBe(
    'The file cannot be read: it is not JSON. It may be incomplete. Save it again with the tool that created it.',
  )
})

test('a file of which nothing can be imported fails with the first reason', async () => {
  expect(await failure(har([null, { request: 7 }]))).toBe(
    'Nothing was imported. Skipped entry 1: it is not a JSON object.',
  )
})

test('a HAR file may be formatted, and must be complete', async () => {
  const many = Array.from({ length: 60 }, (_, n) =>
    entry({ postData: { mimeType: '', text: `{"n":${n},"s":"\\\\\\" }],[{"}` } }),
  )
  const whole = await imported(har(many, 2))
  expect(whole).toMatchObject({ deliveries: 60, state: 'unverified', problems: [] })
  const cut = await importBytes(tab().engine, har(many).subarray(0, -100), 'cut.har', 7000)
  expect(cut).toMatchObject({ state: 'failed', error: { code: 'log_unreadable' } })
  expect(cut.error?.message).toContain('It may be incomplete.')
  expect(await failure(har([]))).toBe('Nothing was imported. The file contains no deliveries.')
})

test('a HAR file of Tabscope has all bytes of its deliveries, and its attempts are no deliveries', async () => {
  const { engine, path: hook } = tab()
  await using server = await recordingServer(Buffer.from([0xff, 1, 2]))
  await deliver(tab(), post(hook, goodBody))
  await deliver(tab(), post(hook, Buffer.from([0xff, 0xfe, 0])))
  await deliver(tab(), post('/nowhere?x=%00', goodBody, ['x-twice: 1', 'X-Twice: 2']))
  const [first, second] = await tab().kept(3)
  const url = `http://127.0.0.1:${server.port}/in`
  await engine.call('deliveries.annotate', { id: first?.id ?? 0, note: 'Look', tags: ['x'] })
  await engine.call('deliveries.resend', { id: first?.id ?? 0, url })
  await engine.call('deliveries.resend', {
    id: second?.id ?? 0,
    url,
    edits: { body: Buffer.from([0xfe]) },
  })
  await tab().engine.catchUp()
  const folder = tempFolder()
  const file = path.join(folder, 'ours.har')
  await exportTo(engine, file, { format: 'har' })
  const done = await importPath(engine, file)
  expect((await engine.call('logs.list', {})).logs[0]).toMatchObject({
    id: done.logId,
    format: 'har',
    deliveries: 3,
    state: 'unverified',
    problems: [2, 4].map((n) => `Skipped entry ${n}: it is an attempt, not a delivery.`),
  })
  const log = done.logId
  for (const { id, sha256, headers } of await tab().kept(3)) {
    const copy = await engine.call('deliveries.get', { id, log })
    expect(copy).toMatchObject({ sha256, headers, note: '' })
  }
})
