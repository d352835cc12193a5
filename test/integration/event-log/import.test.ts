import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { EventLog } from '#contract/logs.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { importBytes, importPath, logDelivery, logOf } from '#test/support/event-log.ts'
import { full } from '#test/support/full.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const tab = sharedTestEngine({ background: false })

function file(bytes: Uint8Array, name = 'evening.ndjson'): string {
  const at = path.join(tempFolder(), name)
  writeFileSync(at, bytes)
  return at
}

function stores(): string[] {
  const folder = path.join(tab().dataDir, 'logs')
  return existsSync(folder) ? readdirSync(folder) : []
}

async function logs(): Promise<EventLog[]> {
  return (await tab().engine.call('logs.list', {})).logs
}

async function logOfId(id: number | null): Promise<EventLog> {
  const found = (await logs()).find((log) => log.id === id)
  if (!found) throw new Error(`there is no log ${id}`)
  return found
}

async function find(log: number | null, filter = ''): Promise<number[]> {
  const { rows } = await until('all that match', async () => {
    const input = { log, filter, upTo: null, offset: 0, limit: 100 }
    const page = await tab().engine.call('deliveries.page', input)
    return page.complete ? page : null
  })
  return rows.map(({ id }) => id)
}

test('a log is imported by its path, is separate from the live store, and can be queried', async () => {
  const { engine } = tab()
  const done = await importPath(engine, file(logOf(30)))
  expect(done).toMatchObject({ state: 'done', deliveries: 30, known: false, error: null })
  expect(await logOfId(done.logId)).toMatchObject({
    name: 'evening.ndjson',
    format: 'ndjson',
    version: 1,
    app: '0.1.0',
    redacted: false,
    deliveries: 30,
    state: 'complete',
    problems: [],
    firstAt: 1_795_000_001_000.123,
    lastAt: 1_795_000_030_000.123,
  })
  expect(await find(done.logId, 'data.n:>28')).toEqual([30, 29])
  expect(await find(null)).toEqual([])
  const { size } = await engine.call('deliveries.body', {
    log: done.logId,
    id: 7,
    offset: 0,
    length: 9,
  })
  expect(size).toBe(logDelivery(7).bytes)
})

test('the same content is one log: imported again, compressed, under another name, and twice at the same time', async () => {
  const { engine } = tab()
  const bytes = logOf(31)
  const first = await importPath(engine, file(bytes))
  const kept = stores()
  const [again, both, three] = await Promise.all([
    importBytes(engine, gzipSync(bytes), 'other.ndjson.gz'),
    importPath(engine, file(bytes, 'third.ndjson')),
    importPath(engine, file(bytes, 'fourth.ndjson')),
  ])
  for (const done of [again, both, three])
    expect(done).toMatchObject({ state: 'done', known: true, logId: first.logId, deliveries: 31 })
  expect(stores()).toEqual(kept)

  const fresh = logOf(32)
  const twice = await Promise.all([
    importBytes(engine, fresh),
    importBytes(engine, gzipSync(fresh)),
  ])
  expect(new Set(twice.map(({ logId }) => logId)).size).toBe(1)
  expect(twice.filter(({ known }) => known)).toHaveLength(1)
  expect(stores()).toHaveLength(kept.length + 1)
})

test('a truncated file is opened as far as possible, and reports what is missing', async () => {
  const { engine } = tab()
  const lines = logOf(40).toString().split('\n')
  const withoutEnd = await importBytes(engine, Buffer.from(`${lines.slice(0, 26).join('\n')}\n`))
  expect(withoutEnd).toMatchObject({ state: 'done', deliveries: 25 })
  expect(await logOfId(withoutEnd.logId)).toMatchObject({
    state: 'cut_off',
    problems: [
      'The file is incomplete: its end line is missing. 15 of the 40 deliveries that its head announces are missing.',
    ],
  })
  const half = `${lines.slice(0, 27).join('\n')}\n${(lines[27] ?? '').slice(0, 300)}`
  const halfLine = await importBytes(engine, Buffer.from(half))
  expect(await logOfId(halfLine.logId)).toMatchObject({
    state: 'cut_off',
    deliveries: 26,
    problems: [
      expect.stringContaining('14 of the 40 deliveries'),
      'Skipped line 28: it is incomplete.',
    ],
  })
  const packed = gzipSync(logOf(2000), { level: 1 })
  const torn = await importBytes(engine, packed.subarray(0, packed.byteLength >> 1))
  expect(torn.state).toBe('done')
  expect(torn.deliveries).toBeGreaterThan(500)
  expect(torn.deliveries).toBeLessThan(2000)
  expect((await logOfId(torn.logId)).state).toBe('cut_off')
})

test('an edited file is imported, and its changes are reported', async () => {
  const { engine } = tab()
  const bytes = Buffer.from(logOf(50).toString().replace('"n\\":7}', '"n\\":8}'))
  const edited = await importBytes(engine, bytes)
  expect(await logOfId(edited.logId)).toMatchObject({
    state: 'changed',
    deliveries: 50,
    problems: [
      'The file was changed after it was exported: its SHA-256 does not match its end line.',
      'Delivery 7: the body was changed after it was captured. Its SHA-256 does not match.',
    ],
  })
  const removed = logOf(51).toString().split('\n').toSpliced(3, 2).join('\n')
  const fewer = await importBytes(engine, Buffer.from(removed))
  expect(await logOfId(fewer.logId)).toMatchObject({
    state: 'changed',
    problems: [
      expect.stringContaining('changed after it was exported'),
      'The file should contain 51 deliveries, but has 49.',
    ],
  })
  const behind = await importBytes(engine, Buffer.concat([logOf(52), logOf(3)]))
  expect(await logOfId(behind.logId)).toMatchObject({
    state: 'changed',
    deliveries: 52,
    problems: expect.arrayContaining(['Skipped line 55: it follows the end line.']),
  })
})

test('a log whose data is missing reports what to do, and importing again restores it', async () => {
  const { engine, dataDir } = tab()
  const bytes = logOf(60)
  const before = stores()
  const done = await importBytes(engine, bytes, 'gone.ndjson')
  expect(await find(done.logId)).toHaveLength(60)
  const [store] = stores().filter((name) => !before.includes(name))
  rmSync(path.join(dataDir, 'logs', store ?? ''))
  await expect(find(done.logId)).rejects.toMatchObject({
    code: 'file_failed',
    message: expect.stringContaining('Import its file again'),
  })
  const again = await importBytes(engine, bytes)
  expect(again).toMatchObject({ state: 'done', known: false, logId: done.logId })
  expect(await find(done.logId)).toHaveLength(60)
})

test('removing a log deletes its store, and so does canceling an import', async () => {
  const { engine } = tab()
  const before = stores()
  const done = await importBytes(engine, logOf(70))
  expect(await find(done.logId)).toHaveLength(70)
  await engine.call('logs.remove', { id: done.logId ?? 0 })
  expect(stores()).toEqual(before)
  await expect(find(done.logId)).rejects.toMatchObject({ code: 'not_found' })

  const { id } = await engine.call('logs.import', { from: { kind: 'feed', name: 'half.ndjson' } })
  await engine.call('logs.feed', { id, bytes: logOf(71).subarray(0, 40_000), end: false })
  expect(stores().filter((name) => !before.includes(name))).toEqual([
    expect.stringMatching(/^\.part-[0-9a-f]{16}$/),
  ])
  const waiting = engine.call('logs.imported', { id })
  expect(await engine.call('logs.cancelImport', { id })).toMatchObject({ state: 'cancelled' })
  expect(await waiting).toMatchObject({ state: 'cancelled', logId: null })
  expect(stores()).toEqual(before)
  await expect(
    engine.call('logs.feed', { id, bytes: new Uint8Array(), end: true }),
  ).rejects.toMatchObject({ code: 'run_over' })
  await engine.call('logs.dismissImport', { id })
  expect((await engine.call('logs.list', {})).imports.map((each) => each.id)).not.toContain(id)
})

test.runIf(full)('a name is shown without folders, and does not become a file name', async () => {
  const { engine } = tab()
  const names = [
    '../../../etc/passwd',
    'C:\\evil\\log.ndjson',
    `a\0b\u001b[31m.ndjson`,
    'x'.repeat(299),
    '..',
  ]
  for (const [index, name] of names.entries()) {
    const done = await importBytes(engine, logOf(80 + index), name)
    expect(done.state).toBe('done')
  }
  const shown = (await logs()).slice(0, names.length).map(({ name }) => name)
  expect(shown.toReversed()).toEqual([
    'passwd',
    'log.ndjson',
    'ab[31m.ndjson',
    `${'x'.repeat(200)}…`,
    'Event log',
  ])
  for (const name of stores()) expect(name).toMatch(/^[0-9a-f]{16}-\d+\.db$/)
})
