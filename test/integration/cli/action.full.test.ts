import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { tempFolder } from '#test/support/temp-folder.ts'

const folder = path.resolve(import.meta.dirname, '../../../.github/actions/tabscope')
const Action = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(
    z.string(),
    z.strictObject({
      description: z.string(),
      required: z.boolean().optional(),
      default: z.string().optional(),
    }),
  ),
  runs: z.strictObject({
    using: z.literal('composite'),
    steps: z.array(
      z.strictObject({
        name: z.string(),
        id: z.string().optional(),
        if: z.string().optional(),
        shell: z.literal('bash').optional(),
        env: z.record(z.string(), z.string()).optional(),
        'working-directory': z.string().optional(),
        run: z.string().optional(),
        uses: z.string().optional(),
        with: z.record(z.string(), z.string()).optional(),
      }),
    ),
  }),
})
const text = readFileSync(path.join(folder, 'action.yml'), 'utf8')
const { inputs, runs } = Action.parse(parse(text))

test('the inputs are documented, and a step uses an action by its commit', () => {
  const readme = readFileSync(path.join(folder, 'README.md'), 'utf8')
  for (const name of Object.keys(inputs)) {
    expect(readme).toContain(`| \`${name}\` `)
    expect(text).toContain(`\${{ inputs.${name} }}`)
  }
  for (const { uses = '', run, shell } of runs.steps) {
    if (run === undefined) expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/)
    // An expression in a script would be code.
    else expect(run).not.toContain('${{')
    expect(shell).toBe(run === undefined ? undefined : 'bash')
  }
})

/** Runs the scripts as a runner does: with outputs of steps, and with expressions in `env` only. */
function runAction(given: Record<string, string>) {
  const temp = tempFolder()
  const workspace = path.join(temp, 'work space')
  mkdirSync(workspace)
  const values = new Map<string, string>(
    Object.entries(inputs).map(([name, { default: value = '' }]) => [
      `inputs.${name}`,
      given[name] ?? value,
    ]),
  )
  const resolve = (expression: string): string =>
    expression.replaceAll(/\$\{\{ ([a-z.-]+) \}\}/g, (_, name: string) => {
      const value = values.get(name)
      if (value === undefined) throw new Error(`unknown: ${name}`)
      return value
    })
  let output = ''
  for (const { id = '', run, env = {}, 'working-directory': cwd = '.' } of runs.steps) {
    if (run === undefined) continue
    const outputs = path.join(temp, `outputs-${id}`)
    const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', run], {
      cwd: path.join(workspace, resolve(cwd)),
      encoding: 'utf8',
      env: {
        ...process.env,
        ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, resolve(value)])),
        GITHUB_ACTION_PATH: folder,
        GITHUB_OUTPUT: outputs,
        GITHUB_WORKSPACE: workspace,
        RUNNER_TEMP: temp,
      },
    })
    output += stdout + stderr
    for (const line of readFileSync(outputs, 'utf8').trim().split('\n')) {
      const [name = '', value = ''] = line.split(/=(.*)/s)
      values.set(`steps.${id}.outputs.${name}`, value)
    }
    if (status !== 0) return { failed: id, output, log: values.get(`steps.${id}.outputs.log`) }
  }
  return { failed: null, output }
}

const post = `node -e 'fetch(process.env.TABSCOPE_URL, { method: "POST", body: "{}" })'`

// On Windows, another bash may be found than that of the runner.
const onUnix = test.skipIf(process.platform === 'win32')

onUnix('its scripts run the command of the inputs, and check what was received', () => {
  const given = {
    command: `${post}\n${post}`,
    expect: 'type:none verdict:missing\nverdict:valid\n',
    count: '2\n0\n',
    timeout: '60s',
  }
  expect(runAction(given)).toMatchObject({ failed: null })
  const { failed, output, log } = runAction({
    ...given,
    count: '\n\n',
    timeout: '0s',
    artifact: 'a',
  })
  expect(failed).toBe('run')
  expect(output).toContain('Expected at least 1 delivery, received 0: verdict:valid\n')
  expect(log).toMatch(/[\\/]a\.tabscope$/)
  expect(existsSync(log ?? '')).toBe(true)
})

onUnix('the exit code of the command fails the step, in the given folder', () => {
  const { failed, output } = runAction({
    command: 'pwd\nfalse | true\necho not reached',
    'working-directory': '..',
  })
  expect(failed).toBe('run')
  expect(output).toMatch(/tabscope-test-\w+\n/)
  expect(output).not.toContain('not reached')
})
