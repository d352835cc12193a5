import { expect, it } from 'vitest'
import { defaultTunnel, readTunnel, type StoredTunnel } from '#engine/receiving/tunnel/record.ts'
import { openTestStore } from '#test/support/open-store.ts'
import { storeWith } from '#test/support/test-store.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { writeTunnel } from '#engine/app/threads/writes.ts'

const start = Date.parse('2026-03-14T21:00:00.000Z')

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

it('is written by the writer thread, and read when the store is opened again', async () => {
  const folder = tempFolder()
  const first = await openTestStore(folder)
  expect(first.store.initial.tunnel).toEqual(defaultTunnel)
  await first.store.writer.call('writeTunnel', stored)
  await first.close()
  const second = await openTestStore(folder)
  expect(second.store.initial.tunnel).toEqual(stored)
})
