import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { rawBodyChecks } from '#catalogue/raw-body-checks.ts'
import { rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import { generate } from '#engine/generate/generate.ts'
import { buildModel } from '#engine/generate/model.ts'
import { freePort } from '#test/support/free-port.ts'
import { full } from '#test/support/full.ts'
import { effectsOf } from '#test/support/rehearsal/published.ts'
import { identity, rehearse } from '#test/support/rehearsal/rehearse.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { type Handler, modules, run, startCommand } from '../raw-body-checks/handler.ts'
import { type Command, type Runtime, runtimeOf } from '../raw-body-checks/runtimes.ts'

const checks = rawBodyChecks.filter(({ id }) => full || ['express', 'flask'].includes(id))

describe.concurrent('a generated handler passes every case', () => {
  for (const check of checks) {
    const runtime = runtimeOf(check)
    const test = runtime.missing === null ? it : it.skip
    const why = runtime.missing === null ? '' : ` (skipped: ${runtime.missing})`
    test(`${check.label}${why}`, async () => {
      await using folder = ownedFolder()
      await writeProject(check.id, folder.path)
      await expectGradeA(folder.path, runtime)
    })
  }
})

/** Writes the handler for a framework to a folder. Its packages are those of this repository. */
async function writeProject(framework: string, folder: string): Promise<void> {
  const { brand } = identity
  const model = buildModel({ version: '1.0.0', brand, types: [], observation: null })
  const request = { output: 'handler', target: framework, model, fixtures: [] } as const
  for (const file of await generate(request)) {
    const to = path.join(folder, ...file.path.split('/'))
    mkdirSync(path.dirname(to), { recursive: true })
    writeFileSync(to, file.text)
  }
  symlinkSync(modules, path.join(folder, 'node_modules'), 'junction')
}

/** The commands in the README of a project without those that install packages. */
function commandsOf(folder: string): string[][] {
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8')
  const [, block = ''] = read('README.md').split('```')
  return block
    .split('\n')
    .slice(1, -1)
    .filter((line) => !/install|venv \.venv/.test(line))
    .map((line) => line.replace('WEBHOOK_SECRET=… ', '').replace(' 2>&1 | tee handler.log', ''))
    .map((line) => (line === 'npm start' ? JSON.parse(read('package.json')).scripts.start : line))
    .map((line: string) => line.split(' '))
}

/** Builds and starts a project. */
async function startProject(
  folder: string,
  runtime: Runtime,
  environment: Readonly<Record<string, string>>,
): Promise<Handler> {
  const port = await freePort()
  const [interpreter] = runtime.start('', port)
  const commands = commandsOf(folder).map(([program = '', ...args]): Command => [
    path.basename(interpreter).startsWith(path.basename(program)) ? interpreter : program,
    ...args.map((each) => each.replace('3000', `${port}`)),
  ])
  const own = runtime.startProject?.(folder, port)
  const start = own ?? commands.pop()
  if (!start) throw new Error('README.md has no command.')
  if (!own) for (const command of commands) run(command, folder)
  return startCommand(start, { folder, port, environment: { ...environment, PORT: `${port}` } })
}

/** The code has no type errors; it passes every case, also signed with the previous secret, and starts with a secret only. */
async function expectGradeA(folder: string, runtime: Runtime): Promise<void> {
  const { secret } = identity
  if (existsSync(path.join(folder, 'tsconfig.json'))) {
    run([process.execPath, path.join(modules, 'typescript/bin/tsc')], folder)
  }
  {
    await using handler = await startProject(folder, runtime, { WEBHOOK_SECRET: secret })
    const effects = async () => effectsOf(handler)
    const { noticed, problem, grade, results } = await rehearse(handler.url, effects)
    const output = handler.output()
    expect(problem, output.slice(-2000)).toBe(null)
    const unexpected = noticed.filter((each) => !runtime.fails?.includes(each))
    expect(unexpected, output.slice(-2000)).toEqual([])
    expect(results.map(({ id }) => id)).toEqual(rehearsalCases.map(({ id }) => id))
    if (!runtime.fails) expect(grade).toEqual({ grade: 'A', cappedBy: null })
    expect(output).not.toContain(secret)
  }
  {
    const environment = { WEBHOOK_SECRET: 'the next secret', WEBHOOK_PREVIOUS_SECRET: secret }
    await using handler = await startProject(folder, runtime, environment)
    const effects = async () => effectsOf(handler)
    const { noticed, results } = await rehearse(handler.url, effects, { only: ['G1', 'S3', 'S4'] })
    expect(noticed, handler.output().slice(-2000)).toEqual([])
    expect(results.filter(({ result }) => result === 'pass').map(({ id }) => id)).toEqual([
      'G1',
      'S3',
      'S4',
    ])
  }
  await using handler = await startProject(folder, runtime, {})
  if (handler.alive())
    expect((await fetch(handler.url, { method: 'POST', body: '{}' })).status).toBe(500)
  expect(handler.output()).toContain('Set WEBHOOK_SECRET.')
}
