import { expect, it } from 'vitest'
import type { TunnelSpan } from '#contract/tunnel.ts'
import { readLastSpanId, readSpans, writeSpan, writeTunnel } from '#engine/tunnel/store.ts'
import { defaultTunnel, readTunnel, type StoredTunnel } from '#engine/tunnel/record.ts'
import { plansOf } from '#test/support/plans.ts'
import { openTestStore } from '#test/support/open-store.ts'
import { readerOf, storeWith } from '#test/support/test-store.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const day = 24 * 60 * 60 * 1000
const start = Date.parse('2026-03-14T21:00:00.000Z')

const span = (
  id: number,
  startedAt: number,
  endedAt: number,
  more: Partial<TunnelSpan> = {},
): TunnelSpan => ({
  id,
  startedAt,
  endedAt,
  state: 'online',
  cause: 'probe_ok',
  reason: 'It arrives.',
  url: 'https://pier9.example.test',
  provider: 'localtunnel',
  ...more,
})
const stored: StoredTunnel = {
  wanted: true,
  record: {
    setup: { provider: 'ngrok', options: {} },
    names: [{ of: '["ngrok"]', name: 'mine' }],
    copied: 'https://mine.example.test',
    acceptedServers: ['https://public.example.test'],
    warnings: [{ kind: 'assigned', requested: 'a', assigned: 'b', by: 'user', at: start }],
  },
}

it.each(['not JSON', '{}', '{"setup":{"provider":1}}', 'null'])(
  'takes the default for a record that is %s',
  (record) => {
    const { db } = storeWith()
    writeTunnel(db, stored)
    db.prepare('UPDATE tunnel SET record = ?').run(record)
    expect(readTunnel(db)).toEqual(defaultTunnel)
  },
)

it('stores spans of the history, and updates them', () => {
  const store = storeWith()
  writeSpan(store.db, span(1, start, start))
  writeSpan(store.db, span(1, start, start + 1000))
  const offline = { state: 'offline', cause: 'server_down', url: null } as const
  writeSpan(store.db, span(2, start + 1000, start + 1000, offline))
  writeSpan(store.db, span(2, start + 1000, start + 5000, { ...offline, reason: 'Still.' }))
  const db = readerOf(store)
  expect(readSpans(db, { since: 0, limit: 10 })).toEqual([
    span(1, start, start + 1000),
    span(2, start + 1000, start + 5000, { ...offline, reason: 'Still.' }),
  ])
  expect(readSpans(db, { since: start + 1000, limit: 10 }).map(({ id }) => id)).toEqual([2])
  expect(readSpans(db, { since: 0, limit: 1 }).map(({ id }) => id)).toEqual([2])
})

it('deletes spans older than seven days', () => {
  const { db } = storeWith()
  writeSpan(db, span(1, start, start + day))
  writeSpan(db, span(2, start + day, start + 2 * day))
  writeSpan(db, span(3, start + 8 * day, start + 8 * day))
  expect(readSpans(db, { since: 0, limit: 10 }).map(({ id }) => id)).toEqual([1, 2, 3])
  writeSpan(db, span(3, start + 8 * day, start + 8 * day + 1))
  expect(readSpans(db, { since: 0, limit: 10 }).map(({ id }) => id)).toEqual([2, 3])
})

it('keeps 5,000 spans, and reuses no ID', () => {
  const { db } = storeWith()
  db.transaction(() => {
    for (let id = 1; id <= 5003; id += 1) writeSpan(db, span(id, start + id, start + id + 1))
  })()
  const all = readSpans(db, { since: 0, limit: 10_000 })
  expect([all.length, all[0]?.id, all.at(-1)?.id]).toEqual([5000, 4, 5003])
  db.exec('DELETE FROM tunnel_span')
  expect(readLastSpanId(db)).toBe(5003)
})

it('omits spans of another version with unknown values', () => {
  const { db } = storeWith()
  writeSpan(db, span(1, start, start + 1))
  writeSpan(db, span(2, start, start + 1))
  db.exec("UPDATE tunnel_span SET state = 'floating' WHERE id = 1")
  expect(readSpans(db, { since: 0, limit: 10 }).map(({ id }) => id)).toEqual([2])
})

it('finds spans to delete by their end', async () => {
  const plans = await plansOf(storeWith().db, (db) => writeSpan(db, span(1, start, start)))
  const deleting = plans.filter(({ sql }) => /to_ms </.test(sql))
  expect(deleting).toHaveLength(1)
  expect(deleting[0]?.plan).toContain('tunnel_span_by_end')
})

it('is written by the writer thread, and read when the store is opened again', async () => {
  const folder = tempFolder()
  const first = await openTestStore(folder)
  expect(first.store.initial.tunnel).toEqual(defaultTunnel)
  expect(first.store.initial.lastSpanId).toBe(0)
  await first.store.writer.call('writeTunnel', stored)
  await first.store.writer.call('writeSpan', span(7, start, start + 1))
  expect(await first.store.reader.call('tunnelSpans', { since: 0, limit: 10 })).toEqual([
    span(7, start, start + 1),
  ])
  await first.close()
  const second = await openTestStore(folder)
  expect(second.store.initial.tunnel).toEqual(stored)
  expect(second.store.initial.lastSpanId).toBe(7)
})
