import { existsSync, statSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '#test/support/free-port.ts'
import { full } from '#test/support/full.ts'
import { listenOnLoopback } from '#test/support/listen.ts'
import { loopbackService } from '#test/support/loopback-service.ts'
import { cliFile, jsonLines, runCli, runSpawnedCli, spawnCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

// The commands are scripts of Node. What they print goes to the terminal of the tests, so they print nothing.

/** A script that sends one webhook of each type, signed with the secret or something else. */
function sends(types: readonly string[], secret = 'process.env.TABSCOPE_SECRET'): string {
  return `
const { createHmac } = require('node:crypto')
const sent = ${JSON.stringify(types)}.map((type) => {
  const body = JSON.stringify({ type, targetUuid: 'a', createdAt: '2026-03-14T21:00:00.000Z', data: { guest: 'Ada' } })
  return fetch(process.env.TABSCOPE_URL, {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'application/json',
      'X-Service-Signature': createHmac('sha256', ${secret}).update(body).digest('hex'),
    },
  })
})
`
}

const node = (script: string): string[] => ['--', process.execPath, '-e', script]

test('run gives the command an endpoint, and succeeds if what is expected is received', async () => {
  await using folder = ownedFolder()
  const seen = path.join(folder.path, 'env.json')
  const script = `${sends(['ORDER_PLACED', 'ORDER_PLACED'])}
require('node:fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env))`
  const good = ['--expect=type:ORDER_PLACED verdict:valid', '--count=2']
  const bad = ['--expect=verdict:invalid', '--count=0']
  const { code, stdout, stderr } = await runCli(
    ['run', ...good, ...bad, '--timeout=60s', '--json', ...node(script)],
    { cwd: folder.path },
  )
  const env = JSON.parse(await readFile(seen, 'utf8'))
  expect(env.TABSCOPE_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hooks\/\w+$/)
  expect(env.TABSCOPE_SECRET).toMatch(/^[0-9a-f]{64}$/)
  expect(stderr).toBe(`Receiving webhooks at ${env.TABSCOPE_URL}\n`)
  expect(code).toBe(0)
  expect(jsonLines(stdout)).toEqual([
    {
      event: 'expectation',
      filter: 'type:ORDER_PLACED verdict:valid',
      expected: 2,
      received: 2,
      met: true,
    },
    { event: 'expectation', filter: 'verdict:invalid', expected: 0, received: 0, met: true },
  ])
  expect(existsSync(env.TABSCOPE_DATA)).toBe(false)
  expect(await readdir(folder.path)).toEqual(['env.json'])
})

test('an expectation that is not met: what was received instead, and a redacted log', async () => {
  await using folder = ownedFolder()
  const expected = ['--expect=type:ORDER_PLACED verdict:valid', '--expect=verdict:invalid']
  const script = sends(['ORDER_PLACED'], "process.env.TABSCOPE_SECRET + '\\\\n'")
  const args = ['run', ...expected, '--count=0', '--timeout=0s', ...node(script)]
  const run = () => runCli(args, { cwd: folder.path })
  const { code, stderr } = await run()
  expect(code).toBe(1)
  const lines = stderr.split('\n')
  expect(lines.slice(1, 4)).toEqual([
    'Expected at least 1 delivery, received 0: type:ORDER_PLACED verdict:valid',
    'Expected no delivery, but one was received: verdict:invalid',
    'Received 1 delivery:',
  ])
  expect(lines[5]).toMatch(/^ +1 .+ ✗ invalid +ORDER_PLACED .+ \(.*(?:line break|newline).*\)/i)
  const [, log = ''] = /^Event log, redacted: (.+)$/m.exec(stderr) ?? []
  expect(path.dirname(log)).toBe(folder.path)
  const text = await readFile(log, 'utf8')
  expect(text).toContain('ORDER_PLACED')
  expect(text).not.toContain('Ada')
  // It never replaces the log of an earlier run.
  await run()
  expect(await readdir(folder.path)).toHaveLength(2)
  expect(await readFile(log, 'utf8')).toBe(text)
})

test('the exit code of the command is passed on, and the log has the given name', async () => {
  await using folder = ownedFolder()
  const log = path.join(folder.path, 'failed.tabscope')
  const script = `${sends(['OPEN_TAB'])}
Promise.all(sent).then(() => process.exit(7))`
  const { code, stderr } = await runCli(['run', '--log', log, '--expect=', ...node(script)])
  expect(code).toBe(7)
  expect(stderr).not.toContain('Expected')
  expect(stderr).toContain('Received 1 delivery:')
  expect(statSync(log).mode & 0o077).toBe(0)
})

test('a command that does not exist: 127; invalid options: 2, and nothing is run', async () => {
  const missing = await runCli(['run', '--', 'no-such-command-of-tabscope', 'x'])
  expect(missing.code).toBe(127)
  expect(missing.stderr).toMatch(
    /\nCould not run no-such-command-of-tabscope\. Command not found\.\n$/,
  )
  for (const [args, message] of [
    [['--expect=(type:A'], ''],
    [['--rehearse=ftp://127.0.0.1'], '--rehearse requires an http or https URL'],
    [['--expect=type:A', '--count=many'], '--count requires a whole number'],
  ] as const) {
    const { code, stderr } = await runCli(['run', ...args, '--', 'no-such-command'])
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('Receiving')
  }
})

test.runIf(full)(
  'commands inside use the receiver, also in a folder that is kept, with a given secret',
  async () => {
    await using folder = ownedFolder()
    const dataDir = path.join(folder.path, 'data')
    const script = `${sends(['OPEN_TAB'])}
const { spawnSync } = require('node:child_process')
const wait = [${JSON.stringify(cliFile)}, 'wait', '--since=1h', '--verdict=valid', '-q']
Promise.all(sent).then(() => process.exit(spawnSync(process.execPath, wait).stdout.toString() === '1\\n' ? 0 : 9))`
    const run = () =>
      runSpawnedCli(
        ['run', '--data', dataDir, '--secret-env=OWN', '--expect=type:OPEN_TAB', ...node(script)],
        { env: { OWN: 'secret of the test' } },
      )
    expect(await run()).toMatchObject({ code: 0 })
    const { stdout } = await runCli(['status', '--data', dataDir, '--json'])
    expect(jsonLines(stdout)).toMatchObject([{ running: false, deliveries: 1 }])
  },
)

test('--forward-to has the receiver between the sender and a handler', async () => {
  await using handler = await loopbackService((_, response) => void response.writeHead(418).end())
  const script = `${sends(['OPEN_TAB'])}
sent[0].then(({ status }) => process.exit(status === 418 ? 0 : 1))`
  const args = ['run', '--forward-to', handler.baseUrl, '--forward-return']
  const { code } = await runCli([...args, '--expect=handler:418', ...node(script)])
  expect(code).toBe(0)
  expect(handler.arrived).toHaveLength(1)
})

/** A handler in a script, which may accept everything. */
function handlerScript(port: number, accepts = 'false', host = '127.0.0.1'): string {
  return `
const { createHmac, timingSafeEqual } = require('node:crypto')
const isEvent = (body) => {
  try { return typeof JSON.parse(body)?.type === 'string' } catch { return false }
}
require('node:http').createServer(async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end()
  const body = await request.toArray().then(Buffer.concat, () => null)
  if (body === null) return
  const expected = createHmac('sha256', process.env.TABSCOPE_SECRET).update(body).digest('hex')
  const [a, b] = [expected, String(request.headers['x-service-signature'])].map((each) => Buffer.from(each))
  const isAuthentic = a.length === b.length && timingSafeEqual(a, b)
  response.writeHead(!isAuthentic && !${accepts} ? 401 : isEvent(body) ? 200 : 400).end()
}).listen(${port}, '${host}')`
}

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)

test.runIf(full)('--rehearse starts a handler, tests it and stops it', async () => {
  await using folder = ownedFolder()
  const port = await freePort()
  // As Node 17 and later resolve it, a server that is told localhost may listen only at ::1.
  const args = ['run', '--rehearse', `http://localhost:${port}/hooks`]
  const own = handlerScript(port, 'false', hasIpv6 ? '::1' : '127.0.0.1')
  // As with `npm start`, the handler is not the process that is started.
  const starter = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(own)}])`
  const good = await runCli([...args, ...node(starter)], { cwd: folder.path })
  expect(good.stdout.toString()).toMatch(/\n\d+ passed, 0 failed, /)
  expect(good.code).toBe(0)
  await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow('fetch failed')
  const bad = await runCli([...args, ...node(handlerScript(port, 'true'))], { cwd: folder.path })
  expect(bad.code).toBe(1)
  const [, log = ''] = /^Event log, redacted: (.+)$/m.exec(bad.stderr) ?? []
  expect(await readFile(log, 'utf8')).toContain('"rehearsal"')
})

test.runIf(full)(
  '--rehearse tests a handler that runs already after the command, and fails if it never runs',
  async () => {
    await using folder = ownedFolder()
    await using handler = await loopbackService((_, response) => void response.end())
    const url = handler.baseUrl
    const marker = path.join(folder.path, 'done')
    const done = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`
    const tested = await runCli(['run', '--rehearse', url, ...node(done)], { cwd: folder.path })
    expect(existsSync(marker)).toBe(true)
    expect(tested.code).toBe(1)
    expect(handler.arrived.length).toBeGreaterThan(1)
    const closed = `http://127.0.0.1:${await freePort()}/`
    const never = await runCli(['run', '--rehearse', closed, ...node('')], { cwd: folder.path })
    expect(never.code).toBe(1)
    expect(never.stderr).toContain(
      `The command did not accept connections at ${closed} before it ended.`,
    )
  },
)

test.skipIf(process.platform !== 'linux')(
  '--rehearse names the program that holds the port at which the command cannot listen',
  async () => {
    await using folder = ownedFolder()
    // It accepts connections at 127.0.0.1 only, and no other program can then listen at 0.0.0.0.
    const holder = createServer()
    const { port, close } = await listenOnLoopback(holder)
    await using _ = { [Symbol.asyncDispose]: close }
    const url = `http://127.0.0.2:${port}/`
    const script = `require('node:http').createServer().listen(${port}, '0.0.0.0')`
    const args = ['run', '--rehearse', url, ...node(script)]
    const { code, stderr } = await runCli(args, { cwd: folder.path })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      new RegExp(
        `accept connections at ${url} before it ended\\. Port ${port} is in use by .+ \\(process ${process.pid}\\): stop that`,
      ),
    )
  },
)

test.runIf(full && process.platform === 'linux')(
  '--rehearse names a command that listens elsewhere, and ends one if another program has the port',
  async () => {
    await using folder = ownedFolder()
    const [told, other] = [await freePort(), await freePort()]
    const script = `require('node:http').createServer().listen(${other}, '127.0.0.1')`
    const args = ['run', '--rehearse', `http://127.0.0.1:${told}/`, ...node(script)]
    await using waiting = spawnCli(args, { cwd: folder.path })
    await until('the other address', () =>
      waiting
        .stderr()
        .includes(` yet; the command is stopped after 30 s. It listens at 127.0.0.1:${other}.`),
    )
    waiting.kill('SIGINT')
    expect((await waiting.ended).code).toBe(130)

    const holder = createServer()
    const { close } = await listenOnLoopback(holder, told)
    await using _ = { [Symbol.asyncDispose]: close }
    const { code, stderr } = await runCli(args, { cwd: folder.path })
    expect(code).toBe(1)
    const name = `http://127.0.0.1:${told}/ was in use`
    const [, before, after] = stderr.split('\n')
    expect(before).toContain(`${name} by `)
    expect(before).toContain(`(process ${process.pid}) before the command started.`)
    expect(after).toContain(`${name} before the command started, and the command does not end.`)
    await expect(fetch(`http://127.0.0.1:${other}/`)).rejects.toThrow('fetch failed')
  },
)

test.skipIf(process.platform === 'win32').for([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('%s reaches the command, and ends run with %i', async ([signal, expected]) => {
  await using temporary = ownedFolder()
  const script = `
process.on('SIGINT', () => process.exit(130))
setInterval(() => undefined, 1000)
process.stdout.write('running')`
  await using running = spawnCli(['run', ...node(script)], { env: { TMPDIR: temporary.path } })
  await until('the command', () => running.stdout().includes('running'))
  running.kill(signal)
  const { code, stderr } = await running.ended
  expect(code).toBe(expected)
  expect(stderr).toMatch(/^Receiving webhooks at \S+\n$/)
  expect(await readdir(temporary.path)).toEqual([])
})

test.runIf(process.platform === 'win32')('a batch file is run by a shell', async () => {
  await using folder = ownedFolder()
  await writeFile(path.join(folder.path, 'five.cmd'), '@exit /b 5\r\n')
  const { code } = await runCli(['run', '--', 'five.cmd', 'a b'], { cwd: folder.path })
  expect(code).toBe(5)
})
