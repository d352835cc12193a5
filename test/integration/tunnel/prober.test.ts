import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Network } from '#engine/platform/http/network.ts'
import { createProber, type ProbeResult } from '#engine/receiving/tunnel/probe/prober.ts'
import { openCapture, type TestCapture } from '#test/support/capture-thread.ts'
import { freePort } from '#test/support/free-port.ts'
import {
  hostileProxy,
  type UpstreamResponse,
  type ProxiedRequest,
} from '#test/support/hostile-proxy.ts'
import { rawServer } from '#test/support/raw-server.ts'
import { until } from '#test/support/until.ts'

const never = new AbortController().signal
const key = new Uint8Array(32).fill(1)
const originOf = ({ port }: TestCapture): string => `http://127.0.0.1:${port}`

/** Every problem is reported in complete sentences. */
async function probe(origin: string, timeout = 5000, by: Uint8Array = key): Promise<ProbeResult> {
  const result = await createProber(by, new Network()).probe(origin, timeout, never)
  if (!result.ok) expect(result.reason).toMatch(/^[A-Z][^]*\.$/)
  return result
}

async function answered(bytes: string): Promise<ProbeResult> {
  await using server = await rawServer((socket) => socket.end(bytes))
  return await probe(server.origin)
}

const reply = (status: number, body = '', headers: readonly string[] = []): string =>
  [
    `HTTP/1.1 ${status} Said`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    body,
  ].join('\r\n')

const html = ['Content-Type: text/html; charset=utf-8']

test('a name that does not resolve', async () => {
  const { ok, code, reason } = await probe('https://no-such-name.invalid')
  expect({ ok, code }).toEqual({ ok: false, code: 'probe_failed' })
  expect(reason).toMatch(/^The name “no-such-name\.invalid” (does not resolve|cannot be resolved)/)
  expect(reason).toContain('Check the network connection.')
})

test('nothing listens there', async () => {
  const port = await freePort()
  expect(await probe(`http://127.0.0.1:${port}`)).toMatchObject({
    ok: false,
    code: 'probe_failed',
    reason: `Nothing listens at 127.0.0.1:${port}. The tunnel's server or the reverse proxy is not running there. Check it.`,
  })
})

test('a server without TLS at an https URL', async () => {
  await using plain = await hostileProxy(1)
  const result = await probe(plain.origin.replace('http:', 'https:'))
  expect(result.code).toBe('probe_failed')
  expect(result.reason).toMatch(
    /^No secure connection to 127\.0\.0\.1:\d+: it does not use TLS on this port\. .+ Senders reject such a URL\./,
  )
})

test('no response in time, from a silent server and from one that responds partly', async () => {
  await using silent = await rawServer(() => undefined)
  const nothing = await probe(silent.origin, 150)
  expect(nothing).toMatchObject({
    code: 'probe_failed',
    reason: `The address 127.0.0.1:${silent.port} did not respond within 150 ms. The tunnel hangs or is too slow for senders.`,
  })
  expect(nothing.durationMs).toBeGreaterThanOrEqual(140)
  await using half = await rawServer((socket) => socket.write(reply(200, 'abc').slice(0, -1)))
  expect((await probe(half.origin, 150)).reason).toContain('was not complete after 150 ms')
})

test('a connection that is closed before a response, and in the middle of it', async () => {
  await using closing = await rawServer((socket) => socket.destroy())
  expect(await probe(closing.origin)).toMatchObject({
    code: 'probe_failed',
    reason: `The address 127.0.0.1:${closing.port} closed the connection before it responded. The tunnel's server has probably lost its connection to Tabscope.`,
  })
  expect((await answered(reply(200, 'abc').slice(0, -1))).reason).toContain(
    'in the middle of its response',
  )
})

test.each([
  [404, 'does not know this tunnel'],
  [401, 'requires a login'],
  [405, 'responds instead'],
  [502, 'cannot reach Tabscope'],
])('%i means that it %s', async (status, meaning) => {
  const { ok, code, reason } = await answered(reply(status, '<html><title>No</title>', html))
  expect({ ok, code }).toEqual({ ok: false, code: 'probe_failed' })
  expect(reason).toMatch(/^The address 127\.0\.0\.1:\d+ responded with /)
  expect(reason).toContain(`responded with ${status}: `)
  expect(reason).toContain(meaning)
})

test('an HTML page instead of the response', async () => {
  for (const bytes of [
    reply(200, '<p>Welcome', html),
    reply(200, '\n<!DOCTYPE html><p>Welcome'),
    reply(200, '', ['Content-Type: application/xhtml+xml']),
  ]) {
    expect(await answered(bytes)).toMatchObject({
      code: 'probe_failed',
      reason: expect.stringContaining("responded with an HTML page instead of Tabscope's response"),
    })
  }
})

test('a redirect is not followed', async () => {
  const { code, reason } = await answered(reply(302, '', ['Location: https://login.example/']))
  expect(code).toBe('probe_failed')
  expect(reason).toMatch(/^The address 127\.0\.0\.1:\d+ responded with a redirect\. /)
})

test('another program responds at this address', async () => {
  for (const body of ['', 'OK', '{"ok":true}', '{"tabscope":"probe"}', 'null', '\0\0']) {
    expect(await answered(reply(200, body))).toMatchObject({
      ok: false,
      code: 'other_answer',
      reason: expect.stringContaining('something else uses this URL'),
    })
  }
})

test('a compressed response that expands too far is not decompressed', async () => {
  // Decompressed, it would be recognized as a page.
  const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024).fill('<!doctype html>', 0, 15))
  await using server = await rawServer((socket) => {
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.byteLength}\r\n\r\n`,
    )
    socket.end(bomb)
  })
  expect(await probe(server.origin)).toMatchObject({ ok: false, code: 'other_answer' })
})

test('canceled before and during a request, with no connection left behind', async () => {
  await using silent = await rawServer(() => undefined)
  const prober = createProber(key, new Network())
  const calledOff = {
    ok: false,
    code: 'probe_failed',
    reason: 'The check was cancelled before a response was received.',
  }
  expect(await prober.probe(silent.origin, 5000, AbortSignal.abort())).toMatchObject(calledOff)
  expect(silent.received).toEqual([])
  const abort = new AbortController()
  const waiting = prober.probe(silent.origin, 60_000, abort.signal)
  await until('the request', () => silent.received[0]?.includes('\r\n\r\n'))
  abort.abort()
  expect(await waiting).toMatchObject(calledOff)
})

test.each([
  '',
  'nonsense',
  'ftp://127.0.0.1',
  'http://user:secret@127.0.0.1:1',
  'http://[',
  'mailto:a@b',
])('an invalid origin does not throw: %j', async (origin) => {
  const result = await probe(origin)
  expect(result).toMatchObject({ ok: false, code: 'probe_failed', reason: expect.any(String) })
  expect(result.reason).not.toContain('secret')
})

test('each probe uses its own connection and nonce, and looks like a request of a sender', async () => {
  await using server = await rawServer((socket) => socket.end(reply(404)))
  await probe(server.origin)
  await probe(`${server.origin}/`)
  const nonces = server.received.map(
    (received) => /^X-Tabscope-Probe: v1\.([0-9a-f]{30})\.200\./m.exec(received)?.[1],
  )
  expect(new Set(nonces).size).toBe(2)
  expect(nonces).not.toContain(undefined)
  for (const received of server.received)
    expect(received).toMatch(/^POST \/hooks\/_probe HTTP\/1\.1\r\n/)
})

/** The result of a probe through a proxy with this behavior, and the deliveries that the listener stored. */
async function through(
  handle: (proxied: ProxiedRequest) => Promise<void> | void,
): Promise<{ result: ProbeResult; rows: number }> {
  await using tab = await openCapture()
  await using proxy = await hostileProxy(tab.port)
  proxy.handle = handle
  const result = await probe(proxy.origin, 5000, tab.probeKey)
  return { result, rows: tab.captured().length }
}

/** Forwards a body derived from the received one. */
const withBody =
  (change: (body: Buffer) => Buffer) =>
  async (proxied: ProxiedRequest): Promise<void> =>
    proxied.respond(await proxied.forward({ body: change(await proxied.body()) }))

test.each<[string, (body: Buffer) => Buffer, RegExp]>([
  [
    'changes one byte',
    (body) => body.fill((body[7] ?? 0) ^ 1, 7, 8),
    /: 200 bytes were received, but not the ones/,
  ],
  ['cuts off the end', (body) => body.subarray(0, 150), /: 200 bytes were sent and 150 received/],
  ['drops bodies', () => Buffer.alloc(0), /: 200 bytes were sent and 0 received/],
])('a proxy that %s is detected, and no delivery is stored', async (_, change, found) => {
  const { result, rows } = await through(withBody(change))
  expect(result).toMatchObject({ ok: false, code: 'probe_failed' })
  expect(result.reason).toMatch(/^The body was changed in transit: /)
  expect(result.reason).toMatch(found)
  expect(rows).toBe(0)
})

test('a response that was compressed in transit is still read', async () => {
  const { result } = await through(async (proxied) => {
    const { status, rawHeaders, body } = await proxied.forward()
    const headers = [...rawHeaders, 'Content-Encoding', 'gzip']
    proxied.respond({ status, rawHeaders: headers, body: gzipSync(body) })
  })
  expect(result).toMatchObject({ ok: true })
})

test('a response with one character changed proves nothing', async () => {
  const { result } = await through(async (proxied) => {
    const upstream = await proxied.forward()
    const body = Buffer.from(upstream.body.toString().replace('"bytes":200', '"bytes":201'))
    proxied.respond({ ...upstream, body })
  })
  expect(result).toMatchObject({ ok: false, code: 'other_answer' })
})

test('a cache that repeats responses is detected', async () => {
  await using tab = await openCapture()
  await using proxy = await hostileProxy(tab.port)
  let kept: UpstreamResponse | null = null
  proxy.handle = async (proxied) => proxied.respond((kept ??= await proxied.forward()))
  const prober = createProber(tab.probeKey, new Network())
  expect(await prober.probe(proxy.origin, 5000, never)).toMatchObject({ ok: true })
  expect(await prober.probe(proxy.origin, 5000, never)).toMatchObject({
    ok: false,
    code: 'probe_failed',
    reason: expect.stringContaining('caches responses'),
  })
})

test('a proxy that removes our header is detected, and a delivery is stored', async () => {
  const { result, rows } = await through(async (proxied) => {
    const { rawHeaders } = proxied.request
    const headers = rawHeaders.flatMap((name, at) =>
      at % 2 === 1 || name === 'X-Tabscope-Probe' ? [] : [name, rawHeaders[at + 1] ?? ''],
    )
    proxied.respond(await proxied.forward({ headers }))
  })
  expect(result).toMatchObject({ ok: false, code: 'other_answer' })
  expect(result.reason).toContain('removes headers')
  expect(rows).toBe(1)
})

test('another Tabscope at the URL stores the probe as a delivery, and is recognized', async () => {
  await using ours = await openCapture()
  await using other = await openCapture()
  const result = await probe(originOf(other), 5000, ours.probeKey)
  expect(result).toMatchObject({ ok: false, code: 'other_answer' })
  expect(result.reason).toContain('Another Tabscope responds at this URL')
  expect(other.captured()).toHaveLength(1)
  expect(ours.captured()).toEqual([])
})
