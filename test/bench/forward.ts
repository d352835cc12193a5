// 1,000 deliveries a second to the listener while they are forwarded to a target that hangs, and to one that answers, beside the same without
// forwarding: what becomes of the answers to the service, and of the memory.
import { interfaceClient } from '../support/interface-client.ts'
import type { LoadResult } from './generator.ts'
import { load, mib, resident, startServer, startTabscope, type Tabscope } from './processes.ts'

const secret = 'whsec_bench_0123456789abcdef'
const rounds = Number(process.env['ROUNDS'] ?? 4)
const seconds = 5
const hangingPort = 46210
const answeringPort = 46211
const paced = { path: '/hooks/sandbox', secret, connections: 32, rate: 1000 } as const

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

interface Side {
  readonly name: string
  readonly tabscope: Tabscope
  readonly p99: number[]
  readonly memory: (number | null)[]
}

/** Has the first endpoint forward to the port. */
async function forwardTo(tabscope: Tabscope, port: number): Promise<void> {
  await using client = await interfaceClient(tabscope.ui)
  await client.hello()
  const url = `http://127.0.0.1:${port}/`
  const reply = await client.call('forwards.add', { endpointId: 1, url, inFlight: 32 })
  if (!reply.ok) throw new Error(reply.error.message)
}

await using _hanging = await startServer('hanging', hangingPort)
await using _answering = await startServer('empty', answeringPort)
await using plain = await startTabscope(secret)
await using toHanging = await startTabscope(secret)
await using toAnswering = await startTabscope(secret)
await forwardTo(toHanging, hangingPort)
await forwardTo(toAnswering, answeringPort)

const side = (name: string, tabscope: Tabscope): Side => ({ name, tabscope, p99: [], memory: [] })
const without = side('without', plain)
const sides = [without, side('hanging', toHanging), side('answering', toAnswering)]

print(`forward: signed deliveries at 1,000/s, ${rounds} rounds of ${seconds} s for each, in turns`)
for (const { tabscope, memory } of sides) {
  await load({ ...paced, port: tabscope.port, seconds })
  memory.push(resident(tabscope.pid))
}
for (let round = 1; round <= rounds; round += 1) {
  for (const { name, tabscope, p99, memory } of sides) {
    const result = await load({ ...paced, port: tabscope.port, seconds })
    if (result.refused > 0) throw new Error(`${name}: ${result.refused} were refused`)
    p99.push(result.p99)
    memory.push(resident(tabscope.pid))
    line(name, result)
  }
}
// Of each round, then the median: the machine's speed differs more between rounds than within one.
for (const { name, p99, memory } of sides) {
  const ratio = median(p99.map((value, round) => value / (without.p99[round] ?? 1)))
  print(
    `  ${name.padEnd(9)} p99 ${ratio.toFixed(2)} times that without; memory ${mib(memory[0] ?? null)} after ${seconds} s, ${mib(memory.at(-1) ?? null)} at the end`,
  )
}

function line(name: string, { p50, p99, max, perSecond }: LoadResult): void {
  print(
    `    ${name.padEnd(9)} p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms  max ${max.toFixed(1)} ms  (${Math.round(perSecond)}/s)`,
  )
}
