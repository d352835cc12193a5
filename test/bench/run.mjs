// `npm run bench -- NAME`: runs one benchmark, or all. Prints results for comparison. No benchmark fails because of its time.
// `memory` compares with a checkout whose path follows.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const benches = ['capture', 'live', 'store', 'body', 'send', 'log', 'start', 'flood', 'memory']
const isPath = (word) => word.includes('/') || word.includes(path.sep)
const wanted = process.argv.slice(2).filter((word) => !isPath(word))
const paths = process.argv.slice(2).filter(isPath)
const unknown = wanted.find((name) => !benches.includes(name))
if (unknown !== undefined) {
  process.stderr.write(`There is no bench "${unknown}". There are: ${benches.join(', ')}.\n`)
  process.exit(2)
}
const run = (file, ...args) =>
  spawnSync(process.execPath, [path.join(root, file), ...args], { cwd: root, stdio: 'inherit' })
    .status ?? 1

if (run('src/build/build.mjs') !== 0) process.exit(1)
for (const name of wanted.length > 0 ? wanted : benches) {
  const status = run(`test/bench/${name}.ts`, ...paths)
  if (status !== 0) process.exit(status)
}
