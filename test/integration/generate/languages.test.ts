import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generate } from '#engine/handlers/generate/generate.ts'
import { full } from '#test/support/full.ts'
import {
  corpus,
  documentedModel,
  observedModel,
  observedPayloads,
} from '#test/support/generated-events.ts'
import { pythonWith, runs } from './runtimes.ts'
import * as programs from './programs.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const models = { documented: documentedModel(), observed: observedModel() }
const bodies = {
  documented: corpus.map(({ body }) => body),
  observed: observedPayloads.map((payload) => JSON.stringify(payload)),
}
const names = ['documented', 'observed'] as const

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tabscope-generate-'))
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
  write('bodies.json', JSON.stringify(bodies))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  writeFileSync(path.join(folder, file), text)
}

/** Writes the types of both models. */
async function writeTypes(
  language: string,
  fileOf: (model: (typeof names)[number]) => string,
  edit: (text: string, model: string) => string = (text) => text,
): Promise<string[]> {
  for (const name of names) {
    const model = models[name]
    const [file] = await generate({ output: 'types', target: language, model, fixtures: [] })
    write(fileOf(name), edit(file?.text ?? '', name))
  }
  return names.map(fileOf)
}

function run(command: string, ...args: string[]): string {
  const env = { ...process.env, GO111MODULE: 'on', GOFLAGS: '-mod=mod', PYTHONWARNINGS: 'error' }
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env,
    maxBuffer: 2 ** 26,
  })
  expect(status, `${stdout.slice(-4000)}${stderr.slice(-4000)}`).toBe(0)
  return stdout
}

/** One line for each body of both models. */
function check(output: string): void {
  const lines = output.split('\n')
  const line = (): string => lines.shift() ?? ''
  for (const { body, is } of corpus) {
    const found = line()
    if (is === 'none') expect(found, body).toBe('none')
    else if (is === 'known') {
      const { type, data } = JSON.parse(body)
      expect(found, body).toContain(`known ${type}`)
      if (data?.openedFrom) expect(found).toContain(` ${data.openedFrom} ${data.name}`)
    } else expectUnknown(found, body)
  }
  for (const body of bodies.observed) {
    const found = line()
    expect(found, body).toContain(`known ${JSON.parse(body).type}`)
    expect(found).not.toContain('unknown')
  }
  expect(lines).toEqual([''])
}

function expectUnknown(found: string, body: string): void {
  const payload: unknown = JSON.parse(body)
  const { type } = Object(payload)
  const start = `unknown ${type} `
  expect(found.startsWith(start), `${body}\n${found}`).toBe(true)
  expect(JSON.parse(found.slice(start.length))).toEqual(payload)
}

const test = (name: string, missing: string | false, body: () => Promise<void>): void =>
  missing === false ? it.runIf(full)(name, body) : it.skip(`${name} (skipped: ${missing})`, body)

const python = pythonWith('pydantic.type_adapter')
test(
  'Python, with pydantic and dataclasses',
  python === null && 'no Python with pydantic 2 is here',
  async () => {
    const files = [
      ...(await writeTypes('python', (model) => `${model}-pydantic.py`)),
      ...(await writeTypes('python-dataclasses', (model) => `${model}-dataclasses.py`)),
    ]
    write('run.py', programs.python)
    const [documented = '', observed = '', otherDocumented = '', otherObserved = ''] = files
    const lines = run(
      python ?? '',
      'run.py',
      documented,
      observed,
      otherDocumented,
      otherObserved,
    ).split('\n')
    const half = (lines.length - 1) / 2
    check(`${lines.slice(0, half).join('\n')}\n`)
    check(lines.slice(half).join('\n'))
  },
)

test('Go', !runs('go', 'version') && 'no Go is here', async () => {
  await writeTypes('go', (model) => `${model}/events.go`)
  write('go.mod', 'module corpus\n\ngo 1.19\n')
  write('main.go', programs.go)
  expect(run('gofmt', '-l', ...names)).toBe('')
  check(run('go', 'run', '.'))
})

test('PHP', !runs('php', '-v') && 'no PHP is here', async () => {
  await writeTypes(
    'php',
    (model) => `${model}.php`,
    (text, model) => text.replace('namespace Webhooks', `namespace ${model}`),
  )
  write('run.php', programs.php)
  check(run('php', '-d', 'error_reporting=-1', '-d', 'display_errors=1', 'run.php'))
})

const jars = ['databind', 'core', 'annotations'].map(
  (part) => `/usr/share/java/jackson-${part}.jar`,
)
const hasJava = runs('javac', '-version') && jars.every((jar) => existsSync(jar))
test('Java', !hasJava && 'no JDK with Jackson is here', async () => {
  const files = await writeTypes(
    'java',
    (model) => `${model}/WebhookEvent.java`,
    (text, model) => text.replace('package webhooks', `package ${model}`),
  )
  write('Run.java', programs.java)
  const classes = [...jars, 'classes'].join(':')
  // They end before the better compiler and collector would gain anything.
  run(
    'javac',
    '-J-XX:TieredStopAtLevel=1',
    '-Xlint:all',
    '-Werror',
    '-cp',
    jars.join(':'),
    '-d',
    'classes',
    'Run.java',
    ...files,
  )
  check(run('java', '-XX:TieredStopAtLevel=1', '-cp', classes, 'Run'))
})

it('TypeScript, with and without zod and Valibot', async () => {
  const languages = ['typescript', 'typescript-zod', 'typescript-valibot']
  const files = []
  for (const language of languages) {
    files.push(...(await writeTypes(language, (model) => `${model}-${language}.ts`)))
    write(`${language}.use.ts`, programs.narrowing(`documented-${language}`))
  }
  write('package.json', '{"type":"module"}')
  const options =
    '--strict --target es2022 --module nodenext --types node --outDir js --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noUnusedLocals ' +
    '--noPropertyAccessFromIndexSignature --rewriteRelativeImportExtensions --skipLibCheck'
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  const uses = languages.map((language) => `${language}.use.ts`)
  run(process.execPath, compiler, ...options.split(' '), ...files, ...uses)
  for (const file of files) {
    const js = pathToFileURL(path.join(folder, 'js', file.replace('.ts', '.js'))).href
    const { parseEvent, isWebhookEvent } = await import(/* @vite-ignore */ js)
    for (const body of bodies.observed) {
      if (file.startsWith('observed'))
        expect(isWebhookEvent(parseEvent(body)), `${file} ${body}`).toBe(true)
    }
    if (file.startsWith('observed')) continue
    const checksFields = file !== 'documented-typescript.ts'
    for (const { body, is } of corpus) {
      const event = parseEvent(body)
      expect(event, body).toEqual(is === 'none' ? null : JSON.parse(body))
      if (event === null || (is === 'unfit' && !checksFields)) continue
      // To Valibot a list is an object.
      if (file.includes('valibot') && Array.isArray(event.data)) continue
      expect(isWebhookEvent(event), `${file} ${body}`).toBe(is === 'known')
    }
  }
})
