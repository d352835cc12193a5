// A million deliveries: how long the list, filters, free text and the rest take in the built product, beside the same with ten thousand.
// The stores are built once, by the ways in which deliveries come there, and kept for the next time.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { runnerImport } from 'vite'
import { root } from './processes.ts'
import { measureStore, type Measured, type Times } from './store/measure.ts'

const few = 10_000
const many = Number(process.env['DELIVERIES'] ?? 1_000_000)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const { module: builder } = await runnerImport<typeof import('./store/build.ts')>(
  path.join(import.meta.dirname, 'store/build.ts'),
  { root, configFile: false, logLevel: 'error' },
)

function storeOf(count: number): string {
  const name = `v${builder.schemaVersion}-${builder.recipe}-${count}`
  const folder = path.join(root, 'node_modules/.cache/bench-store', name)
  if (!existsSync(folder)) builder.buildStore(folder, count, print)
  return folder
}

async function measure(count: number): Promise<Measured> {
  const folder = storeOf(count)
  print(`asking a store of ${count} deliveries`)
  return measureStore(folder, count, builder.rareWord)
}

const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0).padStart(6)
const mib = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MiB`

function line(large: Times, small: Times | undefined): void {
  const { name, goal, cold, p50, p95, max, steps } = large
  const ratio = small ? `${(p95 / Math.max(small.p95, 0.1)).toFixed(1)}×` : ''
  const met = goal === null ? '' : p95 < goal ? `under ${goal}` : `OVER ${goal}`
  print(
    `  ${name.padEnd(18)} ${ms(cold)} ${ms(p50)} ${ms(p95)} ${ms(max)}   ${ms(small?.p95 ?? 0)}  ${ratio.padStart(7)}  ${met}`,
  )
  if (steps) {
    print(
      `  ${''.padEnd(18)} in up to ${steps.most} steps: the first answer after ${ms(steps.first).trim()} ms, the longest took ${ms(steps.longest).trim()} ms`,
    )
  }
}

const small = await measure(few)
const large = await measure(many)
print(
  `store: ${many} deliveries, in ms; the last columns are those of ${few}, and the ratio of both`,
)
print(
  `  ${''.padEnd(18)} ${['first', 'p50', 'p95', 'max'].map((word) => word.padStart(6)).join(' ')}   ${'p95'.padStart(6)}    ratio`,
)
for (const times of large.times) {
  line(
    times,
    small.times.find(({ name }) => name === times.name),
  )
}
print(
  `  start to first rows: ${large.startToRows.toFixed(0)} ms (${small.startToRows.toFixed(0)} ms, ${(large.startToRows / small.startToRows).toFixed(1)}×)`,
)
if (large.memory && small.memory) {
  print(
    `  memory of the engine's process: ${mib(large.memory.now)}, at most ${mib(large.memory.most)} (${mib(small.memory.now)}, ${mib(small.memory.most)})`,
  )
}
