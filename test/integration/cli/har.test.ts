import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestEngine } from '#test/support/engine.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { loopbackService, type LoopbackService } from '#test/support/loopback-service.ts'
import { goodBody, sign } from '#test/support/requests.ts'
import { jsonLines, runCli, type CliOptions } from '#test/support/run-cli.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'

const secret = 'k3y-of-the-other-tool'
let folder: OwnedFolder
/** Commands that join it start faster than those that open an engine. */
let tab: TestEngine
let service: LoopbackService

beforeAll(async () => {
  folder = ownedFolder()
  tab = await openTabscope(path.join(folder.path, 'data'))
  service = await loopbackService(async (_, response) => void response.end('ok'))
})
afterAll(async () => {
  await tab.close()
  await service[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

/** The path of a file with an entry for each list of headers. */
function har(name: string, ...requests: readonly Readonly<Record<string, string>>[]): string {
  const entries = requests.map((headers, second) => ({
    startedDateTime: new Date(1_770_000_000_000 + second * 1000).toISOString(),
    request: {
      method: 'POST',
      url: 'https://hooks.example/in',
      headers: Object.entries(headers).map(([key, value]) => ({ name: key, value })),
      postData: { mimeType: 'application/json', text: goodBody.toString() },
    },
  }))
  return file(name, JSON.stringify({ log: { version: '1.2', entries } }))
}

function file(name: string, text: string): string {
  const at = path.join(folder.path, name)
  writeFileSync(at, text)
  return at
}

const signed = { 'X-Service-Signature': sign(goodBody, secret) }

const run = (args: readonly string[], options?: CliOptions) =>
  runCli([...args, '--data', path.join(folder.path, 'data')], options)

test('a file that cannot be imported is named, and the others are imported', async () => {
  const bad = file('bad.har', '{"log":{"entries":[{"request":null}]}}')
  const files = [har('a.har', signed), bad, file('c.har', '[]'), har('d.har', {})]
  const { code, stdout, stderr } = await run(['import', ...files, '--json'])
  expect(code).toBe(1)
  expect(jsonLines(stdout)).toMatchObject([
    { event: 'event_log', name: 'a.har', deliveries: 1 },
    { event: 'failed', code: 'log_unreadable' },
    { event: 'failed', code: 'log_unreadable' },
    { event: 'event_log', name: 'd.har', deliveries: 1 },
  ])
  expect(stderr).toContain(`${bad}: Nothing was imported. Skipped entry 1: it has no request.`)
  expect(stderr).toContain('c.har: The file seems to be JSON')
})
