import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { DeliverySummary } from '#contract/models.ts'
import type { Engine } from '#engine/app/engine.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { openTestEngine } from '#test/support/engine.ts'
import { importPath } from '#test/support/event-log.ts'
import { exportTo } from '#test/support/exporting.ts'
import { full } from '#test/support/full.ts'
import { goodBody, head, sign, testSecret } from '#test/support/requests.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { rawServer } from '#test/support/raw-server.ts'
import { jsonLines, runCli, startListening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const title = 'A line break at the end of the secret on one side'
const words = 'the current secret followed by a line break'
const login = 'response.authentication'
const withLineBreak = `${testSecret}\n`

function signedWith(secret: string | null, path: string, body: Uint8Array = goodBody): Buffer {
  const signature = secret === null ? [] : [`X-Service-Signature: ${sign(body, secret)}`]
  const length = `Content-Length: ${body.byteLength}`
  return Buffer.concat([head(`POST ${path} HTTP/1.1`, ['Host: h', length, ...signature]), body])
}

function codesOf({ causes }: Pick<DeliverySummary, 'causes'>): string[] | null {
  return causes && causes.map(({ code }) => code)
}

function diagnosed(engine: Engine, id: number): Promise<string[]> {
  return until(`the causes of delivery ${id}`, async () =>
    codesOf(await engine.call('deliveries.get', { id })),
  )
}

it('stores the cause, and shows it wherever the delivery goes', async () => {
  await using tab = await openTabscope(ownedFolder().path, { secret: testSecret })
  const { engine, path, dataDir } = tab
  const pushed: DeliverySummary[] = []
  engine.on('deliveries.changed', ({ rows }) => void pushed.push(...rows))
  await tab.receive(signedWith(withLineBreak, path), signedWith(testSecret, path))
  await until('the cause in the list', () =>
    pushed.some((row) => row.id === 1 && codesOf(row)?.[0] === 'secret.line_break'),
  )
  const { causes } = await engine.call('deliveries.get', { id: 1 })
  expect(causes).toMatchObject([
    { code: 'secret.line_break', where: 'sender', values: { key: words } },
  ])
  expect(codesOf(await engine.call('deliveries.get', { id: 2 }))).toEqual([])

  const cli = (...args: string[]) => runCli([...args, '--data', dataDir])
  const json = await cli('delivery', 'show', '1', '--json')
  expect(jsonLines(json.stdout)[0]).toMatchObject({ causes })
  const shown = String((await cli('delivery', 'show', '1')).stdout)
  expect(shown).toContain(title)
  expect(shown).toContain(words)
  expect(String((await cli('delivery', 'list')).stdout)).toContain(title)

  await tab.receive(signedWith(withLineBreak, path))
  const waited = await cli(...'wait --since 1h --verdict invalid --count 2 --json'.split(' '))
  expect(jsonLines(waited.stdout)).toMatchObject([{ causes }, { causes }])

  const markdown = await exportTo(engine, { format: 'markdown' })
  expect(readFileSync(markdown.file, 'utf8')).toContain(`- Cause: ${title}. `)
  const csv = await exportTo(engine, { format: 'csv' })
  expect(readFileSync(csv.file, 'utf8')).toContain(',invalid,secret.line_break,')
  // Redacted, it cannot be diagnosed again.
  const { file } = await exportTo(engine, { redact: true })
  const { logId: log } = await importPath(engine, file)
  expect(await engine.call('deliveries.get', { log, id: 1 })).toMatchObject({ causes })
})

it.runIf(full)('diagnoses again when signatures are checked again', async () => {
  await using tab = await openTestEngine()
  const { engine, path, endpointId } = tab
  await tab.receive(signedWith(withLineBreak, path), signedWith('of another', path))
  expect(await diagnosed(engine, 1)).toEqual(['secret.line_break'])
  expect(await diagnosed(engine, 2)).toEqual([])
  await engine.call('endpoints.rotateSecret', { id: endpointId, secret: 'of another\n' })
  await engine.call('deliveries.recheck', { ids: [1, 2] })
  await until('the new cause', async () => (await diagnosed(engine, 2))[0] === 'secret.line_break')
  await engine.call('endpoints.rotateSecret', { id: endpointId, secret: withLineBreak })
  await engine.call('deliveries.recheck', { ids: [1, 2] })
  expect(await engine.call('deliveries.get', { id: 1 })).toMatchObject({
    verdict: 'valid',
    causes: [],
  })
})

it('stores why a handler rejects a valid signature, until it accepts it', async () => {
  let status = '401 Unauthorized'
  let page = ''
  await using handler = await rawServer((socket) => {
    const fields = [`Content-Length: ${page.length}`, 'Connection: close']
    socket.end(`HTTP/1.1 ${status}\r\n${fields.join('\r\n')}\r\n\r\n${page}`)
  })
  await using tab = await openTestEngine()
  const { engine, path } = tab
  await tab.receive(signedWith(testSecret, path))
  const send = async (): Promise<void> => {
    await engine.call('deliveries.resend', { id: 1, url: handler.origin })
  }
  await send()
  const rejected = await until('the cause', async () => {
    const { causes } = await engine.call('deliveries.get', { id: 1 })
    return causes?.[0]
  })
  expect(rejected).toMatchObject({ code: 'handler.serialized', values: { status: '401' } })
  // The same status, for another reason.
  page = '<h1>401 Authorization Required: please log in</h1>'
  await send()
  await until('the other cause', async () => (await diagnosed(engine, 1))[0] === login)
  const { groups } = await engine.call('deliveries.groups', { by: 'problem' })
  expect(groups.map(({ label }) => label)).toEqual([
    'Valid here, rejected by your handler with 401: Refused by the login of your application',
  ])
  status = '200 OK'
  await send()
  await until('no cause', async () => (await diagnosed(engine, 1)).length === 0)
})

it('says why there is no signature, and does not diagnose what was not checked', async () => {
  await using tab = await openTestEngine()
  const { engine, path } = tab
  await tab.receive(signedWith(null, path), signedWith(testSecret, '/nowhere'))
  expect(await diagnosed(engine, 1)).toEqual(['header.missing'])
  expect(await engine.call('deliveries.get', { id: 2 })).toMatchObject({
    verdict: 'unchecked',
    causes: [],
  })
})

it('is printed by the commands that wait for deliveries', async () => {
  await using folder = ownedFolder()
  const env = { HOOK_SECRET: testSecret }
  const args = ['listen', '--secret-env', 'HOOK_SECRET']
  await using listening = await startListening(folder.path, args, { env })
  await using client = await rawClient(listening.port)
  await client.send(signedWith(withLineBreak, listening.path))
  await until('the cause', () => listening.stderr().includes(`1: ${title}.`))
})
