// `npm test`: builds, checks types and style, runs every test project, and ends with one line that counts all of it.
// Plain JavaScript: it must start on any Node, so as to move to the right one.
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { countReport } from './count-report.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const modules = path.join(root, 'node_modules')

const OWN_NODE = path.join(modules, 'node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
/** The tests run on the Node that the lock file names, whatever the shell has. */
const node = existsSync(OWN_NODE) ? OWN_NODE : process.execPath

const surroundings = {
  cwd: root,
  env: { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}` },
}

const checks = [
  ['Build', 'src/hosts/node/build.mjs'],
  ['Types', 'node_modules/typescript/bin/tsc', '-b'],
  ['Lint', 'node_modules/oxlint/bin/oxlint', '--type-aware'],
  ['Format', 'node_modules/oxfmt/bin/oxfmt', '--check', '.'],
  ['Unused', 'node_modules/knip/bin/knip.js'],
]
const projects = ['unit', 'conformance', 'store', 'integration', 'e2e']
/** Its windows want to be alone, and mostly wait: it runs beside a project whose tests mostly wait as well. */
const beside = { project: 'desktop', of: 'integration' }

const total = { passed: 0, failed: 0, skipped: 0 }
const failures = []

for (const [name, ...command] of checks) {
  heading(name)
  if (run(command) === 0) {
    total.passed += 1
  } else {
    total.failed += 1
    failures.push(`${name}: \`node ${command.join(' ')}\` found faults`)
  }
}

const reports = mkdtempSync(path.join(tmpdir(), 'tabscope-reports-'))
for (const project of projects) {
  const other = project === beside.of ? begin(testsOf(beside.project)) : null
  heading(`Tests: ${project}`)
  count(project, run(testsOf(project)))
  if (!other) continue
  const { status, output } = await other
  heading(`Tests: ${beside.project}`)
  process.stdout.write(output)
  count(beside.project, status)
}
rmSync(reports, { recursive: true, force: true })

if (failures.length > 0) {
  heading('Failures')
  for (const failure of failures) console.log(failure)
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`)
process.exitCode = total.failed > 0 ? 1 : 0

/** The command of a project's tests, with its report. */
function testsOf(project) {
  return [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config=test/vitest.config.ts',
    `--project=${project}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportOf(project)}`,
  ]
}

function reportOf(project) {
  return path.join(reports, `${project}.json`)
}

function count(project, status) {
  const report = reportOf(project)
  const counted = countReport(status, existsSync(report) ? readFileSync(report, 'utf8') : undefined)
  total.passed += counted.passed
  total.failed += counted.failed
  total.skipped += counted.skipped
  failures.push(...counted.failures.map((failure) => `${project}: ${failure}`))
}

function heading(name) {
  console.log(`\n== ${name} ==`)
}

/** Exit code of a tool; its output goes where ours goes, and it has no input. */
function run([script, ...args]) {
  const { status, error } = spawnSync(node, [path.join(root, script), ...args], {
    ...surroundings,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (error !== undefined) console.log(String(error))
  return status ?? 1
}

/** The same while others go on: resolves to its exit code and what it printed. */
function begin([script, ...args]) {
  const printed = path.join(reports, 'printed.txt')
  const file = openSync(printed, 'w')
  const child = spawn(node, [path.join(root, script), ...args], {
    ...surroundings,
    stdio: ['ignore', file, file],
  })
  closeSync(file)
  return new Promise((resolve) => {
    const end = (status) => resolve({ status, output: readFileSync(printed, 'utf8') })
    child.once('error', (error) => {
      console.log(String(error))
      end(1)
    })
    child.once('exit', (code) => end(code ?? 1))
  })
}
