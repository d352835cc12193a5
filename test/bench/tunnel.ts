// Measures deliveries per second through a tunnel, with the real localtunnel client and a server on loopback, compared with the same client alone in
// front of an empty node:http server, and with sending directly to the listener of the same Tabscope, alternating in the same run. Also through a
// minimal node:http reverse proxy, to measure the cost of an additional hop.
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#test/support/free-port.ts'
import { call } from './call.ts'
import type { Load } from './generator.ts'
import { load, startLocaltunnel, startServer, startTabscope } from './processes.ts'

const secret = 'whsec_bench_0123456789abcdef'
const rounds = Number(process.env['ROUNDS'] ?? 5)
const seconds = Number(process.env['SECONDS'] ?? 4)
const tunnelPort = 46220
const proxyPort = 46221
const name = 'bench'
const bareName = 'bare'
const deadlineMs = 20_000

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

await using _server = await startServer('tunnel', tunnelPort)
await using proxy = await startServer('proxy', proxyPort)
await using tabscope = await startTabscope(secret, [
  '--tunnel',
  `localtunnel:${name}@http://localhost:${tunnelPort}`,
])
await proxy.leadTo(tabscope.port)
await using empty = await startServer('empty', await freePort())
await using _bare = await startLocaltunnel(`http://localhost:${tunnelPort}`, bareName, empty.port)
const begun = performance.now()
for (;;) {
  const { tunnel } = await call(tabscope, 'app.snapshot', {})
  if (tunnel.state === 'online') break
  if (performance.now() - begun > deadlineMs) throw new Error(`${tunnel.state}: ${tunnel.reason}`)
  await pause(50)
}

const common = { path: '/hooks/sandbox', secret, connections: 32, rate: null } as const
const ways = [
  { way: 'straight', to: { ...common, port: tabscope.port } },
  { way: 'proxy', to: { ...common, port: proxyPort } },
  {
    way: 'tunnel',
    to: { ...common, port: tunnelPort, host: `${name}.localhost:${tunnelPort}` },
  },
  {
    way: 'bare',
    to: { ...common, port: tunnelPort, host: `${bareName}.localhost:${tunnelPort}` },
  },
] as const satisfies readonly { way: string; to: Omit<Load, 'seconds'> }[]
const perSecond: Record<(typeof ways)[number]['way'], number[]> = {
  straight: [],
  proxy: [],
  tunnel: [],
  bare: [],
}

print(
  `tunnel: signed ORDER_PLACED deliveries, ${common.connections} connections, closed loop, ${rounds} rounds of ${seconds} s for each, in turns`,
)
for (const { to } of ways) await load({ ...to, seconds: 1 })
for (let round = 1; round <= rounds; round += 1) {
  for (const { way, to } of ways) {
    const result = await load({ ...to, seconds })
    if (result.refused > 0) throw new Error(`${way}: ${result.refused} were refused`)
    perSecond[way].push(result.perSecond)
    print(
      `  ${way.padEnd(9)} ${Math.round(result.perSecond)}/s  p50 ${result.p50.toFixed(2)} ms  p99 ${result.p99.toFixed(2)} ms`,
    )
  }
}
// Median of the ratios of all rounds, because the computer's speed varies more between rounds than within one.
type Way = (typeof ways)[number]['way']
const share = (way: Way, of: Way): string =>
  median(perSecond[way].map((value, round) => value / (perSecond[of][round] ?? 1))).toFixed(2)
print(
  `  median: ${ways.map(({ way }) => `${way} ${Math.round(median(perSecond[way]))}/s`).join(', ')}`,
)
print(`  through a bare proxy: ${share('proxy', 'straight')} of straight to the listener`)
print(`  through the tunnel: ${share('tunnel', 'straight')} of straight to the listener`)
print(
  `  through the tunnel: ${share('tunnel', 'bare')} of localtunnel's client alone, with an empty server`,
)
