// `npm test`: builds, checks types and style, runs every test project, and ends with one line that counts all of it.
// `npm run test:full`: the same, with the tests that are slow by nature (see full.ts).
// `npm run check`: checks types and format, lints what changed since `main` with all rules, and runs its unit tests.
// Plain JavaScript, because it must start on any Node version to switch to the right one.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNatsServer, findProgram } from './nats/find.mjs'
import { countReport, slowestFiles } from './count-report.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const modules = path.join(root, 'node_modules')

const OWN_NODE = path.join(modules, 'node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
/** Runs the tests on the Node version in the lock file, independent of the shell. */
const node = existsSync(OWN_NODE) ? OWN_NODE : process.execPath

const [mode] = process.argv.slice(2)
const env = {
  ...process.env,
  ...(mode === 'full' ? { TABSCOPE_TEST_FULL: '1' } : {}),
  PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
}

const build = ['Build', 'src/build/build.mjs']
const types = ['Types', 'node_modules/typescript/bin/tsc', '-b']
/** Its rules that need types cost a processor most of a minute: `npm run lint` has them for all files. */
const lint = [
  'Lint',
  'node_modules/oxlint/bin/oxlint',
  ...(mode === 'changed' ? ['--type-aware'] : []),
]
const format = ['Format', 'node_modules/oxfmt/bin/oxfmt', '--check', '.']
const unused = ['Unused', 'node_modules/knip/bin/knip.js']

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config=test/vitest.config.ts']

const total = { passed: 0, failed: 0, skipped: 0 }
const failures = []

await (mode === 'changed' ? checkChange() : checkAll())

if (failures.length > 0) {
  heading('Failures')
  for (const failure of failures) console.log(failure)
}
if (findNatsServer() === null) console.log('\nTests of the relay skipped: nats-server not found')
const absent = ['firefox', 'WebKitWebDriver', 'Xvfb'].filter((name) => !findProgram(name))
if (mode === 'full' && absent.length > 0)
  console.log(`\nTests in other browsers skipped: ${absent.join(', ')} not found`)
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`)
process.exitCode = total.failed > 0 ? 1 : 0

async function checkAll() {
  // The compiler uses only one of two processors, so other checks run in parallel. The linter needs the compiler's output.
  const [typesDone, othersDone] = await Promise.all([
    quietly(types),
    inOrder(build, format, unused),
  ])
  for (const done of [typesDone, ...othersDone]) report(done)
  // Many tests wait for others, which leaves the linter enough time.
  const linting = quietly(lint)
  // Run all projects together, so that no processor is idle at the end of each project.
  runTests(vitest)
  report(await linting)
}

async function checkChange() {
  const base = changeBase()
  const files = changedFiles(base)
  const lintChanged = files.length > 0 ? [[...lint, ...files]] : []
  const [typed, others] = await Promise.all([
    inOrder(types, ...lintChanged),
    inOrder(format, unused),
  ])
  for (const done of [...typed, ...others]) report(done)
  runTests([...vitest, '--project=unit*', `--changed=${base}`])
}

/** Returns the merge base with `main`. Without `main`, and on `main`, only uncommitted changes count. */
function changeBase() {
  const { stdout } = spawnSync('git', ['merge-base', 'HEAD', 'main'], {
    cwd: root,
    encoding: 'utf8',
  })
  return stdout?.trim() || 'HEAD'
}

function changedFiles(base) {
  const listed = [
    ['diff', '--name-only', '--diff-filter=d', '-z', base],
    ['ls-files', '--others', '--exclude-standard', '-z'],
  ].flatMap((args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.split('\0'))
  return listed.filter((file) => /\.(?:[cm]?js|tsx?)$/.test(file))
}

function runTests(command) {
  heading('Tests')
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-reports-'))
  const json = path.join(folder, 'tests.json')
  const status = run([
    ...command,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${json}`,
  ])
  const results = existsSync(json) ? readFileSync(json, 'utf8') : undefined
  rmSync(folder, { recursive: true, force: true })
  const counted = countReport(status, results)
  if (results !== undefined) {
    heading('Slowest files')
    for (const { name, seconds } of slowestFiles(results))
      console.log(`${seconds.toFixed(1).padStart(6)} s  ${path.relative(root, name)}`)
  }
  total.passed += counted.passed
  total.failed += counted.failed
  total.skipped += counted.skipped
  failures.push(...counted.failures)
}

function heading(name) {
  console.log(`\n== ${name} ==`)
}

async function inOrder(...checks) {
  const done = []
  for (const check of checks) done.push(await quietly(check))
  return done
}

/** Runs a check in parallel, and buffers its output. */
async function quietly([name, script, ...args]) {
  const child = spawn(node, [path.join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  })
  const output = []
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stderr.on('data', (chunk) => output.push(chunk))
  const code = await new Promise((resolve) => {
    child.on('error', (error) => output.push(Buffer.from(String(error))))
    child.on('close', resolve)
  })
  return { name, command: [script, ...args].join(' '), code, output: Buffer.concat(output) }
}

function report({ name, command, code, output }) {
  heading(name)
  process.stdout.write(output)
  if (code === 0) {
    total.passed += 1
  } else {
    total.failed += 1
    failures.push(`${name}: \`node ${command}\` found faults`)
  }
}

/** Runs a tool with inherited output and without input. Returns its exit code. */
function run([script, ...args]) {
  const { status, error } = spawnSync(node, [path.join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  })
  if (error !== undefined) console.log(String(error))
  return status ?? 1
}
