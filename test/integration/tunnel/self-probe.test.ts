import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  probeHeader,
  probePath,
  sha256Of,
  signProbe,
  newNonce,
} from '#engine/receiving/tunnel/probe/format.ts'
import { Network } from '#engine/platform/http/network.ts'
import { createProber, readResponse } from '#engine/receiving/tunnel/probe/prober.ts'
import { openCapture, type TestCapture } from '#test/support/capture-thread.ts'
import { rawClient, type Answer } from '#test/support/raw-client.ts'
import { goodBody, head, post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

const never = new AbortController().signal
const originOf = ({ port }: TestCapture): string => `http://127.0.0.1:${port}`

let made = 0

function signedFor(tab: TestCapture, body: Uint8Array): string {
  made += 1
  const nonce = newNonce(Date.now() + made, randomBytes(8))
  return signProbe(tab.probeKey, { nonce, bytes: body.byteLength, sha256: sha256Of(body) })
}

function probeHead(tab: TestCapture, body: Uint8Array, header = signedFor(tab, body)): Buffer {
  return head(`POST ${probePath} HTTP/1.1`, [
    'Host: 127.0.0.1',
    `Content-Length: ${body.byteLength}`,
    `${probeHeader}: ${header}`,
  ])
}

function probeBytes(tab: TestCapture, body: Uint8Array, header?: string): Buffer {
  return Buffer.concat([probeHead(tab, body, header), body])
}

function readBy(tab: TestCapture, { body }: Answer): ReturnType<typeof readResponse> {
  return readResponse(tab.probeKey, Buffer.from(body))
}

async function rows(
  tab: TestCapture,
  count: number,
): Promise<[path: string, status: number | null][]> {
  const kept = await until(`${count} rows`, () => {
    const found = tab.captured()
    return found.length >= count ? found : null
  })
  return kept.map(({ path, status }) => [path, status])
}

test('the listener responds to our probes, by POST and by GET, and stores nothing', async () => {
  await using tab = await openCapture()
  const prober = createProber(tab.probeKey, new Network())
  for (let i = 0; i < 3; i += 1) {
    expect(await prober.probe(originOf(tab), 5000, never)).toEqual({
      at: expect.any(Number),
      ok: true,
      durationMs: expect.any(Number),
      reason: null,
      code: 'probe_ok',
    })
  }
  await using client = await rawClient(tab.port)
  const header = `${probeHeader}: ${signedFor(tab, Buffer.alloc(0))}`
  await client.send(head(`GET ${probePath} HTTP/1.1`, ['Host: 127.0.0.1', header]))
  expect(readBy(tab, await client.answer())).toMatchObject({ outcome: 'whole', bytes: 0 })
  // The following request is the first record.
  await client.send(post(tab.path, goodBody))
  await client.answers(2)
  expect(tab.captured().map(({ id, path }) => [id, path])).toEqual([[1, tab.path]])
})

test('the response describes the received body, can be verified, and is not cacheable', async () => {
  await using tab = await openCapture()
  await using client = await rawClient(tab.port)
  const body = Buffer.from('zażółć\r\n\0')
  await client.send(probeBytes(tab, body))
  const answer = await client.answer()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store, no-transform')
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(readBy(tab, answer)).toEqual({
    nonce: expect.stringMatching(/^[0-9a-f]{30}$/),
    bytes: body.byteLength,
    sha256: sha256Of(body),
    outcome: 'whole',
    limit: 25 * 1024 * 1024,
  })
})

test('a signed header on another path is a delivery like any other', async () => {
  await using tab = await openCapture()
  await using client = await rawClient(tab.port)
  const body = Buffer.from('{}')
  const paths = [
    tab.path,
    '/',
    '/hooks/_probe/',
    '/hooks/_probes',
    '/hooks/_probe?x',
    '/hooks/%2Eprobe',
  ]
  for (const path of paths) {
    await client.send(post(path, body, [`${probeHeader}: ${signedFor(tab, body)}`]))
  }
  await client.answers(paths.length)
  expect((await rows(tab, paths.length)).map(([path]) => path)).toEqual(paths)
})

test('probes among deliveries on one connection get their responses in order', async () => {
  await using tab = await openCapture()
  await using client = await rawClient(tab.port)
  const body = Buffer.from('x')
  const probe = (): Buffer => probeBytes(tab, body)
  const delivery = post(tab.path, goodBody)
  await client.send(
    Buffer.concat([probe(), delivery, probe(), probe(), delivery, delivery, probe()]),
  )
  const answers = await client.answers(7)
  expect(answers.map((answer) => readBy(tab, answer) !== null)).toEqual([
    true,
    false,
    true,
    true,
    false,
    false,
    true,
  ])
  expect(await rows(tab, 3)).toEqual(Array.from({ length: 3 }, () => [tab.path, 200]))
})

test('a connection after a probe is idle', async () => {
  await using tab = await openCapture({ connections: 1, bodyBytes: 100, keptBytes: 10 })
  for (const [body, status] of [
    [Buffer.from('x'), 200],
    [Buffer.alloc(5000), 413],
  ] as const) {
    await using first = await rawClient(tab.port)
    await first.send(probeBytes(tab, body))
    expect((await first.answer()).status).toBe(status)
    // There is room for one connection: an idle connection is closed for it, one that waits for its response is not.
    await using second = await rawClient(tab.port)
    await second.send(probeBytes(tab, Buffer.from('y')))
    expect((await second.answer()).status).toBe(200)
    await first.closed()
  }
  expect(tab.captured()).toEqual([])
})

test('a body over our own limit gets that limit, with and without Content-Length', async () => {
  await using tab = await openCapture({ bodyBytes: 1000, keptBytes: 10 })
  await using client = await rawClient(tab.port)
  const body = randomBytes(3000)
  const ofOurs = { outcome: 'too_large', limit: 1000, sha256: '' }
  await client.send(probeBytes(tab, body))
  const chunked = head(`POST ${probePath} HTTP/1.1`, [
    'Host: 127.0.0.1',
    'Transfer-Encoding: chunked',
    `${probeHeader}: ${signedFor(tab, body)}`,
  ])
  await client.send(
    Buffer.concat([chunked, Buffer.from('bb8\r\n'), body, Buffer.from('\r\n0\r\n\r\n')]),
  )
  await client.send(probeBytes(tab, Buffer.from('small')))
  const answers = await client.answers(3)
  expect(answers.map(({ status }) => status)).toEqual([413, 413, 200])
  expect(answers.map((answer) => readBy(tab, answer))).toMatchObject([
    ofOurs,
    ofOurs,
    { outcome: 'whole' },
  ])
  expect(tab.captured()).toEqual([])
})

test('too many large bodies at the same time: a probe gets that reason, and no row is created', async () => {
  await using tab = await openCapture({ heldBytes: 1000 })
  await using client = await rawClient(tab.port)
  await client.send(probeBytes(tab, randomBytes(3000)))
  const answer = await client.answer()
  expect(answer.status).toBe(503)
  expect(readBy(tab, answer)).toMatchObject({ outcome: 'busy' })
  expect(tab.captured()).toEqual([])
})

test('a truncated or invalid probe leaves no row and blocks nothing', async () => {
  await using tab = await openCapture()
  const body = randomBytes(100)
  {
    await using cut = await rawClient(tab.port)
    await cut.send(Buffer.concat([probeHead(tab, body), body.subarray(0, 50)]))
    cut.reset()
  }
  {
    await using ended = await rawClient(tab.port)
    await ended.send(Buffer.concat([probeHead(tab, body), body.subarray(0, 50)]))
    ended.finish()
    await ended.closed()
  }
  await using nonsense = await rawClient(tab.port)
  await nonsense.send(
    head(`POST ${probePath} HTTP/1.1`, [
      'Host: 127.0.0.1',
      'Transfer-Encoding: chunked',
      `${probeHeader}: ${signedFor(tab, body)}`,
    ]),
  )
  await nonsense.send('zz\r\n')
  const answer = await nonsense.answer()
  expect(answer.status).toBe(400)
  expect(readBy(tab, answer)).toMatchObject({ outcome: 'broken' })
  await nonsense.closed()

  await using client = await rawClient(tab.port)
  await client.send(post(tab.path, goodBody))
  await client.answer()
  expect(await rows(tab, 1)).toEqual([[tab.path, 200]])
})

test('a probe also works through the tunnel listener, and a nonce is valid for only one of the two listeners', async () => {
  await using tab = await openCapture()
  const tunnelPort = await tab.capture.api.call('openTunnelListener')
  expect(
    (
      await createProber(tab.probeKey, new Network()).probe(
        `http://127.0.0.1:${tunnelPort}`,
        5000,
        never,
      )
    ).ok,
  ).toBe(true)
  const body = Buffer.from('x')
  const bytes = probeBytes(tab, body)
  const statuses: number[] = []
  for (const port of [tunnelPort, tab.port]) {
    await using client = await rawClient(port)
    await client.send(bytes)
    statuses.push((await client.answer()).status)
  }
  expect(statuses).toEqual([200, 404])
  expect(await rows(tab, 1)).toEqual([[probePath, 404]])
})
