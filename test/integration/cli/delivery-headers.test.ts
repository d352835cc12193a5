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

const deliveries = (...args: string[]) => runCli(['deliveries', ...args, '--data', folder.path])

test('show prints each finding with severity, place, expected and actual value, errors first', async () => {
  const { stdout } = await deliveries('show', '1')
  expect(stdout.toString()).toContain(`
error    header.type_mismatch  header.x-service-event-type
         This header is not the type of the body. Only the body is signed.
         expected  OPEN_TAB
         actual    CLOSE_TAB
warning  header.user_agent  header.user-agent
         The user agent of every delivery starts with the brand and -WebhookAgent (API documentation, "Delivery").
         expected  Service-WebhookAgent…
`)
})

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

test('proxy headers are shown as claims, by show and by headers, apart from what the service sends', async () => {
  const said =
    'Reported by a header: from 203.0.113.9, via “\\u009b31m” (not an IP address), over https.'
  const shown = (await deliveries('show', '2')).stdout.toString()
  expect(shown).toContain(said)
  expect(shown).toContain('Not verified')
  expect(shown).not.toContain('\u009b')

  const text = (await deliveries('headers', '2')).stdout.toString()
  const [own = '', way = ''] = text.split('Added by a tunnel or proxy')
  expect(own).toContain('✓ matches      Content-Type')
  expect(own.toLowerCase()).not.toContain('forwarded')
  expect(way).toContain(said)
  expect(way).toContain('– not checked  x-forwarded-proto: https')

  const [delivery] = jsonLines((await deliveries('show', '2', '--json')).stdout)
  expect(delivery).toMatchObject({
    findings: [],
    claims: {
      by: 'header',
      description: expect.stringContaining('from 203.0.113.9'),
      chain: [
        { text: '203.0.113.9', address: '203.0.113.9' },
        { text: '\u009b31m', address: null },
      ],
      protocol: 'https',
      host: null,
      port: null,
      contradictory: false,
    },
  })
  const checks = jsonLines((await deliveries('headers', '2', '--json')).stdout)
  expect(checks.filter(({ source }) => source === 'proxy').map(({ name }) => name)).toEqual([
    'x-forwarded-for',
    'x-forwarded-proto',
  ])

  const [first] = jsonLines((await deliveries('show', '1', '--json')).stdout)
  expect(first).toMatchObject({ claims: null })
})
