import { expect, test } from 'vitest'
import { sharedTestEngine } from '#test/support/engine.ts'
import { ask, rawClient } from '#test/support/raw-client.ts'
import { goodBody, goodHeaders, head, post, sha256, sign } from '#test/support/requests.ts'

const shared = sharedTestEngine()

const numbered = (i: number): Buffer =>
  Buffer.from(`{"type":"OPEN_TAB","targetUuid":"tab-${i}","data":{}}`)

test('50 requests in one write get 50 responses and 50 rows, in order', async () => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  const paths = Array.from({ length: 50 }, (_, i) => (i % 10 === 9 ? '/nowhere' : tab.path))
  await client.send(Buffer.concat(paths.map((path, i) => post(path, numbered(i)))))
  const answers = await client.answers(50)
  expect(answers.map(({ status }) => status)).toEqual(
    paths.map((path) => (path === tab.path ? 200 : 404)),
  )
  const kept = await tab.kept(50)
  expect(kept.map(({ target }) => target)).toEqual(paths.map((_, i) => `tab-${i}`))
  expect(kept.map(({ status }) => status)).toEqual(answers.map(({ status }) => status))
})

test('a body longer than its length: the request is recorded as complete, the rest as malformed', async () => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  const rest = Buffer.from('"and":"more"}')
  await client.send(Buffer.concat([post(tab.path, goodBody), rest]))
  expect((await client.answers(2)).map(({ status }) => status)).toEqual([200, 400])
  const [whole, malformed] = await tab.kept(2)
  expect(whole).toMatchObject({ arrival: 'complete', verdict: 'valid', sha256: sha256(goodBody) })
  expect(malformed).toMatchObject({
    arrival: 'malformed',
    status: 400,
    reason: expect.stringMatching(/^The request could not be parsed: /),
    bytes: rest.byteLength,
  })
  expect(malformed?.body.equals(rest)).toBe(true)
})

test('Expect: 100-continue gets its interim response before the body is sent', async () => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  const headers = [
    'Host: a',
    `Content-Length: ${goodBody.byteLength}`,
    `X-Service-Signature: ${sign(goodBody)}`,
    ...goodHeaders,
    'Expect: 100-continue',
  ]
  await client.send(head(`POST ${tab.path} HTTP/1.1`, headers))
  expect(await client.answer()).toMatchObject({ status: 100 })
  await client.send(goodBody)
  expect((await client.answers(2))[1]).toMatchObject({ status: 200 })
  expect(await tab.one()).toMatchObject({ verdict: 'valid', arrival: 'complete', findings: [] })
})

test('another expectation gets 417 and is recorded', async () => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  await client.send(post(tab.path, goodBody, ['Expect: miracles']))
  expect(await client.answer()).toMatchObject({ status: 417 })
  await client.closed()
  expect(await tab.one()).toMatchObject({
    status: 417,
    arrival: 'malformed',
    path: tab.path,
    reason: expect.stringContaining('“miracles”'),
  })
})

test.for([
  ['GET', '/'],
  ['HEAD', '/favicon.ico'],
  ['OPTIONS', '*'],
  ['PUT', '/hooks/unknown?x=1'],
  ['DELETE', '/hooks/sandbox/'],
  ['PATCH', '/hooks/../hooks/sandbox'],
  ['PROPFIND', '//hooks/sandbox'],
])('%s %s gets 404 and is recorded under no endpoint', async ([method, path]) => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  await client.send(head(`${method} ${path} HTTP/1.1`, ['Host: a', 'Connection: close']))
  await client.closed()
  const kept = await tab.one()
  expect(kept).toMatchObject({
    method,
    path,
    status: 404,
    endpointId: null,
    endpointName: null,
    verdict: 'unsigned',
    arrival: 'complete',
  })
  expect(kept.findings.map(({ code }) => code)).toEqual([
    'request.no_endpoint',
    'request.method',
    'body.empty',
  ])
})

test.for(['GET', 'HEAD', 'DELETE', 'QUERY'])(
  '%s on an endpoint is taken, and found',
  async (method) => {
    const tab = shared()
    expect(
      await ask(tab.port, head(`${method} ${tab.path} HTTP/1.1`, ['Host: a', 'Connection: close'])),
    ).toMatchObject({ status: 200, body: '' })
    const kept = await tab.one()
    expect(kept).toMatchObject({ method, status: 200, endpointId: tab.endpointId })
    expect(kept.findings.map(({ code }) => code)).toContain('request.method')
  },
)

test.for([
  ['HTTP/1.0 without Host', (path: string) => `POST ${path} HTTP/1.0`, []],
  ['HTTP/1.1 without Host', (path: string) => `POST ${path} HTTP/1.1`, []],
  [
    'an absolute target',
    (path: string) => `POST http://elsewhere.test:9${path}?q HTTP/1.1`,
    ['Host: a'],
  ],
  [
    'an offer to upgrade',
    (path: string) => `POST ${path} HTTP/1.1`,
    ['Host: a', 'Connection: Upgrade', 'Upgrade: h2c, websocket'],
  ],
] as const)('%s is taken like any other', async ([, line, headers]) => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  const all = [
    ...headers,
    `Content-Length: ${goodBody.byteLength}`,
    `X-Service-Signature: ${sign(goodBody)}`,
  ]
  await client.send(Buffer.concat([head(line(tab.path), all), goodBody]))
  expect(await client.answer()).toMatchObject({ status: 200 })
  expect(await tab.one()).toMatchObject({
    status: 200,
    verdict: 'valid',
    httpVersion: line('').slice(-3),
    path: line(tab.path).split(' ')[1],
    endpointId: tab.endpointId,
  })
})
