import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import {
  chownSync,
  existsSync,
  lstatSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { tlsOptions } from '#engine/receiving/relay/connection.ts'
import { ReceiverFile } from '#engine/receiving/relay/files.ts'
import { readAdminFile, readRelay } from '#engine/receiving/relay/admin/folder.ts'
import { openAdministered, type AdministeredRelay } from '#test/support/nats/administered.ts'
import { natsServer } from '#test/support/nats/server.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const read = (...parts: readonly string[]): string => readFileSync(path.join(...parts), 'utf8')

const Checked = z.object({
  sync: z.string(),
  streams: z.array(
    z.object({ name: z.string(), change: z.string(), maxBytes: z.number(), maxAgeMs: z.number() }),
  ),
  clockMs: z.number(),
  certificateExpiresAt: z.number().nullable(),
  users: z.array(z.object({ name: z.string(), endpoints: z.array(z.string()) })),
  problems: z.array(z.string()),
  hints: z.array(z.string()),
})

async function check(relay: AdministeredRelay) {
  const { code, stdout } = await relay.relay('check', '--json')
  return { code, ...Checked.parse(jsonLines(stdout)[0]) }
}

/** Resolves once the server accepts the key, or refuses it. */
async function untilAccepted(open: () => Promise<NatsConnection>): Promise<NatsConnection> {
  return until('the key', () => open().catch(() => null))
}

/** The folder of a relay without TLS. */
async function local(): Promise<string> {
  const folder = path.join(tempFolder(), 'relay')
  const args = ['--host', '127.0.0.1', '--endpoint', 'bar', '-o', folder]
  expect((await runCli(['relay', 'init', ...args])).code).toBe(0)
  return folder
}

describe('relay init', () => {
  const example = ['--host', 'relay.example.com', '--host', '10.0.0.7', '--host', '::1']
  const endpoints = ['--endpoint', 'bar', '--endpoint', 'terrace:204']

  it('writes keys that only the owner can read, and files for the server', async () => {
    const folder = path.join(tempFolder(), 'relay')
    const args = ['--host', 'relay.example.com', ...endpoints, '--keep-days', '3', '-o', folder]
    expect(await runCli(['relay', 'init', ...args])).toMatchObject({ code: 0 })
    const secret = [
      'relay.json',
      'admin.json',
      'receiver-edge-1.json',
      'tls/ca.key',
      'tls/server.key',
    ]
    for (const name of secret) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600)
    const { admin, receivers } = readRelay(folder)
    const seeds = [admin.seed, ...receivers.map(({ seed }) => seed)]
    const open = ['nats.conf', 'compose.yaml', 'tabscope-nats.service', 'tabscope-receive.service']
    for (const name of [...open, 'Containerfile']) {
      const text = read(folder, name)
      expect(text).not.toContain('{{')
      for (const seed of seeds) expect(text).not.toContain(seed)
    }
    const receiver = ReceiverFile.parse(JSON.parse(read(folder, 'receiver-edge-1.json')))
    expect(receiver).toMatchObject({
      servers: ['tls://relay.example.com:4222'],
      endpoints: [
        { slug: 'bar', status: 200 },
        { slug: 'terrace', status: 204 },
      ],
      ca: read(folder, 'tls/ca.crt'),
      monitor: 'http://127.0.0.1:8222',
    })
  })

  it.skipIf(process.platform === 'win32')(
    'is changed without following links, and keeps the owner of its files',
    async () => {
      const folder = await local()
      const [config, state] = [path.join(folder, 'nats.conf'), path.join(folder, 'relay.json')]
      const elsewhere = path.join(tempFolder(), 'elsewhere')
      writeFileSync(elsewhere, 'kept')
      rmSync(config)
      symlinkSync(elsewhere, config)
      if (process.getuid?.() === 0) chownSync(state, 12_345, 12_345)
      const { uid, mode } = statSync(state)
      expect((await runCli(['relay', 'invite', 'ann', '--relay', folder])).code).toBe(0)
      expect(readFileSync(elsewhere, 'utf8')).toBe('kept')
      expect(lstatSync(config).isFile()).toBe(true)
      expect(statSync(state)).toMatchObject({ uid, mode })
    },
  )

  it('makes a certificate for the names and addresses of all servers', async () => {
    const folder = path.join(tempFolder(), 'relay')
    const { code } = await runCli(['relay', 'init', ...example, ...endpoints, '-o', folder])
    expect(code).toBe(0)
    const ca = new X509Certificate(read(folder, 'tls/ca.crt'))
    const server = new X509Certificate(read(folder, 'tls/server.crt'))
    expect({ ca: ca.ca, self: ca.verify(ca.publicKey) }).toEqual({ ca: true, self: true })
    expect(server.ca).toBe(false)
    expect(server.checkIssued(ca) && server.verify(ca.publicKey)).toBe(true)
    expect(server.checkHost('relay.example.com')).toBe('relay.example.com')
    expect(server.checkHost('other.example.com')).toBeUndefined()
    expect(server.checkIP('10.0.0.7')).toBe('10.0.0.7')
    expect(server.checkIP('::1')).toBe('::1')
    expect(read(folder, 'nats.conf')).toContain('"tls://[::1]:6222"')
    // Containers are for one server.
    expect(existsSync(path.join(folder, 'compose.yaml'))).toBe(false)
  })

  it('does not replace a relay, and with --force keeps its keys, users and CA', async () => {
    const folder = path.join(tempFolder(), 'relay')
    const args = ['relay', 'init', '--host', 'relay.example.com', ...endpoints, '-o', folder]
    expect((await runCli(args)).code).toBe(0)
    expect((await runCli(['relay', 'invite', 'ann', '--relay', folder])).code).toBe(0)
    const before = readRelay(folder)
    const certificate = read(folder, 'tls/server.crt')
    const again = await runCli(args)
    expect(again.code).toBe(2)
    expect(again.stderr).toContain('There is a relay in')
    expect(readRelay(folder)).toEqual(before)
    const changed = ['relay', 'init', '--force', '--keep-days', '14', '--endpoint', 'kitchen']
    expect((await runCli([...changed, '-o', folder])).code).toBe(0)
    expect(readRelay(folder)).toEqual({
      ...before,
      keepDays: 14,
      endpoints: [{ slug: 'kitchen', status: 200 }],
    })
    const renewed = new X509Certificate(read(folder, 'tls/server.crt'))
    expect(renewed.toString()).not.toBe(certificate)
    expect(renewed.verify(new X509Certificate(before.ca ?? '').publicKey)).toBe(true)
    expect(read(folder, 'nats.conf')).toContain('"hooks.kitchen.edge-1"')
  })

  test.for([
    ['no host', ['--endpoint', 'bar'], '--host'],
    ['no endpoint', ['--host', 'relay.example.com'], '--endpoint'],
    ['a bad host', ['--host', 'relay example', '--endpoint', 'bar'], 'not a host name'],
    ['a bad endpoint', ['--host', '10.0.0.7', '--endpoint', 'hooks.bar'], 'hooks.bar'],
    ['a bad status', ['--host', '10.0.0.7', '--endpoint', 'bar:99'], 'bar:99'],
    ['two hosts', ['--host', 'a', '--host', 'b', '--endpoint', 'bar'], 'three'],
    ['a bad receiver', ['--host', 'a', '--endpoint', 'bar', '--receiver', 'Edge 1'], 'Edge 1'],
  ] as const)('refuses %s', async ([, args, expected]) => {
    const folder = path.join(tempFolder(), 'relay')
    const { code, stderr } = await runCli(['relay', 'init', ...args, '-o', folder])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(expected) })
    expect(existsSync(folder)).toBe(false)
  })
})

describe('relay invite and revoke', () => {
  it('prints the invitation alone, whose key is stored nowhere', async () => {
    const folder = await local()
    const { stdout, stderr } = await runCli(['relay', 'invite', 'ann', '--relay', folder])
    expect(stdout.toString()).toMatch(/^tabscope-relay:[\w-]+\n$/)
    const encoded = stdout.toString().trim().split(':')[1] ?? ''
    const { seed } = z
      .object({ seed: z.string() })
      .parse(JSON.parse(Buffer.from(encoded, 'base64url').toString()))
    expect(stderr).toContain('docker compose kill --signal HUP nats')
    for (const text of [stderr, read(folder, 'relay.json'), read(folder, 'nats.conf')])
      expect(text).not.toContain(seed)
  })

  test.for([
    ['an unknown endpoint', ['invite', 'ann', '--endpoint', 'kitchen'], 2, 'no endpoint "kitchen"'],
    ['a bad name', ['invite', 'Ann Lee'], 2, 'Ann Lee'],
    ['the name of a receiver', ['invite', 'edge-1'], 1, 'is a receiver'],
    ['endpoints of a receiver', ['invite', 'e', '--receiver', '--endpoint', 'bar'], 2, 'receiver'],
    ['a second receiver of a name', ['invite', 'edge-1', '--receiver'], 1, '--force'],
    ['an unknown name', ['revoke', 'zoe'], 3, 'no "zoe"'],
  ] as const)('refuses %s', async ([, words, expected, text]) => {
    const folder = await local()
    const before = read(folder, 'relay.json')
    const { code, stderr } = await runCli(['relay', ...words, '--relay', folder])
    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringContaining(text) })
    expect(read(folder, 'relay.json')).toBe(before)
  })

  it('says where there is no relay, and quotes nothing of a damaged one', async () => {
    const folder = await local()
    const elsewhere = await runCli(['relay', 'invite', 'ann', '--relay', tempFolder()])
    expect(elsewhere).toMatchObject({ code: 3, stderr: expect.stringContaining('no relay in') })
    writeFileSync(path.join(folder, 'relay.json'), '{"admin":{"seed":"SUSECRET"}')
    const damaged = await runCli(['relay', 'invite', 'ann', '--relay', folder])
    expect(damaged).toMatchObject({ code: 2, stderr: expect.stringContaining('is damaged') })
    expect(damaged.stderr).not.toContain('SUSECRET')
  })

  it('does not signal another process that has the number in the file', async () => {
    const folder = await local()
    writeFileSync(path.join(folder, 'data/nats.pid'), String(process.pid))
    let signalled = false
    const listener = (): void => void (signalled = true)
    process.on('SIGHUP', listener)
    const { stdout } = await runCli(['relay', 'invite', 'ann', '--json', '--relay', folder])
    expect(jsonLines(stdout)).toMatchObject([{ reloaded: false }])
    await new Promise((resolve) => setImmediate(resolve))
    process.off('SIGHUP', listener)
    expect(signalled).toBe(false)
  })
})

describe.skipIf(natsServer === null)('with a server', () => {
  it('ends the connections of a revoked key, and refuses it from then on', async () => {
    await using relay = await openAdministered()
    const ann = await relay.invite('ann')
    const ben = await relay.invite('ben')
    const ofAnn = await untilAccepted(() => relay.as(ann))
    const ofBen = await untilAccepted(() => relay.as(ben))
    expect(await relay.relay('revoke', 'ann')).toMatchObject({ code: 0 })
    await ofAnn.closed()
    // The server closes the connection, which the client may notice before it reads why.
    await expect(relay.as(ann)).rejects.toThrow(/authorization|EPIPE/i)
    // Others stay connected.
    await ofBen.flush()
    expect(ofBen.isClosed()).toBe(false)
    await ofBen.close()
  })

  it('adds and removes a receiver', async () => {
    await using relay = await openAdministered()
    expect((await relay.relay('invite', 'edge-2', '--receiver')).code).toBe(0)
    const connection = await untilAccepted(() => relay.asReceiver('edge-2'))
    expect((await relay.relay('revoke', 'edge-2')).code).toBe(0)
    await connection.closed()
    expect(existsSync(path.join(relay.folder, 'receiver-edge-2.json'))).toBe(false)
  })

  it('creates the streams, stores and reads a message, and changes nothing the second time', async () => {
    await using relay = await openAdministered('127.0.0.1', '--max-size', '1GiB')
    await relay.invite('ben', '--endpoint', 'bar')
    const first = await check(relay)
    expect(first).toMatchObject({
      code: 0,
      sync: 'always',
      streams: [
        { name: 'HOOKS_bar', change: 'created', maxBytes: 1024 ** 3, maxAgeMs: 7 * 86_400_000 },
        { name: 'HOOKS_terrace', change: 'created' },
        { name: 'HOOKS__', change: 'created' },
        { name: 'BODIES', change: 'created', maxBytes: 256 * 1024 ** 2, maxAgeMs: 608_400_000 },
      ],
      certificateExpiresAt: null,
      users: [{ name: 'ben', endpoints: ['bar'] }],
      problems: [],
      hints: [],
    })
    expect(Math.abs(first.clockMs)).toBeLessThan(60_000)
    const second = await check(relay)
    expect(second.streams.map(({ change }) => change)).toEqual(['none', 'none', 'none', 'none'])
    const connection = await relay.asAdmin()
    const { config } = await (await jetstreamManager(connection)).streams.info('HOOKS_bar')
    expect(config).toMatchObject({
      subjects: ['hooks.bar.*'],
      max_bytes: -1,
      allow_direct: true,
      republish: { src: 'hooks.bar.*', dest: 'live.bar.{{wildcard(1)}}', headers_only: true },
      storage: 'file',
      retention: 'limits',
      discard: 'new',
      deny_delete: true,
      num_replicas: 1,
      duplicate_window: 120 * 1e9,
    })
    await connection.close()
  })

  it('applies changed limits after a restart with them', async () => {
    await using relay = await openAdministered('127.0.0.1', '--max-size', '1GiB')
    expect((await check(relay)).code).toBe(0)
    const change = ['relay', 'init', '--force', '--keep-days', '2', '--max-size', '512MiB']
    expect((await runCli([...change, '-o', relay.folder])).code).toBe(0)
    const { streams, problems } = await check(relay)
    expect(problems).toEqual([])
    expect(streams).toMatchObject([
      { name: 'HOOKS_bar', change: 'updated', maxAgeMs: 2 * 86_400_000, maxBytes: 512 * 1024 ** 2 },
      { name: 'HOOKS_terrace', change: 'updated' },
      { name: 'HOOKS__', change: 'updated' },
      { name: 'BODIES', change: 'updated', maxAgeMs: 2 * 86_400_000 + 3_600_000 },
    ])
  })

  it('reports a stream of another application, and does not change it', async () => {
    await using relay = await openAdministered()
    const connection = await relay.asAdmin()
    const manager = await jetstreamManager(connection)
    const { config } = await manager.streams.add({ name: 'HOOKS_bar', subjects: ['other.>'] })
    const { code, problems, streams } = await check(relay)
    expect(code).toBe(1)
    expect(problems).toEqual([expect.stringContaining('belongs to another application')])
    expect(streams.map(({ name }) => name)).toEqual(['HOOKS_terrace', 'HOOKS__', 'BODIES'])
    expect((await manager.streams.info('HOOKS_bar')).config).toEqual(config)
    await connection.close()
  })

  it('names what is left of an endpoint that the relay no longer has, and how full it is', async () => {
    await using relay = await openAdministered('127.0.0.1', '--max-size', '64MiB')
    expect((await check(relay)).hints).toEqual([])
    await using connection = await relay.asAdmin()
    const fill = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1)
        await connection.request('hooks.terrace.edge-1', Buffer.alloc(1_000_000))
    }
    await fill(1)
    const change = ['relay', 'init', '--force', '--endpoint', 'bar', '-o', relay.folder]
    expect((await runCli(change)).code).toBe(0)
    const { hints, problems } = await check(relay)
    expect(hints).toEqual([
      'The relay no longer has the endpoint terrace: the 1 message in HOOKS_terrace can be read until they expire.',
    ])
    expect(problems).toEqual([])
    await fill(53)
    expect(await check(relay)).toMatchObject({
      code: 1,
      problems: [expect.stringMatching(/^The relay is 8\d% full/)],
    })
  })

  it('reports a server that syncs at intervals only, and one whose monitoring port is closed', async () => {
    await using relay = await openAdministered()
    const file = path.join(relay.folder, 'nats.conf')
    const written = read(file)
    await relay.stop()
    writeFileSync(file, written.replace('sync_interval: always', 'sync_interval: "1m"'))
    await relay.start()
    const interval = await check(relay)
    expect(interval).toMatchObject({ code: 1, sync: 'interval' })
    expect(interval.problems).toEqual([expect.stringContaining('sync_interval: always')])
    await relay.stop()
    writeFileSync(file, written.replace(/^http: .*$/m, ''))
    await relay.start()
    const unknown = await check(relay)
    expect(unknown).toMatchObject({ code: 0, sync: 'unknown', problems: [] })
    expect(unknown.hints).toEqual([expect.stringContaining('sync_interval: always')])
  })

  it('reports limits that the server has no room for', async () => {
    await using relay = await openAdministered()
    const file = path.join(relay.folder, 'nats.conf')
    await relay.stop()
    writeFileSync(file, read(file).replace(/max_file_store: \d+/, 'max_file_store: 1000000'))
    await relay.start()
    const { code, problems } = await check(relay)
    expect(code).toBe(1)
    expect(problems).toContainEqual(expect.stringContaining('BODIES cannot be created'))
  })

  it('says what to do when the server is down or has other keys', async () => {
    await using relay = await openAdministered()
    await relay.stop()
    expect(await relay.relay('check')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not reachable (ECONNREFUSED)'),
    })
    const file = path.join(relay.folder, 'nats.conf')
    const { admin, users: _ } = readRelay(relay.folder)
    const other = 'UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4'
    writeFileSync(file, read(file).replace(admin.key, other))
    await relay.start()
    expect(await relay.relay('check')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('refused the key of the administrator'),
    })
  })

  // Any address of 127.0.0.0/8 is this computer on Linux only.
  describe.runIf(process.platform === 'linux')('with TLS', () => {
    const host = '127.0.0.2'

    it('accepts TLS 1.3 with its own CA only, and says when the certificate expires', async () => {
      await using relay = await openAdministered(host)
      const checked = await check(relay)
      expect(checked).toMatchObject({ code: 0, problems: [] })
      const certificate = new X509Certificate(read(relay.folder, 'tls/server.crt'))
      expect(checked.certificateExpiresAt).toBe(Date.parse(certificate.validTo))
      const ann = await relay.invite('ann')
      expect(ann).toMatchObject({
        ca: read(relay.folder, 'tls/ca.crt'),
        endpoints: ['*', 'bar', 'terrace'],
      })
      const connection = await untilAccepted(() => relay.as(ann))
      await connection.close()
      const { servers, seed: _ } = readAdminFile(relay.folder)
      // Certificates that the system trusts are no help.
      const ofSystem = tlsOptions({ servers, ca: null })
      await expect(connect({ servers, tls: ofSystem, reconnect: false })).rejects.toThrow(
        /certificate/,
      )
      const { ca } = readAdminFile(relay.folder)
      const tls12 = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' }
      const old = { ...tlsOptions({ servers, ca }), ...tls12 }
      await expect(connect({ servers, tls: old, reconnect: false })).rejects.toThrow(
        /protocol version/,
      )
    })

    it('reports a certificate that expires soon, which init --force renews', async () => {
      await using relay = await openAdministered(host)
      await relay.stop()
      expireSoon(relay.folder)
      await relay.start()
      const { code, problems } = await check(relay)
      expect(code).toBe(1)
      expect(problems).toEqual([expect.stringContaining('expires in 19 days')])
      expect((await runCli(['relay', 'init', '--force', '-o', relay.folder])).code).toBe(0)
      await relay.stop()
      await relay.start()
      expect(await check(relay)).toMatchObject({ code: 0, problems: [] })
    })
  })
})

/** A certificate of the relay's CA, by another program. */
function expireSoon(folder: string): void {
  const run = (...args: readonly string[]): void =>
    void execFileSync('openssl', args, { cwd: path.join(folder, 'tls'), stdio: 'ignore' })
  writeFileSync(path.join(folder, 'tls/san'), 'subjectAltName=IP:127.0.0.2')
  run('req', '-new', '-key', 'server.key', '-subj', '/CN=127.0.0.2', '-out', 'request')
  const by = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'san']
  run('x509', '-req', '-in', 'request', ...by, '-days', '20', '-out', 'server.crt')
}
