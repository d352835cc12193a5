import { afterAll, beforeAll, expect, test } from 'vitest'
import { engineOnFolder } from '#test/support/engine-on-folder.ts'
import { goodBody, goodHeaders, head, post } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const folder = ownedFolder()
// Registered first, so that it runs last.
afterAll(() => folder[Symbol.asyncDispose]())
const held = engineOnFolder(() => folder.path)

beforeAll(async () => {
  const { path } = held()
  const lines = [
    'Host: a',
    `Content-Length: ${goodBody.byteLength}`,
    ...goodHeaders.filter((line) => !line.startsWith('User-Agent')),
    'X-Odd: \u009b31m',
  ].map((line) => line.replace('OPEN_TAB', 'CLOSE_TAB'))
  await held().receive(
    Buffer.concat([head(`POST ${path} HTTP/1.1`, lines), goodBody]),
    post(path, goodBody, ['x-forwarded-for: 203.0.113.9, \u009b31m', 'x-forwarded-proto: https']),
  )
})

const deliveries = (...args: string[]) => runCli(['delivery', ...args, '--data', folder.path])

test('headers explains each header, as text and as JSON', async () => {
  const text = (await deliveries('headers', '1')).stdout.toString()
  expect(text).toContain(`✗ differs      X-Service-Event-Type: CLOSE_TAB
               expected  OPEN_TAB
`)
  expect(text).toContain('✓ matches      Content-Type: application/json\n')
  expect(text).toContain('✗ missing      User-Agent\n')
  expect(text).not.toContain('\u009b')
  const checks = jsonLines((await deliveries('headers', '1', '--json')).stdout)
  expect(checks.at(-1)).toMatchObject({
    event: 'header',
    name: 'User-Agent',
    index: null,
    matches: false,
  })
  expect(checks).toHaveLength(8)
})
