import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { errorCodes } from '#contract/errors.ts'
import { LogLine } from '#contract/event-log.ts'
import ndjson from '#engine/event-logs/formats/ndjson.ts'
import { openReader } from '#engine/platform/sqlite.ts'
import { storePath } from '#engine/platform/store/data-folder.ts'
import { prepareStore } from '#engine/app/opening/open-store.ts'
import { logHead } from '#test/support/event-log.ts'
import { sampleItem } from '#test/support/event-log/sample-item.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

// Formats that others rely on: scripts, stored data, event logs, other versions of Tabscope. A change here is a change for them. Where it is
// meant, update the file with `npx vitest -u` and say in the commit what becomes of what exists.

function frozen(value: unknown, name: string): Promise<void> {
  const text = typeof value === 'string' ? value : `${JSON.stringify(value, null, 1)}\n`
  return expect(text).toMatchFileSnapshot(path.join(import.meta.dirname, name))
}

test('the error codes', () => frozen(errorCodes, 'error-codes.json'))

test('the SQL schema', () => {
  const folder = tempFolder()
  prepareStore(folder, 'now')
  const db = openReader(storePath(folder))
  const rows = db
    .prepare<[], { sql: string }>(
      'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name',
    )
    .all()
  const version = String(db.pragma('user_version', { simple: true }))
  db.close()
  return frozen(
    `-- version ${version}\n${rows.map(({ sql }) => `${sql};\n`).join('')}`,
    'schema.sql',
  )
})

test('the lines of an event log', () => {
  const line = z.object({ line: LogLine })
  return frozen(
    z.toJSONSchema(line, { io: 'output', unrepresentable: 'any', reused: 'ref' }),
    'event-log.json',
  )
})

test('an event log, byte for byte', () => {
  const items = [sampleItem(1, '{"type":"ORDER_PLACED"}', { note: 'Zoë', tags: ['late'] })]
  const env = { target: '', removed: () => ({}) }
  const pieces = [...ndjson.write(logHead(items.length), items, env)]
  return frozen(
    Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString(),
    'event-log.ndjson',
  )
})
