import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import type { LogEndpoint } from '#contract/event-log.ts'
import { LogWith } from '#contract/logs.ts'
import { LineThreads } from '#engine/event-logs/export/line-threads.ts'
import {
  cancel,
  cancellation,
  Cancelled,
  type LinesTask,
} from '#engine/event-logs/export/messages.ts'
import type { ExportedDelivery } from '#engine/event-logs/items.ts'
import { writeDeliveries } from '#engine/event-logs/ndjson/delivery-lines.ts'
import { createDeliveriesReader } from '#engine/event-logs/read/deliveries.ts'
import { createRedactor } from '#engine/event-logs/redact/redactor.ts'
import { createIngest } from '#engine/deliveries/ingest.ts'
import { openReader, openWriter } from '#engine/platform/sqlite.ts'
import { prepareStore } from '#engine/store/open.ts'
import { fill, randomFact } from '#test/support/facts.ts'
import { randomOf } from '#test/support/random-filter.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const script = new URL('../../../out/main/export-thread.js', import.meta.url)
const count = 10_000
const guest = 'grace.hopper@example.com'
const gateway = 'gateway-pass-123'
const endpoint: LogEndpoint = {
  kind: 'endpoint',
  id: 1,
  integrationId: 1,
  name: 'Main',
  slug: 'main',
  applicationId: '',
  customHeaders: [['X-Gateway', gateway]],
}

let dataDir: string
let task: Omit<LinesTask, 'sent' | 'endpoints'>
/** In steps, like those of a filter that finds deliveries unevenly. */
let steps: number[][]

beforeAll(() => {
  const folder = ownedFolder()
  const { path: storePath } = prepareStore(folder.path, 'now')
  const db = openWriter(storePath)
  const facts = Array.from({ length: count }, (_, index) => {
    const fact = randomFact(randomOf(index), index + 1)
    // Every 1,000th body is larger than a piece.
    const filler = index % 1000 === 500 ? 'x'.repeat(600_000) : ''
    const said = `${fact.body} ${gateway}`
    return { ...fact, body: JSON.stringify({ said, guest, key: 'k-12345678', filler }) }
  })
  fill({ folder: folder.path, path: storePath, db, ingest: createIngest(db) }, facts)
  db.close()
  dataDir = folder.path
  const ids = facts.map(({ id }) => id)
  steps = [ids.slice(0, 1), [], ids.slice(1, 1700), ids.slice(1700)]
  task = {
    storePath,
    with: LogWith.parse({}),
    redaction: {
      known: [{ kind: 'secret', value: 'k-12345678' }],
      handles: [],
      customHeaders: [],
      rules: [],
      key: new Uint8Array(32).fill(7),
    },
    cancelled: new SharedArrayBuffer(4),
  }
  return async () => {
    await folder[Symbol.asyncDispose]()
  }
})

interface Written {
  readonly text: string
  readonly lines: number
  readonly deliveries: number
  /** Deliveries that the calling thread has written. */
  readonly own: number
  readonly removed: Readonly<Record<string, number>>
}

/** Exports with this number of additional threads. */
async function written(threadCount: number): Promise<Written> {
  const db = openReader(task.storePath)
  const read = createDeliveriesReader(db, task.with)
  const redactor = createRedactor(task.redaction ?? expect.fail())
  redactor.item(endpoint)
  const threads = new LineThreads(threadCount, script, task)
  const throwIfCancelled = cancellation(task.cancelled)
  const pieces: Uint8Array[] = []
  let [lines, own, deliveries] = [0, 0, 0]
  function* redacted(ids: readonly number[]): Generator<ExportedDelivery, void, undefined> {
    for (const delivery of read(ids)) {
      throwIfCancelled()
      own += 1
      yield redactor.item({ kind: 'delivery', delivery }).delivery
    }
  }
  try {
    const all = threads.deliveries([endpoint], steps, (ids) => writeDeliveries(redacted(ids)))
    for (const item of all) {
      pieces.push(item.bytes)
      lines += item.lines
      deliveries += item.deliveries
      // The end of a thread is reported by an event.
      await new Promise(setImmediate)
    }
  } finally {
    await threads.close()
    db.close()
  }
  const removed = { ...redactor.removed() }
  for (const [kind, values] of Object.entries(threads.removed)) {
    removed[kind] = (removed[kind] ?? 0) + values
  }
  return { text: Buffer.concat(pieces).toString('utf8'), lines, own, deliveries, removed }
}

it.each([1, 3])('gives the same lines and counts with %i more threads as without', async (n) => {
  const alone = await written(0)
  expect(alone).toMatchObject({ own: count, deliveries: count })
  for (const secret of [guest, gateway, 'k-12345678']) expect(alone.text).not.toContain(secret)
  const together = await written(n)
  expect(together.text === alone.text).toBe(true)
  expect(together.lines).toBe(alone.lines)
  expect(together.removed).toEqual(alone.removed)
  expect(together.deliveries).toBe(count)
  expect(together.own).toBeLessThan(count)
})

it('throws the error of a thread', async () => {
  const { storePath } = task
  const threads = new LineThreads(1, script, { ...task, storePath: `${storePath}-missing` })
  const all = async (): Promise<void> => {
    for (const _ of threads.deliveries([], steps, () => writeDeliveries([])))
      await new Promise(setImmediate)
  }
  await expect(all()).rejects.toThrow(/database file/)
  await threads.close()
})

it('ends without the rest when the export is cancelled', async () => {
  const { cancelled } = task
  try {
    cancel(cancelled)
    await expect(written(1)).rejects.toThrow(Cancelled)
  } finally {
    new Int32Array(cancelled).fill(0)
  }
})

it('a large export is complete when it is imported', async () => {
  const file = path.join(dataDir, 'large.ndjson')
  const exported = await runCli(['export', '-o', file, '--data', dataDir, '--json'])
  expect(exported.stderr).toBe('')
  expect(readFileSync(file, 'utf8')).not.toContain(guest)
  const imported = await runCli(['import', file, '--data', path.join(dataDir, 'other'), '--json'])
  expect(jsonLines(imported.stdout).at(-1)).toMatchObject({ deliveries: count, state: 'complete' })
})
