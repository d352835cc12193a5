import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sharedTestEngine } from '#test/support/engine.ts'
import {
  importBytes,
  importPath,
  logBytes,
  logDelivery,
  logHead,
  logOf,
} from '#test/support/event-log.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const tab = sharedTestEngine({ background: false })

function file(bytes: Uint8Array, name = 'evening.ndjson'): string {
  const at = path.join(tempFolder(), name)
  writeFileSync(at, bytes)
  return at
}

const stores = (): string[] => {
  const folder = path.join(tab().dataDir, 'logs')
  return existsSync(folder) ? readdirSync(folder) : []
}

test('a log is imported by its path, and its deliveries are found', async () => {
  const { engine } = tab()
  const done = await importPath(engine, file(logOf(30)))
  expect(done).toMatchObject({ state: 'done', deliveries: 30, known: false, error: null })
  const [log] = (await engine.call('logs.list', {})).logs
  expect(log).toMatchObject({
    id: done.logId,
    name: 'evening.ndjson',
    format: 'ndjson',
    deliveries: 30,
    state: 'whole',
    problems: [],
    firstAt: 1_795_000_001_000.123,
  })
  const { rows, total } = await engine.call('deliveries.page', {
    log: done.logId,
    filter: 'data.n:>28',
    upTo: null,
    offset: 0,
    limit: 10,
  })
  expect(total).toBe(2)
  expect(rows.map(({ id }) => id)).toEqual([30, 29])
})
