import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestEngine } from '#test/support/engine.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { loopbackService, type LoopbackService } from '#test/support/loopback-service.ts'
import { sign } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'

let folder: OwnedFolder
let tab: TestEngine
let service: LoopbackService
beforeAll(async () => {
  folder = ownedFolder()
  tab = await openTabscope(folder.path, { secret: 'the secret of it' })
  service = await loopbackService((_, response) => void response.end('ok'))
})
afterAll(async () => {
  await tab.close()
  await service[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

async function compose(...args: string[]) {
  const result = await runCli(['compose', ...args, '--data', folder.path, '--json'])
  return { ...result, lines: jsonLines(result.stdout) }
}

test('sends a sample with fields set, matching headers, and a custom header', async () => {
  const { code, lines, stderr } = await compose(
    '--type',
    'ORDER_PLACED',
    '--to',
    `${service.baseUrl}/in`,
    '--set',
    'data.total=12.5',
    '--header',
    'X-Own: yes',
  )
  expect(stderr).toBe('')
  expect({ code, lines }).toMatchObject({
    code: 0,
    lines: [
      {
        event: 'attempt',
        kind: 'compose',
        status: 200,
        deliveryId: null,
        response: { body: 'ok' },
      },
    ],
  })
  const [request] = service.arrived
  const body = JSON.parse(request?.body.toString() ?? '')
  expect(body).toMatchObject({ type: 'ORDER_PLACED', data: { total: 12.5 } })
  expect(request?.headers).toMatchObject({
    'x-service-event-type': 'ORDER_PLACED',
    'x-service-event-target-uuid': body.targetUuid,
    'content-type': 'application/json',
    'x-own': 'yes',
  })
  expect(request?.url).toBe('/in')
})

test('is valid at the running listener, signed with its secret', async () => {
  const args = ['--type', 'OPEN_TAB', '--to', tab.endpoint] as const
  expect((await compose(...args)).code).toBe(0)
  const wrong = await compose(...args, '--sign-wrong', 'digit')
  // The listener accepts every delivery, so this is not the expected refusal.
  expect(wrong.code).toBe(1)
  const listed = await runCli(['delivery', 'list', '--data', folder.path, '--json'])
  expect(jsonLines(listed.stdout)).toMatchObject([
    { type: 'OPEN_TAB', verdict: 'invalid' },
    { type: 'OPEN_TAB', verdict: 'valid', findings: [] },
  ])
})

test('sends the exact body from stdin', async () => {
  const bytes = Buffer.from('\u{feff}{"type" : 1}\r\n', 'utf8')
  const args = ['compose', '--body=-', '--unsigned', '--method=put', `--data=${folder.path}`]
  const result = await runCli([...args, '--to', service.baseUrl], { stdin: bytes })
  expect(result.code).toBe(0)
  const last = service.arrived.at(-1)
  expect(last?.method).toBe('PUT')
  expect(last?.body.equals(bytes)).toBe(true)
  expect(last?.headers).not.toHaveProperty('x-service-signature')
})

test('sends the request of a cURL command, signed again, with edits of the other options', async () => {
  const request = `curl '${service.baseUrl}/in' -X PUT -H 'X-Service-Signature: 00' -H 'Host: of.example' -H 'content-type: a/b'`
  const command = `${request} --data-raw $'{"type":"A","note":"it\\'s"}' --compressed`
  const body = '{"type":"B","note":"it\'s"}'
  const file = path.join(folder.path, 'command.txt')
  await writeFile(file, command)
  for (const given of [command, file, '-']) {
    const args = ['compose', '--from-curl', given, '--set', 'type=B', `--data=${folder.path}`]
    const { code, stderr } = await runCli(args, { stdin: command })
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Not taken over: --compressed\n' })
    const last = service.arrived.at(-1)
    expect(last).toMatchObject({ method: 'PUT', url: '/in' })
    expect(last?.body.toString()).toBe(body)
    expect(last?.headers).toMatchObject({
      host: 'of.example',
      'content-type': 'a/b',
      'x-service-signature': sign(body, 'the secret of it'),
    })
  }
  const refused = await compose('--from-curl', 'curl x -d @body.json')
  expect(refused.stderr).toContain('-d names the file body.json, which is not read.')
  expect(refused.code).toBe(2)
})

test('fills in placeholders for each request', async () => {
  const args = [
    '--type',
    'OPEN_TAB',
    '--to',
    `${service.baseUrl}/p`,
    '--placeholders',
    '--set',
    'data.name={{counter}} {{uuid:a}} {{uuid:a}}',
  ] as const
  const names: string[] = []
  for (let time = 0; time < 2; time += 1) {
    await compose(...args)
    names.push(JSON.parse(service.arrived.at(-1)?.body.toString() ?? '').data.name)
  }
  const [first = '', second = ''] = names
  expect(first).toMatch(/^1 ([0-9a-f-]{36}) \1$/)
  expect(second).toMatch(/^2 ([0-9a-f-]{36}) \1$/)
  expect(first.slice(2)).not.toBe(second.slice(2))
  const last = service.arrived.at(-1)
  expect(last?.headers['x-service-signature']).toBe(sign(last?.body ?? '', 'the secret of it'))
})
