// Measures what stays behind the listener in a flood: throughput, queries during it, memory and disk.
// `npm run bench -- flood`; COUNT=200000 or 1000000, DEVIATION=none or dozen limit it to one measurement.
import { spawn } from 'node:child_process'
import { lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { interfaceClient } from '../support/interface-client.ts'
import { freePort } from '../support/free-port.ts'
import type { LoadResult } from './generator.ts'
import type { Deviation } from './payloads.ts'
import {
  load,
  mib,
  print,
  quantile,
  resident,
  root,
  secret,
  startServer,
  startTabscope,
} from './processes.ts'

const flood = {
  path: '/hooks/sandbox',
  secret,
  connections: 48,
  seconds: 3600,
  rate: null,
} as const

/** Size of a file or folder in bytes. Files may disappear meanwhile. */
function sizeOf(file: string): number {
  try {
    const stats = lstatSync(file)
    if (!stats.isDirectory()) return stats.size
    return readdirSync(file).reduce((sum, name) => sum + sizeOf(path.join(file, name)), 0)
  } catch {
    return 0
  }
}

/** Milliseconds of `tabscope delivery list --limit 1`, from start to end of the process. */
async function timeOfCommand(dataDir: string): Promise<number> {
  const begun = performance.now()
  const cli = path.join(root, 'out/main/cli.js')
  const args = [cli, 'delivery', 'list', '--limit', '1', '--data', dataDir]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`delivery list ended with ${code}`)
  return performance.now() - begun
}

/** Calls, as the interface makes them, until stopped. Returns the milliseconds of each, by name. */
function query(ui: string, signal: AbortSignal): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>()
  const run = async (): Promise<Map<string, number[]>> => {
    await using client = await interfaceClient(ui)
    await client.hello()
    const timed = async (label: string, name: string, input: object): Promise<unknown> => {
      const begun = performance.now()
      const reply = await client.call(name, input)
      if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`)
      times.set(label, [...(times.get(label) ?? []), performance.now() - begun])
      return reply.output
    }
    const page = { upTo: null, offset: 0, limit: 100 }
    while (!signal.aborted) {
      const all = await timed('list', 'deliveries.page', { filter: '', asOf: Date.now(), ...page })
      await timed('filter', 'deliveries.page', {
        filter: 'type:ORDER_PLACED verdict:valid',
        asOf: Date.now(),
        ...page,
      })
      const newest = Number(Reflect.get(Object(all), 'upTo'))
      if (newest > 0) await timed('delivery', 'deliveries.get', { id: newest })
      Reflect.set(client.frames, 'length', 0)
      await pause(100)
    }
    return times
  }
  return run()
}

async function measure(count: number, deviation: Deviation): Promise<void> {
  print(
    `flood: ${count} signed deliveries, ${flood.connections} connections, findings: ${deviation}`,
  )
  let empty: LoadResult
  {
    await using server = await startServer('empty', await freePort())
    empty = await load({ ...flood, port: server.port, count: Math.min(count, 100_000), deviation })
  }
  await using tabscope = await startTabscope()
  const { pid, dataDir } = tabscope
  const idle = resident(pid)
  const stop = new AbortController()
  const querying = query(tabscope.ui, stop.signal)
  const commands: number[] = []
  const commanding = (async () => {
    while (!stop.signal.aborted) {
      commands.push(await timeOfCommand(dataDir))
      await pause(500)
    }
  })()
  let peak = 0
  const watching = setInterval(() => {
    peak = Math.max(peak, resident(pid) ?? 0)
  }, 200)
  const result = await load({ ...flood, port: tabscope.port, count, deviation })
  const ended = performance.now()
  if (result.refused > 0) throw new Error(`${result.refused} of ${count} were refused`)
  stop.abort()
  const times = await querying
  await commanding
  const db = new Database(path.join(dataDir, 'tabscope.db'), { readonly: true })
  const search = new Database(path.join(dataDir, 'search.db'), { readonly: true })
  const indexed = search.prepare<[], { id: number }>('SELECT indexed_id AS id FROM search_progress')
  const indexing = (async () => {
    while ((indexed.get()?.id ?? 0) < result.answered) await pause(100)
    return (performance.now() - ended) / 1000
  })()
  await pause(30_000)
  clearInterval(watching)
  const later = resident(pid)
  const settled = await indexing
  const findings = db
    .prepare<[], { n: number }>('SELECT count(*) AS n FROM delivery WHERE findings IS NOT NULL')
    .get()
  const kept = db.prepare<[], { n: number }>('SELECT deliveries AS n FROM progress').get()?.n ?? 0
  db.close()
  search.close()

  const { rawBytes } = result
  const share = (name: string): string =>
    (sizeOf(path.join(dataDir, name)) / (rawBytes * (kept / result.answered))).toFixed(2)
  print(
    `  captured ${Math.round(result.perSecond)}/s, ${(result.perSecond / empty.perSecond).toFixed(2)} of an empty server; p99 ${result.p99.toFixed(1)} ms`,
  )
  const p95 = [...times, ['command', commands] as const].map(
    ([label, ms]) => `${label} ${quantile(ms, 0.95).toFixed(0)} ms (${ms.length})`,
  )
  print(`  queries during it, p95: ${p95.join(', ')}`)
  print(`  indexed ${settled.toFixed(1)} s after the last response`)
  print(`  memory: ${mib(idle)} idle, ${mib(peak)} at its peak, ${mib(later)} 30 s later`)
  print(
    `  disk: raw ${mib(rawBytes)}, data folder ${(sizeOf(dataDir) / rawBytes).toFixed(2)} times; of what it keeps: database ${share('tabscope.db')} times, search index ${share('search.db')} times; with findings: ${findings?.n}`,
  )
}

const counts = process.env['COUNT'] === undefined ? [200_000, 1_000_000] : [process.env['COUNT']]
const deviations: readonly Deviation[] =
  process.env['DEVIATION'] === undefined
    ? ['none', 'dozen']
    : [process.env['DEVIATION'] === 'dozen' ? 'dozen' : 'none']
for (const count of counts) for (const each of deviations) await measure(Number(count), each)
