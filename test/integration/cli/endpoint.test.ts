import { createHmac } from 'node:crypto'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { engineOnFolder } from '#test/support/engine-on-folder.ts'
import { jsonLines, runCli, type CliOptions } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const first = 'canary-webhook-secret-1a2b'
const second = 'canary-webhook-secret-3c4d'
const folder = ownedFolder()
afterAll(() => folder[Symbol.asyncDispose]())
/** All output without --reveal. */
let printed = ''

async function run(args: readonly string[], options: CliOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await runCli([...args, '--data', folder.path], options)
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  if (!args.includes('--reveal')) printed += stdout.toString()
  return stdout.toString()
}

async function json(args: readonly string[], options: CliOptions = {}) {
  return jsonLines(Buffer.from(await run([...args, '--json'], options)))
}

describe('while Tabscope runs', () => {
  const held = engineOnFolder(() => folder.path)

  async function verdictOf(secret: string): Promise<unknown> {
    const body = '{"type":"OPEN_TAB"}'
    const { status } = await fetch(`http://127.0.0.1:${held().port}/hooks/bar`, {
      method: 'POST',
      headers: { 'X-Acme-Signature': createHmac('sha256', secret).update(body).digest('hex') },
      body,
    })
    expect(status).toBe(200)
    const { verdict } = await held().one()
    await held().forget()
    return verdict
  }

  test('add creates an endpoint that receives webhooks, with its secret masked', async () => {
    await run(['integration', 'set', '--name', 'My bar', '--brand', 'Acme'])
    const named = ['--integration=my bar', '--name=The bar', '--application-id=app-1']
    const headers = ['--header=X-Location: pier 9', '--header=X-Empty:']
    const [added, ...more] = await json(
      ['endpoint', 'add', 'bar', ...named, ...headers, '--secret-env=BAR_SECRET'],
      { env: { BAR_SECRET: first } },
    )
    expect(more).toEqual([])
    expect(added).toMatchObject({
      event: 'endpoint',
      id: 2,
      integrationId: 2,
      name: 'The bar',
      slug: 'bar',
      url: `http://127.0.0.1:${held().port}/hooks/bar`,
      secret: { set: true, ending: '1a2b' },
      previousSecret: { set: false, ending: null },
      applicationId: 'app-1',
      customHeaders: [
        ['X-Location', '«masked»'],
        ['X-Empty', ''],
      ],
    })
    expect(await json(['endpoint', 'show', 'bar'])).toEqual([added])
    expect(await json(['endpoint', 'list'])).toMatchObject([{ slug: 'sandbox' }, added])
    const text = await run(['endpoint', 'show', 'bar'])
    expect(text).toMatch(/^Secret +set, ends in 1a2b$/m)
    expect(text).toMatch(/^Header +X-Location: «masked»$/m)
    expect(await run(['endpoint', 'show', 'bar', '--reveal'])).toMatch(
      /^Header +X-Location: pier 9$/m,
    )
    expect((await json(['endpoint', 'show', 'bar', '--reveal']))[0]).toMatchObject({
      ...added,
      customHeaders: [
        ['X-Location', 'pier 9'],
        ['X-Empty', ''],
      ],
    })
  })

  test('set-secret accepts the previous one by default', async () => {
    expect(await verdictOf(first)).toBe('valid')
    const [both] = await json(['endpoint', 'set-secret', 'bar', '--secret', second])
    expect(both).toMatchObject({ secret: { ending: '3c4d' }, previousSecret: { ending: '1a2b' } })
    expect([await verdictOf(second), await verdictOf(first)]).toEqual(['valid', 'valid'])
    const correct = ['endpoint', 'set-secret', 'bar', '--correct', '--secret']
    const [corrected] = await json([...correct, 'corrected-secret-9z9z'])
    expect(corrected).toMatchObject({
      secret: { ending: '9z9z' },
      previousSecret: { ending: '1a2b' },
    })
    await json([...correct, second])
    const alone = `endpoint set-secret bar --secret ${second} --no-keep-previous`
    const [output] = await json(alone.split(' '))
    expect(output).toMatchObject({ secret: { ending: '3c4d' }, previousSecret: { set: false } })
    expect([await verdictOf(second), await verdictOf(first)]).toEqual(['valid', 'invalid'])
  })

  test('set-secret --generate prints the new secret only with --reveal', async () => {
    const [masked] = await json(['endpoint', 'set-secret', 'bar', '--generate'])
    expect(masked).not.toHaveProperty('newSecret')
    const generated = await run(['endpoint', 'set-secret', 'bar', '--generate', '--reveal'])
    expect(generated).toMatch(/^[0-9a-f]{64}\n$/)
    expect(await verdictOf(generated.trim())).toBe('valid')
    const [line] = await json(['endpoint', 'set-secret', 'bar', '--generate', '--reveal'])
    expect(line?.['newSecret']).toMatch(/^[0-9a-f]{64}$/)
    expect(printed).not.toContain(generated.trim())
    expect(printed).not.toContain(String(line?.['newSecret']))
  })

  test('no secret was printed', () => {
    expect(printed).toContain('3c4d')
    for (const secret of [first, second]) expect(printed).not.toContain(secret)
  })

  test('settings are shown and changed by name', async () => {
    const caFile = path.resolve('test/support/fixtures/tls/private-ca-cert.pem')
    const all = await json(['settings', 'get'])
    expect(all.map(({ name }) => name)).toEqual([
      'theme',
      'port',
      'body-limit',
      'keep-deliveries',
      'keep-days',
      'keep-bytes',
      'proxy',
      'ca-file',
      'background',
      'prevent-sleep',
      'hardware-acceleration',
      'notify-verdicts',
      'notify-tunnel',
      'notify-alerts',
      'assistant-access',
      'updates',
    ])
    for (const [name, text, value, shown] of [
      ['theme', 'dark', 'dark', 'dark'],
      ['body-limit', '1.5MiB', 1_572_864, '1.5 MiB'],
      ['keep-deliveries', '500', 500, '500'],
      ['notify-tunnel', 'off', false, 'off'],
      ['updates', 'download', 'download', 'download'],
      ['proxy', 'http://proxy.test:3128', 'http://proxy.test:3128', 'http://proxy.test:3128'],
      ['ca-file', path.relative('.', caFile), caFile, caFile],
      ['ca-file', 'none', '', 'none'],
    ] as const) {
      expect(await json(['settings', 'set', name, text])).toMatchObject([
        { event: 'setting', name, value },
      ])
      expect(await run(['settings', 'get', name])).toBe(`${shown}\n`)
    }
    const { settings } = await held().engine.call('app.snapshot', {})
    expect(settings).toMatchObject({ theme: 'dark', bodyLimit: 1_572_864, notifyTunnel: false })
  })
})
