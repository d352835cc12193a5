import { randomBytes } from 'node:crypto'
import { existsSync, globSync, statSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { createServer, type AddressInfo, type Server } from 'node:net'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { eventTypes } from '#catalogue/catalogue.ts'
import type { Run } from '#contract/authorization.ts'
import type { Engine } from '#engine/app/engine.ts'
import { Network, systemCertificates } from '#engine/platform/http/network.ts'
import type { SecretBox } from '#engine/platform/ports.ts'
import { crashFolder, defaultDataDir, logFileIn } from '../data-dir.ts'
import { waitFor, type SelfCheckRunner } from './runner.ts'

type CheckedEngine = Pick<Engine, 'call'>

/** Seals and unseals a random value. `detail`: how the host protects it. */
export async function checkSecrets(
  runner: SelfCheckRunner,
  secrets: SecretBox,
  detail: () => Promise<string | null> | string | null,
): Promise<void> {
  await runner.check('secrets', async () => {
    const clear = randomBytes(16).toString('hex')
    const sealed = await secrets.seal(clear)
    if (Buffer.from(sealed).includes(clear))
      throw new Error('The sealed value contains the secret.')
    if ((await secrets.unseal(sealed)) !== clear) {
      throw new Error('Unsealing returned a different value.')
    }
    return detail()
  })
}

/** Disables update checks, so that nothing is sent over the network. */
export async function checkListener(runner: SelfCheckRunner, engine: CheckedEngine): Promise<void> {
  await runner.check('listener', async (signal) => {
    await engine.call('settings.update', { updates: 'off' })
    return waitFor(signal, async () => {
      const { listener } = await engine.call('app.snapshot', {})
      if (listener.state === 'failed') throw new Error(listener.message)
      return listener.state === 'listening' ? listener.origin : null
    })
  })
}

/** That TLS accepts them. Nothing is connected to. */
export async function checkCertificates(runner: SelfCheckRunner): Promise<void> {
  await runner.check('certificates', () => {
    const count = systemCertificates().length
    const { secureContext } = new Network()
    if (count > 0 && !secureContext) throw new Error('TLS rejects the certificates of the system.')
    return count > 0
      ? `${count} of the system`
      : 'Those of the system cannot be read, or there are none. Use a CA file if you need them.'
  })
}

/** Through the listener, and the capture, writer and reader threads. Resolves to the ID; null if the check failed. */
export async function checkDelivery(
  runner: SelfCheckRunner,
  engine: CheckedEngine,
): Promise<number | null> {
  let id: number | null = null
  await runner.check('delivery', async (signal) => {
    const [type] = eventTypes
    if (type === undefined) throw new Error('The catalogue has no event types.')
    const { integrations } = await engine.call('app.snapshot', {})
    const [integration] = integrations
    if (integration === undefined) throw new Error('There is no integration.')
    const endpoint = await engine.call('endpoints.create', {
      name: 'Self-check',
      integrationId: integration.id,
      slug: 'self-check',
      secret: randomBytes(24).toString('base64'),
      applicationId: '',
      customHeaders: [],
    })
    await engine.call('sandbox.send', { endpointId: endpoint.id, types: [type.type] })
    const row = await waitFor(signal, async () => {
      const page = { log: null, upTo: null, offset: 0, limit: 1 }
      const { rows } = await engine.call('deliveries.page', page)
      return rows[0] ?? null
    })
    if (row.verdict !== 'valid') throw new Error(`The signature verdict is "${row.verdict}".`)
    id = row.id
    return `${type.type}, signature valid`
  })
  return id
}

/** Those that start only when they are needed: sending, exporting, importing, rehearsing, scripts, and the tunnel client. */
export async function checkThreads(
  runner: SelfCheckRunner,
  engine: CheckedEngine,
  deliveryId: number | null,
  folder: string,
): Promise<void> {
  await runner.check('thread.sender', async () => {
    if (deliveryId === null) throw new Error('There is no delivery to send.')
    const { status, error } = await engine.call('deliveries.resend', { id: deliveryId })
    if (error !== null) throw new Error(error.message)
    return `The listener returned ${status}.`
  })
  const file = path.join(folder, 'self-check.tabscope')
  await runner.check('thread.export', async (signal) => {
    const to = { kind: 'file', path: file, overwrite: true } as const
    const { export: started } = await engine.call('logs.export', { to })
    const ended = await waitFor(signal, async () => {
      const { exports } = await engine.call('logs.list', {})
      return exports.find(({ id, state }) => id === started.id && state !== 'running') ?? null
    })
    if (ended.state !== 'done') throw new Error(ended.error ?? `The export is ${ended.state}.`)
    return `${ended.deliveries} deliveries, ${ended.bytes} bytes`
  })
  await runner.check('thread.import', async () => {
    const { id } = await engine.call('logs.import', { from: { kind: 'path', path: file } })
    const ended = await engine.call('logs.imported', { id })
    if (ended.state !== 'done')
      throw new Error(ended.error?.message ?? `The import is ${ended.state}.`)
    return `${ended.deliveries} deliveries`
  })
  await runner.check('thread.rehearsal', async (signal) => {
    await using handler = await listen(
      http.createServer((request, response) => {
        request.resume().on('end', () => response.setHeader('connection', 'close').end())
      }),
    )
    const url = `http://127.0.0.1:${handler.port}/`
    const { id } = await engine.call('rehearsals.start', { url, seed: 1, only: ['G1'] })
    const { state, problem } = await waitFor(signal, async () => {
      const { rehearsal } = await engine.call('rehearsals.get', { id, log: null })
      return rehearsal.endedAt === null ? null : rehearsal
    })
    if (state !== 'done') throw new Error(problem?.message ?? `The rehearsal is ${state}.`)
    return 'A handler was tested.'
  })
  await runner.check('thread.script', async () => {
    if (deliveryId === null) throw new Error('There is no delivery for a script.')
    const source = '({ id }: Delivery) => ({ status: 200, body: { id } })'
    const { result, durationMs } = await engine.call('scripts.run', { source, deliveryId })
    if (result.kind === 'failed') throw new Error(result.failure.message)
    return `A script ran for ${durationMs.toFixed(1)} ms.`
  })
  await runner.check('thread.tunnel', async (signal) => {
    // Nothing listens there: the client runs, and reports that its server is unreachable. No request leaves this machine.
    const host = `http://127.0.0.1:${await closedPort()}`
    const setup = { provider: 'localtunnel', options: { host } }
    await engine.call('tunnel.open', { setup, temporary: true })
    const { cause, reason } = await waitFor(signal, async () => {
      const { tunnel } = await engine.call('app.snapshot', {})
      return tunnel.state === 'opening' ? null : tunnel
    })
    await engine.call('tunnel.close', {})
    if (cause !== 'server_down') throw new Error(reason)
    return 'The tunnel client runs.'
  })
}

async function closedPort(): Promise<number> {
  await using server = await listen(createServer())
  return server.port
}

async function listen(server: Server): Promise<AsyncDisposable & { readonly port: number }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has an AddressInfo
  const { port } = server.address() as AddressInfo
  return {
    port,
    [Symbol.asyncDispose]: async () => void (await new Promise((done) => server.close(done))),
  }
}

/** Self-signed for 127.0.0.1, valid from 2020 to 2120. The key is public, so nothing may trust it but the check below. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBcTCCARagAwIBAgIBATAKBggqhkjOPQQDAjAeMRwwGgYDVQQDDBNUYWJzY29w
ZSBzZWxmLWNoZWNrMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAe
MRwwGgYDVQQDDBNUYWJzY29wZSBzZWxmLWNoZWNrMFkwEwYHKoZIzj0CAQYIKoZI
zj0DAQcDQgAE1JJd4YnCCKJ/gYwiQpSNjFKlpu3V4SOn1/HtQ24CQ7Lku6EKbyZv
UO06tm/5A/1GkxpJCghl8Ig7wBjWcqd7m6NDMEEwDwYDVR0TAQH/BAUwAwEB/zAP
BgNVHREECDAGhwR/AAABMB0GA1UdDgQWBBTQElnF60AS87SNvn/lPyemhM6X4zAK
BggqhkjOPQQDAgNJADBGAiEAhEBDUsKl7b/PbWGa2buFt+6OJcugTovDw4c4HWdF
QEQCIQCvEFRjhHVUcAEUVsRNos37sm3NCicbLVd685tGjy9kqg==
-----END CERTIFICATE-----`
const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgt1swObHCfo7dd70u
I5o55LjK93t7KMBjxqH4le41NMehRANCAATUkl3hicIIon+BjCJClI2MUqWm7dXh
I6fX8e1DbgJDsuS7oQpvJm9Q7Tq2b/kD/UaTGkkKCGXwiDvAGNZyp3ub
-----END PRIVATE KEY-----`

/** A certificate that no one has issued is refused, and accepted if it is trusted. */
export async function checkTls(
  runner: SelfCheckRunner,
  engine: CheckedEngine,
  deliveryId: number | null,
): Promise<void> {
  await runner.check('tls', async (signal) => {
    if (deliveryId === null) throw new Error('There is no delivery to send.')
    let requests = 0
    await using server = await listen(
      https.createServer({ cert: certificate, key: certificateKey }, (_request, response) => {
        requests += 1
        response.setHeader('connection', 'close').end('safe')
      }),
    )
    const url = `https://127.0.0.1:${server.port}/`
    const { error } = await engine.call('deliveries.resend', { id: deliveryId, url })
    if (error?.code !== 'tls' || requests > 0)
      throw new Error('A delivery was sent to a server whose certificate is not trusted.')
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
    https.get(url, { ca: certificate, agent: false, signal }, resolve).on('error', reject)
    if ((await buffer(await promise)).toString() !== 'safe')
      throw new Error('The response of the server is not complete.')
    return error.message
  })
}

/** Of the desktop app in the default data folder. They contain parts of its memory, so they are listed, not copied. */
export async function checkCrashReports(runner: SelfCheckRunner): Promise<void> {
  await runner.check('crash-reports', () => {
    const folder = crashFolder(logFileIn(defaultDataDir()))
    const files = crashReportsIn(folder).map(
      (file) => `${file} (${statSync(path.join(folder, file)).mtime.toISOString()})`,
    )
    return files.length === 0 ? 'none' : `${files.length} in ${folder}: ${files.join(', ')}`
  })
}

/** Relative to `folder`. */
export function crashReportsIn(folder: string): string[] {
  return existsSync(folder) ? globSync('**/*.dmp', { cwd: folder }).toSorted() : []
}

/** `approve` does what the user does on the authorization page. */
export async function checkAuthorization(
  runner: SelfCheckRunner,
  engine: CheckedEngine,
  agent: 'window' | 'none',
  approve: (run: Run, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await runner.check('authorization', async (signal) => {
    await engine.call('sandboxService.start', {})
    const { integrations } = await engine.call('app.snapshot', {})
    const integration = integrations.find(({ kind }) => kind === 'sandbox')
    if (integration === undefined) throw new Error('The sandbox has no integration.')
    const { id } = await engine.call('authorization.start', {
      integrationId: integration.id,
      agent,
    })
    const read = (): Promise<Run> => engine.call('authorization.run', { id })
    const waiting = await waitFor(signal, async () => {
      const run = await read()
      return run.state === 'running' ? null : run
    })
    if (waiting.state === 'waiting') await approve(waiting, signal)
    const run = await waitFor(signal, async () => {
      const latest = await read()
      return latest.endedAt === null ? null : latest
    })
    if (run.failure !== null) throw new Error(run.failure.message)
    return `token ${run.tokenId} stored`
  })
}
