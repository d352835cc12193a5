import { rareWord } from './build.ts'
import { measureStore, type Measured, type Times } from './measure.ts'
import { storeOf } from './store-of.ts'
import { mib, print } from '../processes.ts'

const few = 10_000
const many = Number(process.env['DELIVERIES'] ?? 1_000_000)
const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0).padStart(6)

async function measure(count: number): Promise<Measured> {
  const folder = storeOf(count, print)
  print(`asking a store of ${count} deliveries`)
  return measureStore(folder, count, rareWord, print)
}

function tell(large: Times, small: Times | undefined): void {
  const { name, goal, cold, p50, p95, max, whole, steps } = large
  const ratio = small ? `${(p95 / Math.max(small.p95, 0.1)).toFixed(1)}×` : ''
  const met = goal === null ? '' : p95 < goal ? `under ${goal}` : `OVER ${goal}`
  print(
    `  ${name.padEnd(18)} ${ms(cold)} ${ms(p50)} ${ms(p95)} ${ms(max)} ${ms(whole)}   ${ms(small?.p95 ?? 0)}  ${ratio.padStart(7)}  ${met}`,
  )
  if (!steps) return
  print(
    `  ${''.padEnd(18)} in up to ${steps.most} steps: the first answer after ${ms(steps.first).trim()} ms, the longest took ${ms(steps.longest).trim()} ms`,
  )
}

const small = await measure(few)
const large = await measure(many)
const heads = ['first', 'p50', 'p95', 'max', 'whole'].map((word) => word.padStart(6)).join(' ')
print(
  `store: ${many} deliveries, in ms until a page of rows stands, and p95 until all is counted; then p95 with ${few}, and the ratio`,
)
print(`  ${''.padEnd(18)} ${heads}   ${'p95'.padStart(6)}    ratio`)
for (const times of large.times) {
  tell(
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
