// Compares capture with an empty server and mockttp, alternating in the same run: the throughput relative to plain `node:http` when every
// delivery is verified, inspected and durably stored before its response.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { freePort } from '#test/support/free-port.ts'
import type { LoadResult } from './generator.ts'
import { load, median, print, printLoad, secret, startServer, startTabscope } from './processes.ts'

const rounds = Number(process.env.ROUNDS ?? 5)
const closed = { path: '/hooks/sandbox', secret, connections: 32, rate: null } as const
const paced = { ...closed, rate: 1000 } as const

async function measure(kind: 'empty' | 'durable' | 'mockttp' | 'tabscope'): Promise<LoadResult> {
  await using server =
    kind === 'tabscope' ? await startTabscope() : await startServer(kind, await freePort())
  const warmUp = await load({ ...closed, port: server.port, seconds: 1 })
  const result = await load({ ...closed, port: server.port, seconds: 4 })
  if (result.refused > 0) throw new Error(`${kind} refused ${result.refused} requests`)
  if (server.dataDir !== null) await check(server.dataDir, warmUp.answered + result.answered)
  return result
}

/** Checks that every delivery with a response is stored with a valid signature. Returns how long that took after the load. */
async function check(dataDir: string, answered: number): Promise<void> {
  const begun = performance.now()
  const db = new Database(path.join(dataDir, 'tabscope.db'), { readonly: true })
  const taken = db.prepare<[], { n: number }>('SELECT last_id AS n FROM progress')
  const invalid = db.prepare<[], { n: number }>(
    "SELECT count(*) AS n FROM delivery WHERE verdict <> 'valid'",
  )
  const deadline = begun + 60_000
  while ((taken.get()?.n ?? 0) < answered && performance.now() < deadline) await pause(50)
  const after = (performance.now() - begun) / 1000
  // Ids start at 1 without gaps. Retention may have deleted the oldest.
  const stored = taken.get()?.n ?? 0
  const wrong = invalid.get()?.n ?? 0
  db.close()
  if (stored !== answered || wrong > 0)
    throw new Error(`${answered} were answered, ${stored} were stored, ${wrong} are not valid`)
  print(`    all ${stored} stored and valid, ${after.toFixed(1)} s after the flood`)
}

print(`capture: signed ORDER_PLACED deliveries, ${closed.connections} connections, closed loop`)
const perSecond = {
  empty: [] as number[],
  durable: [] as number[],
  tabscope: [] as number[],
  mockttp: [] as number[],
}
for (let round = 1; round <= rounds; round += 1) {
  for (const kind of ['empty', 'durable', 'tabscope', 'mockttp'] as const) {
    const result = await measure(kind)
    perSecond[kind].push(result.perSecond)
    print(
      `  ${kind.padEnd(9)} ${Math.round(result.perSecond)}/s  p50 ${result.p50.toFixed(2)} ms  p99 ${result.p99.toFixed(2)} ms`,
    )
  }
}
// Median of the ratios of all rounds, because the computer's speed varies more between rounds than within one.
const ratio = (
  to: 'empty' | 'durable' | 'mockttp',
  of: 'tabscope' | 'durable' = 'tabscope',
): number => median(perSecond[of].map((value, round) => value / (perSecond[to][round] ?? 1)))
print(`  of an empty node:http server: ${ratio('empty').toFixed(2)}`)
print(
  `  of one that writes to the disk before it responds: ${ratio('durable').toFixed(2)}, which has ${ratio('empty', 'durable').toFixed(2)} of the empty one`,
)
print(`  times mockttp: ${ratio('mockttp').toFixed(1)}`)

print('answer times at 1,000/s, 32 connections')
for (const kind of ['empty', 'durable'] as const) {
  await using server = await startServer(kind, await freePort())
  await load({ ...paced, port: server.port, seconds: 1 })
  printLoad(kind, await load({ ...paced, port: server.port, seconds: 10 }))
}
{
  await using tabscope = await startTabscope()
  // Data for searches.
  await load({ ...closed, port: tabscope.port, seconds: 4 })
  await pause(6000)
  const alone = await load({ ...paced, port: tabscope.port, seconds: 10 })
  printLoad('tabscope', alone)
  const scan = spawn(process.execPath, [
    path.join(import.meta.dirname, 'scan.ts'),
    tabscope.dataDir,
    '10',
  ])
  const scanned = await load({ ...paced, port: tabscope.port, seconds: 10 })
  printLoad('scanned', scanned)
  scan.kill()
  print(`  p99 during a full-text scan: ${(scanned.p99 / alone.p99).toFixed(2)} times that without`)
}
