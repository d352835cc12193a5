import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, goodHeaders, head, post, sha256, sign } from '#test/support/requests.ts'
import { jsonLines, runCli, startListening, type Listening } from '#test/support/run-cli.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const secret = 'read from the outside'
const binary = Buffer.concat([gzipSync(goodBody), Buffer.from([0, 255, 10, 13, 0x9b])])
let folder: OwnedFolder
let tab: Listening

beforeAll(async () => {
  folder = ownedFolder()
  tab = await startListening(folder.path, ['listen', '--secret', secret])
  await using client = await rawClient(tab.port)
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
  await client.send(signed(goodBody))
  await client.answers(1)
  await client.send(post(tab.path, goodBody))
  await client.answers(2)
  await client.send(signed(binary))
  await client.answers(3)
  await client.send(head('GET /elsewhere?a=1 HTTP/1.1', ['Host: a']))
  await client.answers(4)
})

afterAll(async () => {
  await tab[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const list = (...args: string[]) => runCli(['deliveries', 'list', '--data', folder.path, ...args])
const show = (...args: string[]) => runCli(['deliveries', 'show', '--data', folder.path, ...args])
const time: unknown = expect.any(Number)

const unmarked = { pinned: false, noted: false, tags: [] }

/** Newest first, with exactly these keys. */
const expected = [
  {
    event: 'delivery',
    id: 4,
    receivedAt: time,
    method: 'GET',
    path: '/elsewhere?a=1',
    type: null,
    target: null,
    verdict: 'unsigned',
    findings: ['request.no_endpoint', 'request.method', 'body.empty'],
    bytes: 0,
    sha256: sha256(''),
    status: 404,
    ...unmarked,
  },
  {
    event: 'delivery',
    id: 3,
    receivedAt: time,
    method: 'POST',
    path: '/hooks/sandbox',
    type: null,
    target: null,
    verdict: 'valid',
    findings: ['body.not_utf8'],
    bytes: binary.byteLength,
    sha256: sha256(binary),
    status: 200,
    ...unmarked,
  },
  ...(['invalid', 'valid'] as const).map((verdict, i) => ({
    event: 'delivery',
    id: 2 - i,
    receivedAt: time,
    method: 'POST',
    path: '/hooks/sandbox',
    type: 'OPEN_TAB',
    target: 'tab-1',
    verdict,
    findings: [],
    bytes: goodBody.byteLength,
    sha256: sha256(goodBody),
    status: 200,
    ...unmarked,
  })),
]

test('the first line of listen has its addresses, and each delivery is a line', async () => {
  const [ready, ...rest] = await until('five lines', () => {
    const lines = tab.lines()
    return lines.length >= 5 ? lines : null
  })
  expect(ready).toEqual({
    event: 'ready',
    listener: `http://127.0.0.1:${tab.port}`,
    endpoint: `http://127.0.0.1:${tab.port}/hooks/sandbox`,
    dataDir: folder.path,
  })
  expect(rest).toEqual(expected.toReversed())
  for (const line of rest) expect(Number.isInteger(line['receivedAt'])).toBe(true)
})

test('deliveries list gives the same lines newest first while Tabscope runs', async () => {
  const { code, stdout, stderr } = await list('--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(jsonLines(stdout)).toEqual(expected)
  expect(jsonLines((await list('--json', '--limit', '2')).stdout)).toEqual(expected.slice(0, 2))
})

test('deliveries list without --json is a table', async () => {
  const { code, stdout } = await list()
  expect(code).toBe(0)
  const lines = stdout.toString().split('\n')
  expect(lines).toHaveLength(6)
  expect(lines[0]).toMatch(/^ +ID +RECEIVED +VERDICT +TYPE +STATUS +SIZE +TITLE +FINDINGS$/)
  expect(lines[1]).toMatch(/^ +4 .*unsigned +GET \/elsewhere\S* +404 +0 B .*request\.no_endpoint/)
  expect(lines[3]).toMatch(/^ +2 .*invalid +OPEN_TAB +200 +\d+ B /)
  expect(lines[5]).toBe('')
})

test('deliveries show --body prints only the raw bytes', async () => {
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

test('deliveries show --json is one object with everything except the body', async () => {
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
    endpointName: 'Sandbox',
    arrival: 'complete',
    storedBytes: goodBody.byteLength,
    trailers: [],
  })
  expect(delivery?.['headers']).toContainEqual(['Content-Length', String(goodBody.byteLength)])
})

test('deliveries show prints head, body and findings as text', async () => {
  const text = (await show('1')).stdout.toString()
  expect(text).toContain('POST /hooks/sandbox HTTP/1.1\n')
  expect(text).toContain(`\n${goodBody.toString()}\n`)
  expect((await show('3')).stdout.toString()).toContain('of binary data')
})

test('a missing item is reported on stderr, with exit code 3', async () => {
  const { code, stdout, stderr } = await show('99')
  expect({ code, stdout: stdout.toString() }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toMatch(/^Delivery 99 does not exist\./)
  await using empty = ownedFolder()
  const nothing = await runCli(['deliveries', 'list', '--data', empty.path, '--json'])
  expect(nothing).toMatchObject({ code: 3, stderr: expect.stringContaining('No Tabscope data in') })
  expect(jsonLines(nothing.stdout)).toMatchObject([{ event: 'failed', code: 'not_found' }])
})

test('deliveries can be read after Tabscope has ended, and after it was killed', async () => {
  tab.child.kill('SIGTERM')
  expect((await tab.ended).code).toBe(0)
  expect(jsonLines((await list('--json')).stdout)).toEqual(expected)
  await using again = await startListening(folder.path)
  await using client = await rawClient(again.port)
  await client.send(head('GET /last HTTP/1.1', ['Host: a']))
  await client.answer()
  again.child.kill('SIGKILL')
  await again.ended
  const [last, ...before] = jsonLines((await list('--json')).stdout)
  expect(last).toMatchObject({ id: 5, path: '/last', status: 404 })
  expect(before).toEqual(expected)
})
