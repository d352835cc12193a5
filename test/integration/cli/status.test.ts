import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { appVersion } from '#test/support/app-version.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { openTestEngine } from '#test/support/engine.ts'
import { full } from '#test/support/full.ts'
import { openOtherVersion } from '#test/support/other-version.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { jsonLines, runCli, spawnListening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

async function statusOf(dataDir: string): Promise<Record<string, unknown>> {
  const { code, stdout } = await runCli(['status', '--data', dataDir, '--json'])
  expect(code).toBe(0)
  const [status = {}, ...others] = jsonLines(stdout)
  expect(others).toEqual([])
  return status
}

test('status shows a running Tabscope, its endpoints with their last delivery, tokens and problems', async () => {
  await using folder = ownedFolder()
  await using tab = await spawnListening(folder.path, ['listen', '--secret', 'a wrong secret'])
  const { endpoint, listener } = tab.ready
  expect(await statusOf(folder.path)).toMatchObject({
    running: true,
    program: 'listen',
    pid: tab.child.pid,
    version: appVersion,
    runningVersion: appVersion,
    dataDir: folder.path,
    listener,
    deliveries: 0,
    endpoints: [{ slug: 'sandbox', url: endpoint, last: null }],
    tunnel: { state: 'off', provider: null, url: null },
    tokens: [],
    problems: [],
  })
  await fetch(endpoint, {
    method: 'POST',
    body: goodBody,
    headers: { 'X-Service-Signature': '00' },
  })
  const { endpoints } = await until('the delivery is counted', async () => {
    const status = await statusOf(folder.path)
    return status['deliveries'] === 1 && status
  })
  expect(endpoints).toMatchObject([{ last: { id: 1, verdict: 'invalid', handler: null } }])
  const { stdout } = await runCli(['status', '--data', folder.path])
  expect(stdout.toString()).toMatch(
    new RegExp(
      `^Tabscope {5}running: listen ${appVersion}, process ${tab.child.pid}
Data folder {2}.+
Deliveries {3}1
Listener {5}${listener}
Endpoint {5}Samples {2}${endpoint} {2}last delivery ✗ invalid, \\d+ s ago
Tunnel {7}off
$`,
    ),
  )
})

test('status reads the folder while Tabscope is not running, also an empty or a damaged one', async () => {
  await using folder = ownedFolder()
  const stopped = { running: false, program: null, pid: null, runningVersion: null, listener: null }
  expect(await statusOf(folder.path)).toMatchObject({
    ...stopped,
    deliveries: null,
    endpoints: [],
    problems: [],
  })
  {
    await using tab = await openTabscope(folder.path)
    await tab.receive(post(tab.path, goodBody))
    expect(await statusOf(folder.path)).toMatchObject({ running: true, program: 'desktop' })
  }
  expect(await statusOf(folder.path)).toMatchObject({
    ...stopped,
    deliveries: 1,
    endpoints: [{ url: null, last: { id: 1, verdict: 'unchecked' } }],
    tunnel: null,
    problems: [],
  })
  await writeFile(path.join(folder.path, 'tabscope.db'), 'no database '.repeat(2000))
  expect(await statusOf(folder.path)).toMatchObject({
    ...stopped,
    problems: [{ code: 'store_failed' }],
  })
})

test.runIf(full)(
  'status names a secret that cannot be read, a failing forward, and the version of another Tabscope',
  async () => {
    await using folder = ownedFolder()
    {
      await using tab = await openTabscope(folder.path, {
        secret: 'sealed with a key that is lost',
      })
      const [{ id: endpointId } = { id: 0 }] = (await tab.engine.call('app.snapshot', {})).endpoints
      await tab.engine.call('forwards.add', { endpointId, url: 'http://127.0.0.1:9/' })
      await tab.receive(post(tab.path, goodBody))
      await expect
        .poll(async () => (await statusOf(folder.path))['problems'])
        .toMatchObject([{ code: 'forward_failing' }])
    }
    await writeFile(path.join(folder.path, 'key'), Buffer.alloc(32))
    expect(await statusOf(folder.path)).toMatchObject({
      problems: [{ code: 'secret_unavailable' }],
    })

    await using tab = await openTestEngine()
    await using _ = await openOtherVersion(tab)
    expect(await statusOf(tab.dataDir)).toMatchObject({
      running: true,
      version: appVersion,
      runningVersion: '0.0.1',
      problems: [{ code: 'other_version' }],
    })
  },
)
