import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, goodHeaders, head, post, sha256, sign } from '#test/support/requests.ts'
import { jsonLines, runCli, startListening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const secret = 'read from the outside'
const binary = Buffer.concat([gzipSync(goodBody), Buffer.from([0, 255, 10, 13, 0x9b])])
const folder = ownedFolder()
/** The lines of `listen`, before the other tests. */
let listened: Record<string, unknown>[] = []
let port = 0

beforeAll(async () => {
  const tab = await startListening(folder.path, ['listen', '--secret', secret])
  port = tab.port
  const signed = (body: Uint8Array): Buffer =>
    Buffer.concat([
      head(`POST ${tab.path} HTTP/1.1`, [
        'Host: a',
        `Content-Length: ${body.byteLength}`,
        `X-Service-Signature: ${sign(body, secret)}`,
        ...goodHeaders,
      ]),
      body,
    ])
  await using client = await rawClient(port)
  for (const [index, request] of [
    signed(goodBody),
    post(tab.path, goodBody),
    signed(binary),
    head('GET /elsewhere?a=1 HTTP/1.1', ['Host: a']),
  ].entries()) {
    await client.send(request)
    await client.answers(index + 1)
  }
  tab.kill('SIGTERM')
  const { code, stdout } = await tab.ended
  expect(code).toBe(0)
  listened = jsonLines(stdout)
})
afterAll(() => folder[Symbol.asyncDispose]())

const show = (...args: string[]) => runCli(['delivery', 'show', '--data', folder.path, ...args])

const unmarked = { arrival: 'complete', pinned: false, noted: false, tags: [], sentBy: null }

/** Newest first. `jsonLines` checks that the keys are the documented ones. */
const expected = [
  {
    event: 'delivery',
    id: 4,
    method: 'GET',
    path: '/elsewhere?a=1',
    type: null,
    verdict: 'unsigned',
    findings: ['request.no_endpoint', 'request.method', 'body.empty'].map((code) => ({ code })),
    endpointId: null,
    title: 'No body',
    bytes: 0,
    sha256: sha256(''),
    status: 404,
    ...unmarked,
  },
  {
    id: 3,
    type: null,
    verdict: 'valid',
    findings: [{ code: 'body.not_utf8', location: 'body', message: expect.any(String) }],
    endpointId: 1,
    title: 'Body is not UTF-8',
    bytes: binary.byteLength,
    sha256: sha256(binary),
    status: 200,
    ...unmarked,
  },
  ...(['invalid', 'valid'] as const).map((verdict, i) => ({
    id: 2 - i,
    receivedAt: expect.any(Number),
    method: 'POST',
    path: '/hooks/sandbox',
    type: 'OPEN_TAB',
    target: 'tab-1',
    verdict,
    findings: [],
    title: 'T4 · Tab Ada opened',
    bytes: goodBody.byteLength,
    sha256: sha256(goodBody),
    facts: { spot: 'T4', amount: 0 },
    ...unmarked,
  })),
]

test('the first line of listen has its addresses, and each delivery is a line', () => {
  const [ready, ...rest] = listened
  expect(ready).toEqual({
    event: 'ready',
    damagedFiles: [],
    listener: `http://127.0.0.1:${port}`,
    endpoint: `http://127.0.0.1:${port}/hooks/sandbox`,
    dataDir: folder.path,
  })
  expect(rest).toMatchObject(expected.toReversed())
  for (const line of rest) expect(Number.isInteger(line['receivedAt'])).toBe(true)
})

test('delivery show --body prints only the raw bytes', async () => {
  for (const [id, body] of [
    ['1', goodBody],
    ['3', binary],
    ['4', Buffer.alloc(0)],
  ] as const) {
    const { code, stdout, stderr } = await show(id, '--body')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.equals(body)).toBe(true)
  }
})

test('delivery show --json is one object with the body', async () => {
  const { code, stdout } = await show('2', '--json')
  expect(code).toBe(0)
  const [delivery, ...others] = jsonLines(stdout)
  expect(others).toEqual([])
  expect(delivery).toMatchObject({
    event: 'delivery',
    id: 2,
    verdict: 'invalid',
    httpVersion: '1.1',
    remoteAddress: '127.0.0.1',
    brand: 'Service',
    endpointName: 'Samples',
    arrival: 'complete',
    storedBytes: goodBody.byteLength,
    trailers: [],
    claims: null,
    body: JSON.parse(goodBody.toString()),
  })
  expect(delivery?.['headers']).toContainEqual(['Content-Length', String(goodBody.byteLength)])
})
