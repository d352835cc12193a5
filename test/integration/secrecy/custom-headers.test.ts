import path from 'node:path'
import { expect, test } from 'vitest'
import { openTestEngine, type TestEngine } from '#test/support/engine.ts'
import { exportTo } from '#test/support/event-log.ts'
import { linesOf } from '#test/support/exporting.ts'
import { full } from '#test/support/full.ts'
import { runCli } from '#test/support/run-cli.ts'
import { openControl } from '#hosts/control/server.ts'
import { openLog } from '#hosts/log.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { storedFiles } from '#test/support/stored-files.ts'

const value = 'Bearer canary-9f3a77c1'
const headers = [
  ['X-Env', value],
  ['X-Empty', ''],
] satisfies [string, string][]

/** Files in the data folder that contain the value in clear text. */
function holding(dataDir: string): string[] {
  return storedFiles(dataDir)
    .filter(({ bytes }) => bytes.includes('canary-9f3a77c1'))
    .map(({ name }) => name)
}

/** In the format of an event log. */
function exported(log: Buffer): unknown {
  return linesOf(log).of('endpoint')[0]?.customHeaders
}

async function received(tab: TestEngine, sent: Record<string, string>): Promise<string[]> {
  await tab.forget()
  const url = `http://127.0.0.1:${tab.port}${tab.path}`
  await fetch(url, { method: 'POST', body: '{}', headers: sent })
  const { id } = await tab.one()
  const { findings } = await tab.engine.call('deliveries.get', { id })
  return findings.map(({ code }) => code).filter((code) => code.startsWith('header.custom'))
}

test('values of custom headers are sealed in the store, and are still checked', async () => {
  const dataDir = tempFolder()
  {
    await using tab = await openTestEngine({ dataDir, secret: null })
    await tab.engine.call('endpoints.update', { id: tab.endpointId, customHeaders: headers })
    expect(holding(dataDir)).toEqual([])
  }
  await using tab = await openTestEngine({ dataDir, secret: null })
  const { endpoints } = await tab.engine.call('app.snapshot', {})
  expect(endpoints[0]?.customHeaders).toEqual(headers)
  // Changing another setting does not affect them.
  await tab.engine.call('endpoints.update', { id: tab.endpointId, name: 'Renamed' })
  expect(await received(tab, { 'X-Env': value, 'X-Empty': '' })).toEqual([])
  expect(await received(tab, { 'X-Env': 'another', 'X-Empty': '' })).toEqual([
    'header.custom_different',
  ])
  // Also for the sandbox, which sends from the engine, and `trigger`, which sends from its own process.
  await tab.forget()
  await tab.engine.call('sandbox.send', { endpointId: tab.endpointId, types: ['OPEN_TAB'] })
  expect((await tab.one()).headers).toContainEqual(['X-Env', value])
  await tab.forget()
  const control = await openControl(tab.engine, dataDir, openLog(dataDir))
  const { code } = await runCli(['trigger', 'OPEN_TAB', '--data', dataDir])
  await control.close()
  expect(code).toBe(0)
  expect((await tab.one()).headers).toContainEqual(['X-Env', value])

  const file = path.join(tempFolder(), 'log.ndjson')
  expect(exported(await exportTo(tab.engine, file))).toEqual(headers)
  const redacted = await exportTo(tab.engine, `${file}.redacted`, { redact: true })
  expect(redacted.includes('canary-9f3a77c1')).toBe(false)
  expect(exported(redacted)).toMatchObject([
    [expect.any(String), expect.any(String)],
    [expect.any(String), ''],
  ])
})

test.runIf(full)(
  'a value that cannot be unsealed is missing, and a new one can be entered',
  async () => {
    const dataDir = tempFolder()
    {
      await using tab = await openTestEngine({ dataDir, secret: null })
      await tab.engine.call('endpoints.update', { id: tab.endpointId, customHeaders: headers })
    }
    const secrets = {
      seal: async (clear: string) => Buffer.from(`other:${Buffer.from(clear).toString('hex')}`),
      unseal: async (sealed: Uint8Array) => {
        const text = Buffer.from(sealed).toString()
        if (!text.startsWith('other:')) throw new Error('sealed elsewhere')
        return Buffer.from(text.slice(6), 'hex').toString()
      },
    }
    await using tab = await openTestEngine({ dataDir, secret: null, ports: { secrets } })
    const { endpoints } = await tab.engine.call('app.snapshot', {})
    expect(endpoints[0]?.customHeaders).toEqual([])
    expect(tab.log.join('\n')).toContain('the custom headers of endpoint 1 cannot be decrypted')
    const update = { id: tab.endpointId, customHeaders: headers }
    expect((await tab.engine.call('endpoints.update', update)).customHeaders).toEqual(headers)
  },
)
