// Measures the time of short commands from process start to exit: through the launcher, like `npm run tabscope`, and with the
// built command line; with and without a running Tabscope. Alternates with an empty Node program for comparison.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { load, root } from './processes.ts'

const rounds = Number(process.env['ROUNDS'] ?? 20)
const secret = 'whsec_bench_0123456789abcdef'
const cli = path.join(root, 'out/main/cli.js')
const launcher = path.join(root, 'src/hosts/node/launch.mjs')
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Starts a Tabscope with the folder and fills it. Ends when `stop` is called. */
async function fill(dataDir: string): Promise<{ stop(): Promise<void> }> {
  const args = [
    'serve',
    '--no-open',
    '--json',
    '--port',
    '0',
    '--data',
    dataDir,
    '--secret',
    secret,
  ]
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`Tabscope ended with ${code}.`)))
  })
  const { listener }: { listener: string } = JSON.parse(line)
  const port = Number(new URL(listener).port)
  await load({ path: '/hooks/sandbox', secret, connections: 4, rate: 500, port, seconds: 2 })
  run([cli, 'deliveries', 'list', '--filter', 'tab', '--data', dataDir])
  return {
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Returns the milliseconds of one run. */
function run(args: readonly string[]): number {
  const began = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  const ms = performance.now() - began
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return ms
}

const parent = path.join(root, 'node_modules/.cache/bench')
mkdirSync(parent, { recursive: true })
const folder = mkdtempSync(path.join(parent, 'command-'))
const idle = path.join(folder, 'idle')
const held = path.join(folder, 'held')
let running: Awaited<ReturnType<typeof fill>> | null = null
try {
  await (await fill(idle)).stop()
  running = await fill(held)
  const commands: readonly (readonly [name: string, ...words: string[]])[] = [
    ['--version', '--version'],
    ['deliveries list, beside a Tabscope', 'deliveries', 'list', '--data', held],
    ['token list, beside a Tabscope', 'token', 'list', '--data', held],
    ['deliveries list, alone', 'deliveries', 'list', '--data', idle],
    ['token list, alone', 'token', 'list', '--data', idle],
    ['conformance, alone', 'conformance', '--data', idle],
  ]
  const empty: number[] = []
  const sides = commands.map(([name, ...words]) => ({
    name,
    words,
    launched: new Array<number>(),
    direct: new Array<number>(),
  }))
  // The first run of each fills caches.
  for (let round = -1; round < rounds; round += 1) {
    const none = run(['-e', '0'])
    const times = sides.map(
      ({ words }) => [run([launcher, ...words]), run([cli, ...words])] as const,
    )
    if (round < 0) continue
    empty.push(none)
    for (const [at, [launched, direct]] of times.entries()) {
      sides[at]?.launched.push(launched)
      sides[at]?.direct.push(direct)
    }
  }
  const base = median(empty)
  const formatTimes = (times: readonly number[]): string =>
    `${median(times).toFixed(0).padStart(4)} ms ${(median(times) / base).toFixed(1).padStart(5)}x`
  print(
    `command: ${rounds} rounds of each, in turns; an empty Node program takes ${base.toFixed(0)} ms`,
  )
  print(`  ${''.padEnd(36)} launcher           cli.js`)
  for (const { name, launched, direct } of sides) {
    print(`  ${name.padEnd(36)} ${formatTimes(launched)}   ${formatTimes(direct)}`)
  }
} finally {
  await running?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
