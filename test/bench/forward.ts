// Sends 1,000 deliveries per second to the listener while they are forwarded to a hanging target and to a responding one, with and without a
// script, compared with no forwarding. Measures response times and memory. Then measures calls of the script alone.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ScriptRunner } from '#engine/scripts/runner.ts'
import type { ScriptCall } from '#engine/scripts/messages.ts'
import { call } from './call.ts'
import { orders } from './payloads.ts'
import {
  load,
  median,
  mib,
  print,
  printLoad,
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

/** Changes a field and adds a header with a digest. */
const source = `(delivery, { crypto, state }) => {
  state.count = (state.count ?? 0) + 1
  return {
    headers: { 'x-digest': crypto.sha256(delivery.text) },
    body: { ...delivery.body, count: state.count },
  }
}`

async function forwardTo(
  tabscope: Tabscope,
  port: number,
  script: string | null = null,
): Promise<void> {
  const url = `http://127.0.0.1:${port}/`
  if (script !== null) await call(tabscope, 'scripts.save', { name: script, source })
  await call(tabscope, 'forwards.add', { endpointId: 1, url, script })
}

await using _hanging = await startServer('hanging', hangingPort)
await using _responding = await startServer('empty', respondingPort)
await using plain = await startTabscope()
await using toHanging = await startTabscope()
await using toResponding = await startTabscope()
await using scripted = await startTabscope()
await forwardTo(toHanging, hangingPort)
await forwardTo(toResponding, respondingPort)
await forwardTo(scripted, respondingPort, 'count')

const side = (name: string, tabscope: Tabscope): Side => ({
  name,
  tabscope,
  p99: [],
  memory: [],
  cost: [],
})
const without = side('without', plain)
const responding = side('responding', toResponding)
const withScript = side('script', scripted)
const sides = [without, side('hanging', toHanging), responding, withScript]

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
    printLoad(name, result)
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
const ratios = withScript.cost.map((value, round) => value / (responding.cost[round] ?? 1))
print(
  `  with the script ${median(ratios).toFixed(2)} times the processor time of forwarding without`,
)
for (const { name, tabscope } of sides) {
  const { forwardHealth } = await call(tabscope, 'app.snapshot', {})
  for (const { ok, failed, waiting, skipped } of forwardHealth) {
    print(
      `  ${name.padEnd(9)} ${ok} answered with 2xx, ${failed} not, ${waiting} waiting, ${skipped} skipped`,
    )
  }
}

await runAlone()

async function runAlone(): Promise<void> {
  const entry = path.resolve(import.meta.dirname, '../../out/main/script-thread.js')
  const runner = new ScriptRunner(pathToFileURL(entry))
  const order = orders('/hooks/sandbox', secret)(1)
  const scriptCall = (owner: string | null): ScriptCall => ({
    script: { name: 'count', source },
    owner,
    state: '{}',
    delivery: {
      id: 1,
      type: 'OPEN_TAB',
      receivedAt: 0,
      method: 'POST',
      path: '/hooks/sandbox',
      headers: [['content-type', 'application/json']],
      body: Buffer.from(order.request.slice(order.request.indexOf('{'))),
      verdict: 'valid',
      endpoint: 'Sandbox',
    },
  })
  const kinds = [
    { name: 'loaded, one after the other', owner: 'bench', count: 5000, width: 1 },
    { name: 'loaded, 32 at once', owner: 'bench', count: 5000, width: 32 },
    { name: 'not loaded', owner: null, count: 500, width: 1 },
  ] as const
  print('script: calls alone')
  for (const { name, owner, count, width } of kinds) {
    const one = async (): Promise<void> => {
      const { result } = await runner.run(scriptCall(owner))
      if (result.kind !== 'request') throw new Error(JSON.stringify(result))
    }
    const calls = async (each: number): Promise<void> => {
      for (let made = 0; made < each; made += 1) await one()
    }
    await calls(count / 10)
    const began = performance.now()
    await Promise.all(Array.from({ length: width }, () => calls(count / width)))
    print(`  ${((performance.now() - began) / count).toFixed(3)} ms ${name}`)
  }
  await runner.close()
}
