import { once } from 'node:events'
import { mkdirSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readHolder, type ControlAddress } from '#engine/platform/store/data-folder.ts'
import { connectControl } from '#hosts/control/client.ts'
import { encodeFrame } from '#hosts/control/frames.ts'
import { openControl } from '#hosts/control/server.ts'
import { openSession } from '#hosts/node/session/session.ts'
import { openTestEngine } from '#test/support/engine.ts'
import { openTabscope, sharedTabscope } from '#test/support/engine-on-folder.ts'
import { full } from '#test/support/full.ts'
import { openOtherVersion } from '#test/support/other-version.ts'
import { jsonLines, runCli, runSpawnedCli, spawnListening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'
import { appVersion } from '#test/support/app-version.ts'

const { folder: dataDir, tab } = sharedTabscope()

function controlOf(dataDir: string): ControlAddress {
  const control = readHolder(dataDir)?.control
  if (!control) throw new Error('no control socket is announced')
  return control
}

async function bare(address: ControlAddress): Promise<{ socket: Socket; closed: Promise<Buffer> }> {
  const socket = connect(address.path)
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  socket.on('error', () => undefined)
  const closed = once(socket, 'close').then(() => Buffer.concat(received))
  await once(socket, 'connect')
  return { socket, closed }
}

function headed(length: number, bytes = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(length)
  return Buffer.concat([head, bytes])
}

const hello = encodeFrame({ kind: 'hello', session: null, lastSeq: 0 })
const snapshot = encodeFrame({ kind: 'call', id: 1, name: 'app.snapshot', input: {} })

test('the socket and its announcement are accessible only to their owner', () => {
  const { path: file, token } = controlOf(dataDir)
  expect(file).toBe(path.join(dataDir, `control-${process.pid}.sock`))
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(path.join(dataDir, 'running.json')).mode & 0o777).toBe(0o600)
})

test.for<[string, (address: ControlAddress) => Buffer[]]>([
  ['nothing before its call', () => [hello, snapshot]],
  ['a wrong token', () => [encodeFrame('x'.repeat(43)), hello, snapshot]],
  ['a token that is too short', ({ token }) => [encodeFrame(token.slice(0, -1)), hello, snapshot]],
  ['a token followed by more data', ({ token }) => [encodeFrame(`${token}A`), hello, snapshot]],
  ['a token of another type', ({ token }) => [encodeFrame([token]), hello, snapshot]],
  ['garbage', () => [Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n')]],
  ['a greeting over its limit', () => [headed(1025)]],
  ['bytes that are not MessagePack', () => [headed(2, Buffer.from([0xc1, 0xc1]))]],
  [
    'an oversized frame after the token',
    ({ token }) => [encodeFrame(token), headed(32 * 2 ** 20 + 1)],
  ],
  ['the largest possible length', ({ token }) => [encodeFrame(token), headed(2 ** 32 - 1)]],
  ['an unknown frame', ({ token }) => [encodeFrame(token), encodeFrame({ kind: 'x' })]],
  ['garbage after the token', ({ token }) => [encodeFrame(token), headed(1, Buffer.from([0xc1]))]],
])('a connection that sends %s is closed without a response', async ([, bytes]) => {
  const address = controlOf(dataDir)
  const { socket, closed } = await bare(address)
  socket.write(Buffer.concat(bytes(address)))
  expect((await closed).byteLength).toBe(0)
  // Other connections are not affected.
  const { code } = await runCli(['integration', 'list', '--data', dataDir])
  expect(code).toBe(0)
})

test('the token is accepted, even one byte at a time', async () => {
  const address = controlOf(dataDir)
  const { socket, closed } = await bare(address)
  for (const byte of Buffer.concat([encodeFrame(address.token), hello]))
    socket.write(Buffer.of(byte))
  await once(socket, 'data')
  socket.end()
  expect((await closed).toString('latin1')).toContain('welcome')
})

test('a client that connects and sends nothing is disconnected', async () => {
  await using tab = await openTestEngine()
  const quick = { greetingMs: 20 }
  const control = await openControl(tab.engine, tab.dataDir, { warn: () => undefined }, quick)
  const { closed } = await bare(controlOf(tab.dataDir))
  expect((await closed).byteLength).toBe(0)
  await control.close()
  expect(readHolder(tab.dataDir)?.control).toBeNull()
})

test('a folder whose path is too long has its socket in a temporary folder', async () => {
  await using outer = ownedFolder()
  const long = path.join(outer.path, 'x'.repeat(100))
  mkdirSync(long)
  const tab = await openTabscope(long)
  const { path: file } = controlOf(long)
  expect(path.basename(file)).toBe('control.sock')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700)
  const { code } = await runCli(['integration', 'list', '--data', long])
  expect(code).toBe(0)
  await tab.close()
  expect(() => statSync(path.dirname(file))).toThrow('ENOENT')
})

test('passes pushes and bytes, and errors with their code', async () => {
  const remote = await connectControl(controlOf(dataDir), appVersion)
  const pushed = Promise.withResolvers<string[]>()
  remote.on('integrations.changed', (all) => pushed.resolve(all.map(({ name }) => name)))
  const { id } = await remote.call('integrations.create', { name: 'pushed' })
  expect(await pushed.promise).toContain('pushed')
  await remote.call('integrations.remove', { id })
  await fetch(tab().endpoint, { method: 'POST', body: new Uint8Array([0, 255, 10]) })
  const row = await until('the delivery', async () => {
    const [first] = await remote.call('deliveries.since', { after: 0, limit: 1 })
    return first
  })
  const body = await remote.call('deliveries.body', { id: row.id, offset: 0, length: 100 })
  expect([...body.bytes]).toEqual([0, 255, 10])
  await expect(remote.call('deliveries.get', { id: 12_345 })).rejects.toMatchObject({
    code: 'not_found',
  })
  await remote.close()
  await expect(remote.call('app.snapshot', {})).rejects.toMatchObject({ code: 'connection_lost' })
})

test('calls in flight finish when the holder is asked to close; later ones are redirected', async () => {
  await using tab = await openTestEngine()
  const control = await openControl(tab.engine, tab.dataDir, { warn: () => undefined })
  const remote = await connectControl(controlOf(tab.dataDir), appVersion)
  const inFlight = Array.from({ length: 20 }, () => remote.call('app.snapshot', {}))
  // The server has received them all once the last one has a response; by then more are in flight.
  await inFlight.at(-1)
  const closing = control.close()
  const late = expect(remote.call('app.snapshot', {})).rejects.toMatchObject({
    code: 'connection_lost',
    retry: 'later',
  })
  await closing
  expect((await Promise.all(inFlight)).every(({ version }) => version !== '')).toBe(true)
  await late
  await remote.gone
})

/** Creates integrations by this number of commands at the same time. */
const createMany = (count: number, dataDir: string) =>
  Promise.all(
    Array.from({ length: count }, (_, at) =>
      runSpawnedCli(['integration', 'set', `--name=Number ${at}`, '--json', '--data', dataDir]),
    ),
  )

test.runIf(full)('simultaneous commands on an unlocked folder all work', async () => {
  await using folder = ownedFolder()
  const results = await createMany(10, folder.path)
  // On a busy machine the one whose turn it is may not answer for seconds, which the others report.
  const notice = /^Tabscope \(process \d+\) does not answer\..*\n/gm
  expect(results.map(({ code, stderr }) => ({ code, stderr: stderr.replace(notice, '') }))).toEqual(
    results.map(() => ({ code: 0, stderr: '' })),
  )
  const { stdout } = await runCli(['integration', 'list', '--data', folder.path, '--json'])
  expect(new Set(jsonLines(stdout).map(({ name }) => name)).size).toBe(results.length + 1)
})

test.runIf(full)('commands continue after the Tabscope that they joined has ended', async () => {
  await using folder = ownedFolder()
  const tab = await openTabscope(folder.path)
  const results = createMany(4, folder.path)
  await until('the first one', async () => {
    const { stdout } = await runCli(['integration', 'list', '--data', folder.path, '--json'])
    return jsonLines(stdout).length > 1
  })
  await tab.close()
  expect((await results).map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    Array.from({ length: 4 }, () => ({ code: 0, stderr: '' })),
  )
})

test('a session that is closed while it looks for the next engine leaves none open', async () => {
  await using folder = ownedFolder()
  const tab = await openTabscope(folder.path)
  const session = await openSession(folder.path, { lasting: true })
  await tab.close()
  await session.gone
  const results = Promise.allSettled([1, 2].map(() => session.call('tokens.list', {})))
  // Both calls have failed and look for another engine.
  await new Promise(setImmediate)
  await session[Symbol.asyncDispose]()
  await using next = await openTabscope(folder.path)
  expect(await next.engine.call('tokens.list', {})).toEqual([])
  await results
})

test.runIf(full)('serve waits for a short command, but not for a long-running one', async () => {
  await using folder = ownedFolder()
  const short = runSpawnedCli(['integration', 'set', '--name', 'First', '--data', folder.path])
  await until('the short command to hold the folder', () => readHolder(folder.path))
  await using tab = await spawnListening(folder.path)
  expect((await short).code).toBe(0)
  const { code, stderr } = await runCli(['listen', '--port', '0', '--data', folder.path])
  expect(code).toBe(1)
  expect(stderr).toContain(`(process ${tab.child.pid})`)
})

test.runIf(full)('a stale announcement of a crashed process is ignored', async () => {
  await using folder = ownedFolder()
  await using tab = await spawnListening(folder.path)
  tab.child.kill('SIGKILL')
  await tab.ended
  expect(controlOf(folder.path).token).toMatch(/./)
  const { code, stderr } = await runCli(['integration', 'list', '--data', folder.path])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  await using again = await openTabscope(folder.path)
  expect(again.port).toBeGreaterThan(0)
})

test('a listing command is sent no pushes, and a client that names none gets all', async () => {
  await using tab = await openTestEngine()
  const sent: string[] = []
  const control = await openControl(
    {
      announceControl: (address) => tab.engine.announceControl(address),
      connect: (send, backlog) =>
        tab.engine.connect((frame) => {
          sent.push(frame.kind)
          send(frame)
        }, backlog),
    },
    tab.dataDir,
    { warn: () => undefined },
  )
  let isListing = true
  const changing = (async () => {
    while (isListing) await tab.engine.call('settings.update', { theme: 'dark' })
  })()
  const { code } = await runCli(['delivery', 'list', '--data', tab.dataDir])
  expect(code).toBe(0)
  expect(sent).toContain('reply')
  expect(sent).not.toContain('push')

  const { socket } = await bare(controlOf(tab.dataDir))
  socket.write(encodeFrame(controlOf(tab.dataDir).token))
  socket.write(hello)
  await until('a push', () => sent.includes('push'))
  isListing = false
  await changing
  socket.destroy()
  await control.close()
})

test('a Tabscope of another version is rejected immediately, by reading and by changing commands', async () => {
  await using tab = await openTestEngine()
  await using _ = await openOtherVersion(tab)
  for (const command of [
    ['delivery', 'list'],
    ['token', 'list'],
    ['delivery', 'annotate', '1', '--pin'],
  ]) {
    const { code, stdout, stderr } = await runCli([...command, '--data', tab.dataDir])
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      'A different version of Tabscope (0.0.1) is running on this data folder. Close it, or use the same version.\n',
    )
  }
})
