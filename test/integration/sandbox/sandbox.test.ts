import { createServer as createHttpsServer } from 'node:https'
import { describe, expect, it } from 'vitest'
import { eventTypes } from '#catalogue/catalogue.ts'
import { SandboxProblem } from '#contract/models.ts'
import { field, type Payload } from '#catalogue/payload.ts'
import type { SandboxPort, SandboxTarget } from '#engine/platform/ports.ts'
import { compose, type Target } from '#sandbox/request.ts'
import { Sandbox } from '#sandbox/sandbox.ts'
import { type Outcome, Sender, type SenderOptions } from '#sandbox/sender.ts'
import { freePort } from '#test/support/free-port.ts'
import { listen, receive } from './receiver.ts'
import { listenOnLoopback } from '#test/support/listen.ts'
import { tlsFixture } from '#test/support/secure-server.ts'

const to = (url: string): SandboxTarget => ({
  url,
  secret: 'whsec',
  brand: 'Acme',
  applicationId: 'app-7',
  customHeaders: [['X-Env', 'test']],
})

/** Resolves as soon as the sandbox reports it. */
const until = (sandbox: SandboxPort, met: (state: ReturnType<SandboxPort['state']>) => boolean) =>
  new Promise<void>((resolve) => {
    const end = sandbox.onChange((state) => {
      if (!met(state)) return
      end()
      resolve()
    })
  })

describe('Sandbox', () => {
  it('sends one of each type, in order, signed', async () => {
    await using receiver = await receive('whsec')
    const sandbox: SandboxPort = new Sandbox()
    const types = eventTypes.map(({ type }) => type)
    expect(await sandbox.send(to(receiver.url), types)).toEqual({ sent: types.length })
    expect(receiver.received.map(({ head }) => head.headers['x-acme-event-type'])).toEqual(types)
    for (const { head, signed, body } of receiver.received) {
      expect(signed).toBe(true)
      expect(head.headers['user-agent']).toMatch(/^Acme-WebhookAgent/)
      expect(head.headers['x-env']).toBe('test')
      const createdAt = field(JSON.parse(body.toString()), 'createdAt')
      expect(Math.abs(Date.now() - Date.parse(String(createdAt)))).toBeLessThan(10_000)
    }
    expect(receiver.connections()).toBe(1)
    expect(sandbox.state()).toMatchObject({ running: false, sent: types.length, failed: 0 })
    await sandbox.close()
    await expect(sandbox.send(to(receiver.url), types)).rejects.toThrow('closed')
  })

  it.each(SandboxProblem.options)('sends with the problem %s', async (problem) => {
    await using receiver = await receive('whsec')
    const sandbox = new Sandbox()
    const { sent } = await sandbox.send(to(receiver.url), ['ORDER_PLACED'], problem)
    await sandbox.close()
    const bodies = receiver.received.map(({ body }) => JSON.parse(body.toString()))
    const ages = bodies.map(({ createdAt }) =>
      Math.round((Date.now() - Date.parse(createdAt)) / 3_600_000),
    )
    const [first] = receiver.received
    const signature = String(first?.head.headers['x-acme-signature'])
    const seen = {
      ages,
      types: bodies.map(({ type }) => type),
      targets: new Set(bodies.map(({ targetUuid }) => targetUuid)).size,
      differ: new Set(receiver.received.map(({ body }) => body.toString())).size,
      undocumented: 'undocumentedField' in bodies[0].data,
      signed: first?.signed,
      form: /^[0-9a-f]{64}$/.test(signature) ? 'hex' : signature.length,
    }
    const usual = {
      ages: [0],
      types: ['ORDER_PLACED'],
      targets: 1,
      differ: 1,
      undocumented: false,
      signed: true,
      form: 'hex',
    }
    const others: Readonly<Record<typeof problem, Partial<typeof seen>>> = {
      'other-secret': { signed: false },
      'secret-line-break': { signed: false },
      're-serialized': { signed: false },
      base64: { signed: false, form: 44 },
      'no-signature': { signed: false, form: 'undefined'.length },
      'undocumented-field': { undocumented: true },
      duplicate: { ages: [0, 0], types: ['ORDER_PLACED', 'ORDER_PLACED'] },
      late: { ages: [1] },
      'out-of-order': { ages: [0, 1], types: ['CLOSE_TAB', 'OPEN_TAB'], differ: 2 },
    }
    expect(seen).toEqual({ ...usual, ...others[problem] })
    expect(sent).toBe(bodies.length)
  })

  it('resolves every name below localhost to this machine, whatever the resolver returns (RFC 6761)', async () => {
    await using receiver = await receive('whsec')
    const sandbox = new Sandbox()
    const url = receiver.url.replace('127.0.0.1', 'pier9.localhost')
    expect(url).toContain('pier9.localhost:')
    expect(await sandbox.send(to(url), ['OPEN_TAB'])).toEqual({ sent: 1 })
    expect(receiver.received[0]?.head.headers.host).toBe(new URL(url).host)
    await sandbox.close()
  })

  it('reports that nothing listens, and that a type is unknown', async () => {
    const sandbox = new Sandbox()
    const port = await freePort()
    const target = to(`http://127.0.0.1:${port}/hooks/main`)
    await expect(sandbox.send(target, ['OPEN_TAB'])).rejects.toThrow(
      `Connection to 127.0.0.1:${port} refused`,
    )
    expect(sandbox.state()).toMatchObject({ sent: 0, failed: 1 })
    await expect(sandbox.send(target, ['NOPE'])).rejects.toThrow('“NOPE”')
    await sandbox.close()
  })

  it('sends simulated traffic until it is stopped, and counts it correctly', async () => {
    await using receiver = await receive('whsec')
    const sandbox: SandboxPort = new Sandbox()
    const enough = until(sandbox, ({ sent }) => sent >= 400)
    const first = await sandbox.startTraffic(to(receiver.url), { rate: 1000, seed: 7 })
    expect(first).toMatchObject({ running: true, rate: 1000 })
    await enough
    const last = await sandbox.stop()
    expect(last).toMatchObject({ running: false, failed: 0, lastError: null })
    expect(last.sent).toBe(receiver.received.length)
    expect(receiver.received.every(({ signed }) => signed)).toBe(true)
    // Within a tab the order of arrival is the order of the scenario.
    const arrived = receiver.received.map(({ body }) => JSON.parse(body.toString()))
    const opened = new Set<unknown>()
    for (const payload of arrived) {
      if (field(payload, 'type') === 'OPEN_TAB') opened.add(field(payload, 'targetUuid'))
      const tabUuid = field(field(payload, 'data'), 'tabUuid')
      if (tabUuid !== undefined) expect(opened).toContain(tabUuid)
    }
    await sandbox.close()
  })

  it('stops running traffic before it starts again', async () => {
    await using one = await receive('whsec')
    await using other = await receive('whsec')
    const sandbox = new Sandbox({ randomSeed: () => 1 })
    const started = [one, other].map(({ url }) =>
      sandbox.startTraffic(to(url), { rate: 500, seed: undefined }),
    )
    await Promise.all(started)
    const before = one.received.length
    await until(sandbox, ({ sent }) => sent >= 50)
    expect(one.received.length).toBe(before)
    expect(other.received.length).toBeGreaterThanOrEqual(50)
    await sandbox.close()
    expect(sandbox.state().running).toBe(false)
  })

  it('does not wait forever for a target that never responds', async () => {
    const arrived = Promise.withResolvers<void>()
    await using mute = await listen(() => arrived.resolve())
    const sandbox = new Sandbox({ stopTimeout: 20 })
    await sandbox.startTraffic(to(mute.url), { rate: 100, seed: 1 })
    await arrived.promise
    const { running, failed, lastError } = await sandbox.stop()
    expect({ running, lastError }).toEqual({
      running: false,
      lastError: 'Stopped before the response was received.',
    })
    expect(failed).toBeGreaterThan(0)
    await sandbox.close()
  })
})

async function sendOnce(
  target: Target,
  payload: Payload,
  options: SenderOptions = {},
): Promise<Outcome> {
  await using sender = new Sender(options)
  return await sender.deliver(compose(target, payload))
}

describe('Sender', () => {
  const payload = { type: 'OPEN_TAB', data: {} }

  it('reports what was sent and the result', async () => {
    await using receiver = await receive('whsec', () => 302)
    const outcome = await sendOnce(to(receiver.url), payload)
    expect(outcome).toMatchObject({ ok: false, status: 302, bytes: 29 })
    expect(outcome.bytes).toBe(receiver.received[0]?.body.length)
    expect(outcome.sha256).toMatch(/^[\da-f]{64}$/)
    expect(receiver.received).toHaveLength(1)
  })

  it('distinguishes targets that close, that do not speak HTTP, that cut their response and that are slow', async () => {
    await using closes = await listen((request) => request.socket.destroy())
    await using babbles = await listen((request) => request.socket.end('hello\r\n\r\n'))
    await using cuts = await listen((request, response) => {
      response.writeHead(200, { 'Content-Length': '100' })
      response.write('part', () => request.socket.destroy())
    })
    await using mute = await listen(() => {})
    const errors = await Promise.all(
      [closes, babbles, cuts, mute].map(async ({ url }) => {
        const { error } = await sendOnce(to(url), payload, { timeout: 300 })
        return error?.replace(/127\.0\.0\.1:\d+/, 'HOST')
      }),
    )
    expect(errors).toEqual([
      'HOST closed the connection without a response.',
      'The response from HOST is not valid HTTP (HPE_INVALID_CONSTANT).',
      'The response from HOST ended too early (status 200).',
      'No response from HOST within 300 ms.',
    ])
  })

  it('speaks https, to certificates that are trusted', async () => {
    const cert = tlsFixture('cert')
    const server = createHttpsServer({ key: tlsFixture('key'), cert }, (request, response) => {
      request.resume().on('end', () => response.end())
    })
    await using listening = await listenOnLoopback(server)
    const target = to(`https://127.0.0.1:${listening.port}/hooks/main`)
    expect(await sendOnce(target, payload, { ca: cert })).toMatchObject({ ok: true, status: 200 })
    const { error } = await sendOnce(target, payload)
    expect(error).toContain('is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)')
  })

  it('reports https sent to a server that speaks http', async () => {
    await using plain = await receive('whsec')
    const { error } = await sendOnce(to(plain.url.replace('http:', 'https:')), payload)
    expect(error).toMatch(/does not use TLS/)
  })
})
