import { execFile, spawnSync } from 'node:child_process'
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { full } from '#test/support/full.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { serveHandler } from '#test/support/rehearsal/handler.ts'
import { identity } from '#test/support/rehearsal/rehearse.ts'
import { head, post, testSecret } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder, tempFolder } from '#test/support/temp-folder.ts'

const generate = (...args: string[]) => runCli(['generate', 'fixtures', '--json', ...args])

function runs(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

const java = '/usr/share/java'
const launcher = `${java}/junit-platform-console-standalone.jar`
const jars = readJars()

function readJars(): string {
  if (!existsSync(launcher)) return ''
  const names = readdirSync(java).filter((name) =>
    /^(?:junit-|opentest|apiguardian|picocli)/.test(name),
  )
  return names.map((name) => path.join(java, name)).join(':')
}

interface Suite {
  readonly framework: string
  /** Why it cannot be run; null: it can. */
  readonly missing: string | null
  /** In a shell, in the folder. */
  readonly command: string
  /** Of 13 samples with 4 tests each, if every request is accepted. */
  readonly failed: RegExp
}

const slow = (isHere: boolean, what: string): string | null =>
  full ? (isHere ? null : `${what} is not here`) : 'only in the full tests'

const suites: readonly Suite[] = [
  {
    framework: 'vitest',
    missing: slow(true, ''),
    command: `"${process.execPath}" node_modules/vitest/vitest.mjs run`,
    failed: /26 failed \| 26 passed/,
  },
  {
    framework: 'pytest',
    missing: slow(runs('python3', '-c', 'import pytest'), 'Python with pytest'),
    command: 'python3 -m pytest -q -p no:cacheprovider',
    failed: /26 failed, 26 passed/,
  },
  {
    framework: 'go',
    missing: slow(runs('go', 'version'), 'Go'),
    command: '[ -f go.mod ] || go mod init webhooks; go vet . && go test -count=1 .',
    failed: /(?:--- FAIL: TestWebhooks\/[^]*){26}/,
  },
  {
    framework: 'phpunit',
    missing: slow(runs('phpunit', '--version'), 'PHPUnit'),
    command: 'phpunit --no-configuration WebhooksTest.php',
    failed: /Tests: 52, Assertions: 130, Failures: 26/,
  },
  {
    framework: 'junit',
    missing: slow(jars !== '' && runs('javac', '-version'), 'JUnit 5'),
    command: `javac -d out -cp "${jars}" src/test/java/WebhooksTest.java && cp -r src/test/resources/* out &&
      java -cp "out:${jars}" org.junit.platform.console.ConsoleLauncher --scan-classpath out`,
    failed: /26 tests successful[^]*26 tests failed/,
  },
]

test.for(suites)(
  'the tests for $framework tell whether a handler verifies',
  async (suite, { skip }) => {
    if (suite.missing !== null) skip(suite.missing)
    const folder = tempFolder()
    const { code } = await generate('--framework', suite.framework, '-o', folder)
    expect(code).toBe(0)
    symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'))
    const run = (url: string): Promise<{ code: unknown; output: string }> => {
      const { promise, resolve } = Promise.withResolvers<{ code: unknown; output: string }>()
      const env = {
        ...process.env,
        WEBHOOK_URL: url,
        WEBHOOK_SECRET: identity.secret,
        NO_COLOR: '1',
      }
      execFile('sh', ['-ec', suite.command], { cwd: folder, env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      )
      return promise
    }
    await using correct = await serveHandler()
    expect(await run(correct.url)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/52|ok/),
    })
    await using careless = await serveHandler({ isAuthentic: () => true })
    const { code: failure, output } = await run(careless.url)
    expect(failure).not.toBe(0)
    expect(output).toMatch(suite.failed)
  },
)

const tabUuid = '1b4e28ba-2fa1-4d3e-883f-0016d3cca427'
const planted = [
  tabUuid,
  'Guestname',
  '31612345678',
  'c2VjcmV0LWNhbmFyeQ',
  'apikey-canary',
  '203.0.113.9',
]
const createdAt = '2026-03-14T21:00:00.000Z'
const bodies = {
  // Formatted as no serializer does.
  opened: `{ "type":"OPEN_TAB",\t"targetUuid":"${tabUuid}","createdAt":"${createdAt}",
    "data":{"name":"Canary Guestname","total":1.50,"spotName":"T4","token":"c2VjcmV0LWNhbmFyeQ"} }\n`,
  ordered: JSON.stringify({
    type: 'ORDER_PLACED',
    createdAt,
    data: { tabUuid, note: 'call +31612345678', 'Canary Guestname': 1 },
  }),
}
const headers = [
  'X-Api-Key: apikey-canary',
  'X-Forwarded-For: 203.0.113.9',
  'Connection: keep-alive',
  `X-Service-Event-Target-UUID: ${tabUuid}`,
]

const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('.'))
      .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  )

test('captured deliveries become fixtures, masked as in an export', async () => {
  await using folder = ownedFolder()
  const data = path.join(folder.path, 'data')
  await using tab = await openTabscope(data, { secret: testSecret })
  await tab.receive(
    post(tab.path, bodies.opened, headers),
    post(tab.path, bodies.ordered),
    post(tab.path, '[1]'),
    post(tab.path, JSON.stringify({ type: 'OPEN_TAB', data: { name: 'x'.repeat(66_000) } })),
  )
  await using client = await rawClient(tab.port)
  await client.send(head(`POST ${tab.path} HTTP/1.1`, ['Host: a', 'Content-Length: 9']))
  client.finish()
  await tab.kept(5)

  const out = path.join(folder.path, 'out')
  const at = (...args: string[]) =>
    generate('--framework', 'pytest', '--data', data, '-o', out, ...args)
  const all = await at('--filter', '')
  expect(all.stderr.split('\n').slice(0, -1)).toEqual([
    'Left out, because the body is incomplete: 1 delivery.',
    'Left out, because the body is larger than 64 KiB: 1 delivery.',
    'Left out, because the body is not a JSON object: 1 delivery.',
  ])
  expect(jsonLines(all.stdout)).toMatchObject([{ event: 'generated', payloads: 2 }])
  const files = contents(out)
  expect(Object.keys(files).toSorted()).toEqual([
    'fixtures/open-tab-1.headers',
    'fixtures/open-tab-1.json',
    'fixtures/order-placed-1.headers',
    'fixtures/order-placed-1.json',
    'test_webhooks.py',
  ])
  for (const value of planted) expect(JSON.stringify(files)).not.toContain(value)
  const opened = files['fixtures/open-tab-1.json'] ?? ''
  expect(opened).toContain(
    `{ "type":"OPEN_TAB",\t"targetUuid":"uuid 1","createdAt":"${createdAt}",\n`,
  )
  expect(files['fixtures/order-placed-1.json']).toContain('"tabUuid":"uuid 1"')
  expect(files['fixtures/open-tab-1.headers']).toBe(
    'User-Agent: Service-WebhookAgent/1.0\nContent-Type: application/json\nX-Service-Application-ID: id 1\nX-Api-Key: xxxxx-xxxxx\nX-Service-Event-Target-UUID: uuid 1\n',
  )
  expect(files['test_webhooks.py']).toContain('from 2 captured deliveries, masked.')

  // A fixture that was edited is not replaced, but found.
  writeFileSync(path.join(out, 'fixtures/open-tab-1.json'), '{}')
  const ids = await at('1', '2', '--check')
  expect([ids.code, ids.stderr]).toEqual([1, ''])
  expect((await at('1', '2')).code).toBe(2)

  const refused = await at('latest', '--no-redact')
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('--yes')])
  expect((await at('1', '--no-redact', '--yes', '--force')).code).toBe(0)
  expect(contents(out)['fixtures/open-tab-1.json']).toBe(bodies.opened)
  expect(contents(out)['fixtures/open-tab-1.headers']).toContain('X-Api-Key: apikey-canary\n')
  expect(statSync(path.join(out, 'fixtures/open-tab-1.headers')).mode & 0o077).toBe(0)

  expect((await at('3')).stderr).toContain('No delivery is selected. Left out')
  expect((await at('99')).code).toBe(3)
})
