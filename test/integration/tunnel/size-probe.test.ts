import { expect, test } from 'vitest'
import type { SizeProbe } from '#contract/tunnel.ts'
import { createProber } from '#engine/tunnel/probe/prober.ts'
import { openCapture } from '#test/support/capture-thread.ts'
import { hostileProxy, type ProxiedRequest } from '#test/support/hostile-proxy.ts'
import { until } from '#test/support/until.ts'

const KiB = 1024
const MiB = 1024 * KiB
const never = new AbortController().signal
/** Timeout for a body of any size, in milliseconds. */
const within = (ms: number) => ({ base: ms, bytesPerSecond: Infinity, most: ms })

/** The result through a proxy that handles bodies of each size like this. Checks that no delivery is stored. */
async function through(
  handle: (proxied: ProxiedRequest, bytes: number) => Promise<void> | void,
  { ms = 20_000, bodyBytes = 25 * MiB } = {},
): Promise<SizeProbe> {
  await using tab = await openCapture({ bodyBytes })
  await using proxy = await hostileProxy(tab.port)
  proxy.handle = (proxied) =>
    handle(proxied, Number(proxied.request.headers['content-length'] ?? 0))
  const prober = createProber(tab.probeKey, within(ms))
  const reported: SizeProbe[] = []
  const found = await prober.sizes(proxy.origin, (one) => reported.push(one), never)
  expect(tab.journal()).toEqual([])
  expect(found).toMatchObject({ running: false, url: proxy.origin })
  expect(reported.at(-1)).toEqual(found)
  // No step is reported twice, and reported steps do not change.
  expect(reported.slice(0, -1).map(({ running, steps }) => [running, steps.length])).toEqual(
    [0, ...found.steps.map((_, at) => at + 1)].map((count) => [true, count]),
  )
  return found
}

const pass = async (proxied: ProxiedRequest): Promise<void> =>
  proxied.respond(await proxied.forward())

function expectBounds({ largest, stopsAt }: SizeProbe, limit: number): void {
  expect(largest).toBeLessThanOrEqual(limit)
  expect(stopsAt).toBeGreaterThan(limit)
  expect((stopsAt ?? 0) / (largest ?? 1)).toBeLessThanOrEqual(1.12)
}

/** The last step that failed. */
const stopOf = ({ steps, stopsAt }: SizeProbe) => steps.find(({ bytes }) => bytes === stopsAt)

test('all sizes pass if nothing limits them', async () => {
  const found = await through(pass)
  expect(found).toMatchObject({ largest: 10 * MiB, stopsAt: null })
  expect(found.steps).toHaveLength(8)
  for (const step of found.steps) {
    expect(step).toMatchObject({ outcome: 'passed', status: 200, reason: null })
  }
})

test('a server that refuses large bodies before it has read them', async () => {
  const limit = 700 * KiB
  const found = await through((proxied, bytes) => {
    if (bytes <= limit) return pass(proxied)
    proxied.request.resume()
    proxied.response.writeHead(413, { 'Content-Type': 'text/html' }).end('<title>413</title>')
    return undefined
  })
  expectBounds(found, limit)
  expect(stopOf(found)).toMatchObject({
    outcome: 'refused',
    status: 413,
    reason: expect.stringContaining('rejects bodies of this size'),
  })
})

test('a connection that is cut in the middle of large bodies', async () => {
  const limit = 1.3 * MiB
  const found = await through(async (proxied, bytes) => {
    if (bytes <= limit) return pass(proxied)
    let received = 0
    proxied.request.on('data', (chunk: Buffer) => {
      received += chunk.byteLength
      if (received > limit) proxied.request.socket.destroy()
    })
    return undefined
  })
  expectBounds(found, limit)
  expect(stopOf(found)).toMatchObject({
    outcome: 'failed',
    status: null,
    reason: expect.stringContaining('closed the connection'),
  })
})

test('large bodies hang', async () => {
  const found = await through((proxied, bytes) => (bytes <= 60 * KiB ? pass(proxied) : undefined), {
    ms: 700,
  })
  expectBounds(found, 60 * KiB)
  expect(stopOf(found)).toMatchObject({
    outcome: 'failed',
    status: null,
    reason: expect.stringContaining('did not respond within 700 ms'),
  })
})

test('large bodies are received truncated', async () => {
  const found = await through(async (proxied) => {
    const body = await proxied.body()
    proxied.respond(await proxied.forward({ body: body.subarray(0, 100 * KiB) }))
  })
  expectBounds(found, 100 * KiB)
  expect(stopOf(found)).toMatchObject({
    outcome: 'changed',
    status: 200,
    reason: expect.stringContaining('and 102400 received'),
  })
})

test('our own limit is distinguished from the tunnel’s', async () => {
  const limit = 1.5 * MiB
  const found = await through(pass, { bodyBytes: limit })
  expect(found).toMatchObject({ largest: limit, stopsAt: 2 * MiB })
  expect(stopOf(found)).toMatchObject({
    outcome: 'refused',
    status: 413,
    reason: expect.stringMatching(
      /^The request reached Tabscope, whose own body limit is 1\.5 MiB\./,
    ),
  })
})

test('a temporary failure is not a limit', async () => {
  let hiccups = 0
  const found = await through((proxied, bytes) => {
    if (bytes !== 64 * KiB || hiccups === 1) return pass(proxied)
    hiccups += 1
    proxied.request.socket.destroy()
    return undefined
  })
  expect(found).toMatchObject({ largest: 10 * MiB, stopsAt: null })
})

test('reports its progress when it is canceled', async () => {
  await using tab = await openCapture()
  await using proxy = await hostileProxy(tab.port)
  const abort = new AbortController()
  const asked: number[] = []
  proxy.handle = (proxied) => {
    const bytes = Number(proxied.request.headers['content-length'])
    asked.push(bytes)
    return bytes < 64 * KiB ? pass(proxied) : undefined
  }
  const prober = createProber(tab.probeKey)
  const sizes = prober.sizes(proxy.origin, () => undefined, abort.signal)
  await until('the step that hangs', () => asked.includes(64 * KiB))
  abort.abort()
  expect(await sizes).toMatchObject({ running: false, largest: 16 * KiB, stopsAt: null })
  expect((await sizes).steps).toHaveLength(2)
  expect(asked).toHaveLength(3)
  expect(await prober.sizes('no address', () => undefined, never)).toMatchObject({
    running: false,
    steps: [],
    largest: null,
    stopsAt: null,
  })
})
