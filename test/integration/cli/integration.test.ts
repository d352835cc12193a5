import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { engineOnFolder } from '#test/support/engine-on-folder.ts'
import { defaultRefreshTemplate } from '#contract/default-refresh.ts'
import { jsonLines, runCli, type CliOptions, type CliResult } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const secret = 'canary-access-secret-7f3a'
const folder = ownedFolder()
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

test('set again changes only the given values', async () => {
  const [before] = await json(['show', 'My bar'])
  const [after] = await json(['set', '--name', 'My bar', '--access-id', 'id-2'])
  expect(after).toEqual({ ...before, accessId: 'id-2' })
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `http://127.0.0.1:1/${name}`)
  const both = [`--redirect-url=${a}`, `--redirect-url=${b}`, `--use-redirect-url=${b}`]
  const [used] = await json(['set', '--name=My bar', ...both])
  expect(used).toMatchObject({ redirectUrls: [a, b], redirectUrl: b })
  const [first] = await json(['set', '--name=My bar', `--redirect-url=${c}`])
  expect(first).toMatchObject({ redirectUrls: [c], redirectUrl: c })
})

describe('while Tabscope runs', () => {
  engineOnFolder(() => folder.path)

  test('set changes the refresh rule', async () => {
    const file = path.join(folder.path, 'template.json')
    const template = { method: 'PUT', path: '/renew', headers: [['A', 'b']], body: '{"x":1}' }
    await writeFile(file, JSON.stringify(template))
    const rule = ['--refresh-template', file, '--auto-refresh', 'off', '--due-before', '60s']
    const [after] = await json(['set', '--name', 'My bar', ...rule])
    expect(after).toMatchObject({
      refresh: { template, provenAt: null, automatic: false, dueBeforeSeconds: 60 },
    })
    const [made] = await json(['set', '--name', 'Another', ...rule])
    expect(made).toMatchObject({ refresh: { template, automatic: false } })
    await json(['remove', 'Another', '--yes'])
    for (const [text, words] of [
      ['no json', 'is not JSON'],
      ['{"method":"POST"}', 'invalid path, headers, body.'],
    ] as const) {
      await writeFile(file, text)
      const result = await integration(['set', '--name', 'My bar', '--refresh-template', file])
      expect({ code: result.code, stdout: result.stdout.toString() }).toEqual({
        code: 2,
        stdout: '',
      })
      expect(result.stderr).toContain(words)
    }
  })

  test('names with spaces and quotes work, and control characters are escaped', async () => {
    const name = 'a "b"\u001B[2J\u202E\tc'
    const [made] = await json(['set', '--name', name, '--base-url', 'https://x.example/\u009B'])
    expect(made).toMatchObject({ name })
    for (const args of [['list'], ['show', name], ['check', name], ['remove', name, '--yes']]) {
      const { stdout, stderr } = await integration(args)
      // oxlint-disable-next-line eslint/no-control-regex -- what must not be there
      expect(`${stdout.toString()}${stderr}`).not.toMatch(/[\u001B\u009B\u202E\t]/)
    }
    const gone = await integration(['show', name])
    expect(gone.code).toBe(3)
    expect(gone.stderr).toContain(
      String.raw`Integration "a "b"\u001b[2J\u202e\tc" does not exist. Available: Sandbox service, My bar.`,
    )
  })
})

test('an integration with the name of the sandbox, in any case, can become one of a service', async () => {
  const set = ['set', '--name=SANDBOX SERVICE', '--base-url=https://service.example']
  const [taken] = await json(set)
  expect(taken).toMatchObject({ id: 1, name: 'Sandbox service', kind: 'service' })
  const [shown] = await json(['show', 'sandbox service'])
  expect(shown).toEqual(taken)
})
