// `npm run bench -- NAME`: runs one benchmark, or all. Prints results for comparison. No benchmark fails because of its time.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const benches = ['capture', 'live', 'store', 'body', 'send', 'log', 'start', 'flood']
const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !benches.includes(name))
if (unknown !== undefined) {
  process.stderr.write(`There is no bench "${unknown}". There are: ${benches.join(', ')}.\n`)
  process.exit(2)
}
const run = (file) =>
  spawnSync(process.execPath, [path.join(root, file)], { cwd: root, stdio: 'inherit' }).status ?? 1

if (run('src/build/build.mjs') !== 0) process.exit(1)
for (const name of wanted.length > 0 ? wanted : benches) {
  const status = run(`test/bench/${name}.ts`)
  if (status !== 0) process.exit(status)
}
