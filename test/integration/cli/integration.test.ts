import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engineOnFolder } from '#test/support/engine-on-folder.ts'
import { defaultRefreshTemplate } from '#contract/default-refresh.ts'
import { jsonLines, runCli, type CliOptions, type CliResult } from '#test/support/run-cli.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'

const secret = 'canary-access-secret-7f3a'
let folder: OwnedFolder

beforeAll(() => {
  folder = ownedFolder()
})
afterAll(() => folder[Symbol.asyncDispose]())

function integration(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return runCli(['integration', ...args, '--data', folder.path], options)
}

async function json(args: readonly string[], options: CliOptions = {}) {
  const { code, stdout, stderr } = await integration([...args, '--json'], options)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return jsonLines(stdout)
}

test('set creates an integration by name, and prints everything but the secret', async () => {
  const redirects = ['https://app.example/cb?a=1', 'http://127.0.0.1:4791/callback']
  const [made, ...more] = await json(
    [
      'set',
      '--name=My bar',
      '--brand=Acme',
      '--base-url=https://service.example/eu/',
      '--access-id=id-1',
      '--access-secret-env=BAR_SECRET',
      ...redirects.flatMap((url) => ['--redirect-url', url]),
    ],
    { env: { BAR_SECRET: secret } },
  )
  expect(more).toEqual([])
  expect(made).toEqual({
    event: 'integration',
    id: 2,
    name: 'My bar',
    kind: 'service',
    brand: 'Acme',
    baseUrl: 'https://service.example/eu/',
    accessId: 'id-1',
    accessSecret: { set: true, ending: '7f3a', unavailable: false },
    redirectUrls: redirects,
    redirectUrl: redirects[0],
    refresh: {
      template: defaultRefreshTemplate,
      provenAt: null,
      automatic: true,
      dueBeforeSeconds: 3600,
    },
  })
})

describe('while Tabscope runs', () => {
  engineOnFolder(() => folder.path)

  test('the secret is in no output, and nowhere in the folder in clear text', async () => {
    const outputs = [
      await integration(['set', '--name', 'My bar', '--access-secret', secret]),
      await integration(['show', 'My bar', '--json']),
      await integration(['list', '--json']),
      await integration(['check', 'My bar', '--json']),
    ]
    for (const { code, stdout, stderr } of outputs) {
      expect(code).toBe(0)
      expect(`${stdout.toString()}${stderr}`).not.toContain(secret)
    }
    for (const file of ['tabscope.db', 'tabscope.log']) {
      const bytes = await readFile(path.join(folder.path, file)).catch(() => Buffer.alloc(0))
      expect(bytes.includes(secret), file).toBe(false)
    }
  })
})

test('an integration with the name of the sandbox, in any case, can become one of a service', async () => {
  const [taken] = await json([
    'set',
    '--name',
    'SANDBOX SERVICE',
    '--base-url',
    'https://service.example',
  ])
  expect(taken).toMatchObject({ id: 1, name: 'Sandbox service', kind: 'service' })
  const [shown] = await json(['show', 'sandbox service'])
  expect(shown).toEqual(taken)
})
