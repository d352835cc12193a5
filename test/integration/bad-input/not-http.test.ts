import { duplexPair } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { describeFindings } from '#catalogue/findings.ts'
import { sharedTestEngine, type TestEngine } from '#test/support/engine.ts'
import { ask, rawClient } from '#test/support/raw-client.ts'
import { goodBody, head, post } from '#test/support/requests.ts'

const shared = sharedTestEngine()

async function expectGood(tab: TestEngine): Promise<void> {
  expect(await ask(tab.port, post(tab.path, goodBody))).toMatchObject({ status: 200 })
}

test('CONNECT is rejected and recorded, even if the sender disconnects meanwhile', async () => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  await client.send(head('CONNECT example.test:443 HTTP/1.1', ['Host: example.test:443']))
  expect(await client.answer()).toMatchObject({ status: 404 })
  await client.closed()
  expect(await tab.one()).toMatchObject({
    method: 'CONNECT',
    path: 'example.test:443',
    status: 404,
  })
  for (let i = 0; i < 20; i += 1) {
    await using broken = await rawClient(tab.port)
    await broken.send(head('CONNECT example.test:443 HTTP/1.1', ['Host: a']))
    broken.reset()
  }
  await expectGood(tab)
  expect(await tab.kept(22)).toHaveLength(22)
})

test.for([
  ['random bytes', Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 197 + 128) % 256))],
  ['a version that is not', Buffer.from('POST /hooks/sandbox HTTP/9.9\r\n\r\n')],
  [
    'two framings at once',
    head('POST /hooks/sandbox HTTP/1.1', [
      'Host: a',
      'Content-Length: 5',
      'Transfer-Encoding: chunked',
    ]),
  ],
  [
    'a length that is no number',
    head('POST /hooks/sandbox HTTP/1.1', ['Host: a', 'Content-Length: -1']),
  ],
  ['a header with a NUL', head('POST /hooks/sandbox HTTP/1.1', ['Host: a', 'X: a\0b'])],
  [
    'a chunk size that is no number',
    Buffer.concat([
      head('POST /hooks/sandbox HTTP/1.1', ['Host: a', 'Transfer-Encoding: chunked']),
      Buffer.from('zz\r\n'),
    ]),
  ],
] as const)('%s on the port: 400, recorded with its bytes', async ([name, bytes]) => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  await client.send(bytes)
  expect(await client.answer()).toMatchObject({ status: 400 })
  await client.closed()
  const kept = await tab.one()
  expect(kept.status).toBe(400)
  expect(kept.reason).toMatch(/^The request could not be parsed: /)
  if (name !== 'a chunk size that is no number') {
    expect(kept).toMatchObject({ arrival: 'malformed', bytes: bytes.byteLength })
    expect(kept.body.equals(bytes)).toBe(true)
  }
  await expectGood(tab)
})

/** A TLS ClientHello of Node's client, with SNI. */
async function clientHello(): Promise<Buffer> {
  const [socket, other] = duplexPair()
  const hello = new Promise<Buffer>((resolve) => other.once('data', resolve))
  const client = connect({ socket, servername: 'hooks.example.test' })
  client.on('error', () => undefined)
  try {
    return await hello
  } finally {
    client.destroy()
  }
}

const tls = Buffer.from('16030100c8010000c40303', 'hex')
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const v1 = Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 51000 80\r\n')
const v2 = Buffer.from('0d0a0d0a000d0a515549540a2111000cc0000201c0000202c73800500a', 'hex')

const advice = {
  tls: 'http:// instead of https://',
  http2: 'HTTP/1.1, not HTTP/2',
  proxy_protocol: 'Turn off the PROXY protocol',
}
const cut = (bytes: Buffer, at: number) => [bytes.subarray(0, at), bytes.subarray(at)]

test.for<[keyof typeof advice, () => Buffer[] | Promise<Buffer[]>]>([
  ['tls', () => [tls]],
  ['tls', async () => [await clientHello()]],
  ['tls', () => [...tls].map((byte) => Buffer.from([byte]))],
  ['tls', () => [Buffer.from('160304', 'hex')]],
  ['http2', () => [Buffer.concat([preface, Buffer.alloc(9)])]],
  ['http2', () => cut(preface, 8)],
  ['http2', () => cut(preface, 20)],
  ['proxy_protocol', () => [Buffer.concat([v1, post('/', goodBody)])]],
  ['proxy_protocol', () => cut(v1, 2)],
  ['proxy_protocol', () => cut(v1, 4)],
  ['proxy_protocol', () => [v2]],
  ['proxy_protocol', () => cut(v2, 4)],
  ['proxy_protocol', () => cut(v2, 5)],
])('%s on the port is named in the response and the record', async ([protocol, packets]) => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  for (const packet of await packets()) {
    client.socket.write(packet)
    // Otherwise Node would write them in one packet.
    await setImmediate()
  }
  expect(await client.answer()).toMatchObject({
    status: 400,
    body: expect.stringContaining(advice[protocol]),
  })
  await client.closed()
  const kept = await tab.one()
  expect(kept).toMatchObject({ arrival: 'malformed', status: 400, endpointId: null })
  expect(kept.findings.map(({ code }) => code)).toEqual([`request.${protocol}`])
  expect(kept.reason).toMatch(/^The sender (started an? (TLS|HTTP\/2)|began with the PROXY)/)
  await expectGood(tab)
})

test('a malformed request for an endpoint is not said to have no endpoint, or status 404', async () => {
  const tab = shared()
  expect(await ask(tab.port, Buffer.from(`POST ${tab.path} HTTP/9.9\r\n\r\n`))).toMatchObject({
    status: 400,
  })
  const kept = await tab.one()
  expect(kept.findings.map(({ code }) => code)).toEqual(['request.malformed'])
  expect(JSON.stringify(describeFindings(kept))).not.toContain('404')
})

test('a path that is nearly an endpoint names it', async () => {
  const tab = shared()
  expect(await ask(tab.port, post(`/api${tab.path.toUpperCase()}/`, goodBody))).toMatchObject({
    status: 404,
    body: expect.stringContaining(`Did you mean ${tab.path}?`),
  })
  const [found] = describeFindings(await tab.one())
  expect(found).toMatchObject({
    code: 'request.no_endpoint',
    expected: tab.path,
    message: expect.stringContaining(`The endpoint ${tab.path} nearly has it`),
  })
})
