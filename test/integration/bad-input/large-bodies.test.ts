import { expect, test } from 'vitest'
import { sharedTestEngine } from '#test/support/engine.ts'
import { ask, rawClient, type RawClient } from '#test/support/raw-client.ts'
import { goodBody, head, post, sha256 } from '#test/support/requests.ts'

const shared = sharedTestEngine()

const MiB = 1024 * 1024
const large = Buffer.alloc(30 * MiB, 'x')
const beginning = large.subarray(0, 64 * 1024)

async function sendAll(client: RawClient, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.byteLength && !client.isClosed; at += MiB)
    await client.send(bytes.subarray(at, at + MiB))
}

const chunked = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.byteLength.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

test.for([
  { name: 'announced', framing: `Content-Length: ${large.byteLength}`, body: large },
  {
    name: 'in chunks',
    framing: 'Transfer-Encoding: chunked',
    body: Buffer.concat([
      ...Array.from({ length: 30 }, (_, i) => chunked(large.subarray(i * MiB, (i + 1) * MiB))),
      Buffer.from('0\r\n\r\n'),
    ]),
  },
])('of 30 MiB $name the start is stored, and the response is 413', async ({ framing, body }) => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  await client.send(head(`POST ${tab.path} HTTP/1.1`, ['Host: a', 'X-Mark: here', framing]))
  await sendAll(client, body)
  expect(await client.answer()).toMatchObject({
    status: 413,
    body: expect.stringContaining('larger than the limit'),
  })
  const kept = await tab.one()
  expect(kept).toMatchObject({
    arrival: 'too_large',
    status: 413,
    verdict: 'missing',
    storedBytes: beginning.byteLength,
    sha256: sha256(beginning),
    reason: expect.stringContaining('the limit is 26214400 bytes'),
  })
  expect(kept.bytes).toBeGreaterThanOrEqual(kept.storedBytes)
  expect(kept.findings.map(({ code }) => code)).toEqual(['body.too_large'])
  expect(kept.headers).toContainEqual(['X-Mark', 'here'])
  expect(kept.body.equals(beginning)).toBe(true)

  expect(await ask(tab.port, post(tab.path, goodBody))).toMatchObject({ status: 200 })
  expect(await tab.kept(2)).toHaveLength(2)
})

test('a sender that uses Expect for 30 MiB is rejected before it sends the body', async () => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  await client.send(
    head(`POST ${tab.path} HTTP/1.1`, [
      'Host: a',
      `Content-Length: ${large.byteLength}`,
      'Expect: 100-continue',
    ]),
  )
  expect(await client.answer()).toMatchObject({ status: 413 })
  await client.closed()
  expect(await tab.one()).toMatchObject({
    arrival: 'too_large',
    status: 413,
    bytes: 0,
    storedBytes: 0,
    sha256: sha256(''),
    reason: expect.stringContaining(`announced ${large.byteLength} bytes`),
  })
})

const small = { bodyBytes: 4096, keptBytes: 1024, headMs: 300, bodyMs: 300 }
const sharedSmall = sharedTestEngine({ limits: small })

test.for(['finish', 'reset'] as const)(
  'a sender that leaves (%s) after 413, with most of its body unsent, is recorded once',
  async (leave) => {
    const tab = sharedSmall()
    await using client = await rawClient(tab.port)
    await client.send(head(`POST ${tab.path} HTTP/1.1`, ['Host: a', 'Content-Length: 1000000']))
    await client.send(large.subarray(0, 10_000))
    expect(await client.answer()).toMatchObject({ status: 413 })
    await client.send(large.subarray(0, 10_000))
    client[leave]()
    await client.closed()
    expect(await ask(tab.port, post(tab.path, goodBody))).toMatchObject({ status: 200 })
    const kept = await tab.kept(2)
    expect(kept.map(({ arrival }) => arrival)).toEqual(['too_large', 'complete'])
  },
)

test('a sender that is too slow after 413 is disconnected, and recorded once', async () => {
  const tab = sharedSmall()
  await using client = await rawClient(tab.port)
  await client.send(head(`POST ${tab.path} HTTP/1.1`, ['Host: a', 'Content-Length: 1000000']))
  await client.send(large.subarray(0, 10_000))
  expect(await client.answer()).toMatchObject({ status: 413 })
  const drip = setInterval(() => void client.socket.write('x'), 20)
  await client.closed()
  clearInterval(drip)
  expect(await ask(tab.port, post(tab.path, goodBody))).toMatchObject({ status: 200 })
  expect((await tab.kept(2)).map(({ arrival }) => arrival)).toEqual(['too_large', 'complete'])
})
