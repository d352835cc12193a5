// Re-sends 10,000 captured deliveries with a job, compared with an undici pool of the same size that posts the same bodies and headers to
// the same empty server, alternating in the same run.
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { Pool } from 'undici'
import { z } from 'zod'
import { Job, type JobPace } from '#contract/sending.ts'
import { freePort } from '#test/support/free-port.ts'
import { interfaceClient, type InterfaceClient } from '#test/support/interface-client.ts'
import { until } from '#test/support/until.ts'
import {
  load,
  median,
  print,
  secret,
  startServer,
  startTabscope,
  type Tabscope,
} from './processes.ts'

const count = Number(process.env['COUNT'] ?? 10_000)
const rounds = Number(process.env['ROUNDS'] ?? 3)
const paces = [
  { name: 'at once, 32 wide', width: 32, pace: { how: 'concurrent', concurrency: 32 } },
  { name: 'one by one', width: 1, pace: { how: 'one_by_one', stopOnFailure: false } },
] as const satisfies readonly { name: string; width: number; pace: JobPace }[]

interface Captured {
  readonly id: number
  readonly path: string
  /** Alternating names and values, one per line, as stored. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Loads the first deliveries of the store into memory for the plain sender. */
async function captured(tab: Tabscope): Promise<Captured[]> {
  const db = new Database(path.join(tab.dataDir, 'tabscope.db'), { readonly: true })
  const newest = db.prepare<[], { n: number }>('SELECT last_id AS n FROM progress')
  while ((newest.get()?.n ?? 0) < count) {
    await load({
      path: '/hooks/sandbox',
      secret,
      connections: 32,
      seconds: 1,
      rate: null,
      port: tab.port,
    })
    await pause(500)
  }
  const rows = db
    .prepare<[number], { id: number; path: string; headers: string; body: Buffer }>(
      'SELECT delivery.id, path, headers, body FROM delivery JOIN delivery_content USING (id) ORDER BY delivery.id LIMIT ?',
    )
    .all(count)
  db.close()
  return rows.map((row) => ({ ...row, headers: row.headers.split('\n') }))
}

/** Waits for the search index, which is updated in the background and not part of the measurement. */
async function indexed(client: InterfaceClient): Promise<void> {
  const Snapshot = z.object({ stats: z.object({ newestId: z.number(), indexedId: z.number() }) })
  for (;;) {
    const reply = await client.call('app.snapshot', {})
    if (!reply.ok) throw new Error(reply.error.message)
    const { stats } = Snapshot.parse(reply.output)
    if (stats.indexedId >= stats.newestId) return
    await pause(500)
  }
}

/** Returns requests per second. */
async function plain(
  port: number,
  deliveries: readonly Captured[],
  width: number,
): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: width, pipelining: 1 })
  const begun = performance.now()
  let next = 0
  const post = async (): Promise<void> => {
    for (let one = deliveries[next++]; one; one = deliveries[next++]) {
      const { headers, body } = one
      const answer = await pool.request({
        method: 'POST',
        path: one.path,
        headers: [...headers],
        body,
      })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`undici was answered ${answer.statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: width }, post))
  const seconds = (performance.now() - begun) / 1000
  await pool.close()
  return deliveries.length / seconds
}

/** Returns requests per second, from the call until the last attempt is stored. */
async function byJob(
  client: InterfaceClient,
  port: number,
  deliveries: readonly Captured[],
  pace: JobPace,
): Promise<number> {
  const begun = performance.now()
  const upTo = deliveries.at(-1)?.id ?? 0
  const reply = await client.call('jobs.start', {
    filter: '',
    upTo,
    url: `http://127.0.0.1:${port}`,
    pace,
  })
  if (!reply.ok) throw new Error(reply.error.message)
  const { id } = Job.parse(reply.output)
  const Changed = z.object({ job: Job })
  let looked = 0
  const job = await until(
    'the job to be over',
    () => {
      for (; looked < client.frames.length; looked += 1) {
        const frame = client.frames[looked]
        if (frame?.kind !== 'push' || frame.name !== 'jobs.changed') continue
        const changed = Changed.parse(frame.payload).job
        if (changed.id === id && changed.state === 'done') return changed
      }
      return null
    },
    300_000,
  )
  const seconds = (performance.now() - begun) / 1000
  if (job.ok !== deliveries.length) throw new Error(`${job.ok} of ${deliveries.length} were sent`)
  return job.ok / seconds
}

print(`send: ${count} captured deliveries again, to an empty node:http server`)
await using tab = await startTabscope()
await using client = await interfaceClient(tab.ui)
await client.hello()
const deliveries = await captured(tab)
await indexed(client)
{
  await using empty = await startServer('empty', await freePort())
  const ratios = new Map<string, number[]>(paces.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, width, pace } of paces) {
      const pool = await plain(empty.port, deliveries, width)
      const job = await byJob(client, empty.port, deliveries, pace)
      // The first round is a warm-up.
      if (round > 0) ratios.get(name)?.push(job / pool)
      print(
        `  ${round === 0 ? '(warm-up) ' : ''}${name.padEnd(17)} undici ${Math.round(pool)}/s  a job ${Math.round(job)}/s  ${(job / pool).toFixed(2)}`,
      )
    }
  }
  for (const [name, values] of ratios)
    print(`  of a plain pool, ${name}: ${median(values).toFixed(2)}`)
}
{
  await using noting = await startServer('noting', await freePort())
  await byJob(client, noting.port, deliveries, { how: 'one_by_one', stopOnFailure: false })
  const received = await noting.noted()
  const wanted = deliveries.map(
    ({ headers }) => headers[headers.indexOf('X-Service-Signature') + 1],
  )
  const kept =
    received.length === wanted.length && received.every((one, index) => one === wanted[index])
  if (!kept) throw new Error('they did not arrive in the order in which they were captured')
  print(`  one by one, all ${received.length} arrived in the order in which they were captured`)
}
