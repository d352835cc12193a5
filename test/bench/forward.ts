// Sends 1,000 deliveries per second to the listener while they are forwarded to a hanging target and to a responding one, compared with no
// forwarding. Measures response times and memory.
import { call } from './call.ts'
import type { LoadResult } from './generator.ts'
import {
  load,
  median,
  mib,
  print,
  processorTime,
  resident,
  secret,
  startServer,
  startTabscope,
  type Tabscope,
} from './processes.ts'

const rounds = Number(process.env['ROUNDS'] ?? 4)
const seconds = 5
const hangingPort = 46210
const respondingPort = 46211
const paced = { path: '/hooks/sandbox', secret, connections: 32, rate: 1000 } as const

interface Side {
  readonly name: string
  readonly tabscope: Tabscope
  readonly p99: number[]
  readonly memory: (number | null)[]
  /** Processor time per delivery in microseconds, for each round. */
  readonly cost: number[]
}

async function forwardTo(tabscope: Tabscope, port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/`
  await call(tabscope, 'forwards.add', { endpointId: 1, url })
}

await using _hanging = await startServer('hanging', hangingPort)
await using _responding = await startServer('empty', respondingPort)
await using plain = await startTabscope()
await using toHanging = await startTabscope()
await using toResponding = await startTabscope()
await forwardTo(toHanging, hangingPort)
await forwardTo(toResponding, respondingPort)

const side = (name: string, tabscope: Tabscope): Side => ({
  name,
  tabscope,
  p99: [],
  memory: [],
  cost: [],
})
const without = side('without', plain)
const sides = [without, side('hanging', toHanging), side('responding', toResponding)]

print(`forward: signed deliveries at 1,000/s, ${rounds} rounds of ${seconds} s for each, in turns`)
for (const { tabscope, memory } of sides) {
  await load({ ...paced, port: tabscope.port, seconds })
  memory.push(resident(tabscope.pid))
}
for (let round = 1; round <= rounds; round += 1) {
  for (const { name, tabscope, p99, memory, cost } of sides) {
    const before = processorTime(tabscope.pid) ?? 0
    const result = await load({ ...paced, port: tabscope.port, seconds })
    if (result.refused > 0) throw new Error(`${name}: ${result.refused} were refused`)
    p99.push(result.p99)
    memory.push(resident(tabscope.pid))
    const spent = (processorTime(tabscope.pid) ?? 0) - before
    cost.push((spent * 1_000_000) / result.answered)
    line(name, result)
  }
}
// Median of the results of all rounds, because the computer's speed varies more between rounds than within one.
for (const { name, p99, memory, cost } of sides) {
  const ratio = median(p99.map((value, round) => value / (without.p99[round] ?? 1)))
  print(
    `  ${name.padEnd(9)} p99 ${ratio.toFixed(2)} times that without; memory ${mib(memory[0] ?? null)} after ${seconds} s, ${mib(memory.at(-1) ?? null)} at the end`,
  )
  print(`  ${''.padEnd(9)} ${median(cost).toFixed(0)} µs of processor time for each delivery`)
}
for (const { name, tabscope } of sides) {
  const { forwardHealth } = await call(tabscope, 'app.snapshot', {})
  for (const { ok, failed, waiting, skipped } of forwardHealth) {
    print(
      `  ${name.padEnd(9)} ${ok} answered with 2xx, ${failed} not, ${waiting} waiting, ${skipped} skipped`,
    )
  }
}

function line(name: string, { p50, p99, max, perSecond }: LoadResult): void {
  print(
    `    ${name.padEnd(9)} p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms  max ${max.toFixed(1)} ms  (${Math.round(perSecond)}/s)`,
  )
}
