import { expect, test } from 'vitest'
import { sharedTestEngine, type TestEngine } from '#test/support/engine.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, head, post } from '#test/support/requests.ts'

const shared = sharedTestEngine()

async function expectGood(tab: TestEngine): Promise<void> {
  await using client = await rawClient(tab.port)
  await client.send(post(tab.path, goodBody))
  expect(await client.answer()).toMatchObject({ status: 200 })
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

const tlsHello = Buffer.from('16030100050100000100', 'hex')

test.for([
  ['a TLS hello', tlsHello],
  ['random bytes', Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 197 + 128) % 256))],
  ['HTTP/2 without asking', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
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
