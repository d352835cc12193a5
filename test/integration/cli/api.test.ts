import { expect, test } from 'vitest'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

test('api lists the calls with their fields, and prints the schema of an input', async () => {
  const lines = jsonLines((await runCli(['api', '--json'])).stdout)
  expect(lines).toContainEqual({
    event: 'call',
    call: 'jobs.resume',
    fields: [
      { name: 'id', isRequired: true },
      { name: 'uncertain', isRequired: false },
    ],
  })
  const schema = await runCli(['api', 'jobs.resume', '--schema'])
  expect(JSON.parse(schema.stdout.toString())).toMatchObject({
    properties: { uncertain: { enum: ['skip', 'send'] } },
    required: ['id'],
  })
})

test('api passes fields on with the types of the call, and prints its result', async () => {
  await using folder = ownedFolder()
  await using _ = await openTabscope(folder.path, { secret: 'canary' })
  const api = (...args: string[]) => runCli(['api', ...args, '--data', folder.path])
  const settings = await api('settings.update', 'keepDays=30', 'notifyTunnel=false', 'proxy=none')
  expect(settings).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(settings.stdout.toString())).toMatchObject({
    keepDays: 30,
    notifyTunnel: false,
    proxy: 'none',
  })
  const fields = ['id=1', 'name=12', 'customHeaders:=[["X-Key","pier-9"]]']
  const { stdout } = await api('endpoints.update', ...fields, '--json')
  const [line] = jsonLines(stdout)
  expect(line).toMatchObject({ event: 'called', call: 'endpoints.update', output: { name: '12' } })
  expect(line).toMatchObject({ output: { customHeaders: [['X-Key', '«masked»']] } })
  const revealed = await api('app.snapshot', '--reveal')
  expect(revealed.stdout.toString()).toContain('pier-9')

  const secret = ['endpoints.revealSecret', 'id=1', 'which=current']
  expect(await api(...secret)).toMatchObject({
    code: 4,
    stderr: 'The result of endpoints.revealSecret is a secret. To print it, use --reveal.\n',
  })
  const { stdout: value } = await api(...secret, '--reveal')
  expect(JSON.parse(value.toString())).toEqual({ secret: 'canary' })
})

const refused = [
  [['hold.stat'], 2, 'Unknown call "hold.stat". Did you mean hold.state?'],
  [['toString'], 2, 'Unknown call "toString".'],
  [['hold.stop', 'rule=1'], 2, 'hold.stop has no field "rule". Its fields: id.'],
  [['hold.stop', 'id'], 2, 'A field is name=value, not "id".'],
  [['hold.stop', 'id=one'], 2, 'id requires a number, true, false or JSON, not "one".'],
  [['hold.stop', 'id=0.5'], 2, 'id'],
  [['jobs.get', 'id=7'], 3, 'does not exist'],
] as const

test('a call that is refused says why, and has an exit code', async () => {
  await using folder = ownedFolder()
  await using _ = await openTabscope(folder.path)
  for (const [args, exitCode, words] of refused) {
    const { code, stderr } = await runCli(['api', ...args, '--data', folder.path])
    expect({ args, stderr, code }).toEqual({
      args,
      stderr: expect.stringContaining(words),
      code: exitCode,
    })
  }
})
