// `npm test`: builds, checks types and style, runs every test project, and ends with one line that counts all of it.
// Plain JavaScript: it must start on any Node, so as to move to the right one.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { countReport } from './count-report.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const modules = path.join(root, 'node_modules')

const OWN_NODE = path.join(modules, 'node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
/** The tests run on the Node that the lock file names, whatever the shell has. */
const node = existsSync(OWN_NODE) ? OWN_NODE : process.execPath

const checks = [
  ['Build', 'src/hosts/node/build.mjs'],
  ['Types', 'node_modules/typescript/bin/tsc', '-b'],
  ['Lint', 'node_modules/oxlint/bin/oxlint', '--type-aware'],
  ['Format', 'node_modules/oxfmt/bin/oxfmt', '--check', '.'],
  ['Unused', 'node_modules/knip/bin/knip.js'],
]
const projects = ['unit', 'conformance', 'store', 'integration', 'e2e', 'desktop']

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
  heading(`Tests: ${project}`)
  const report = path.join(reports, `${project}.json`)
  const status = run([
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config=test/vitest.config.ts',
    `--project=${project}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  const counted = countReport(status, existsSync(report) ? readFileSync(report, 'utf8') : undefined)
  total.passed += counted.passed
  total.failed += counted.failed
  total.skipped += counted.skipped
  failures.push(...counted.failures.map((failure) => `${project}: ${failure}`))
}
rmSync(reports, { recursive: true, force: true })

if (failures.length > 0) {
  heading('Failures')
  for (const failure of failures) console.log(failure)
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`)
process.exitCode = total.failed > 0 ? 1 : 0

function heading(name) {
  console.log(`\n== ${name} ==`)
}

/** Exit code of a tool; its output goes where ours goes, and it has no input. */
function run([script, ...args]) {
  const { status, error } = spawnSync(node, [path.join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
    },
  })
  if (error !== undefined) console.log(String(error))
  return status ?? 1
}
