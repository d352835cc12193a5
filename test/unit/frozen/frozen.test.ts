import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { commands } from '#contract/commands.ts'
import { errorCodes } from '#contract/errors.ts'
import { LogLine } from '#contract/event-log.ts'
import { filterFields } from '#contract/filter/fields.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import ndjson from '#engine/event-logs/formats/ndjson.ts'
import { openReader } from '#engine/platform/sqlite.ts'
import { storePath } from '#engine/store/data-folder.ts'
import { prepareStore } from '#engine/store/open.ts'
import { viewOf } from '#renderer/routes/authorization.ts'
import { rehearsePlaceOf } from '#renderer/routes/rehearse.ts'
import { wantedOf } from '#renderer/routes/compose.ts'
import { placeOf } from '#renderer/routes/deliveries.ts'
import { jobOf } from '#renderer/routes/pages.ts'
import { logOf, logViewOf } from '#renderer/routes/logs.ts'
import { settingsPlaceOf } from '#renderer/routes/pages.ts'
import { guidePlaceOf } from '#renderer/routes/guide.ts'
import { pageNames } from '#renderer/routes/pages.ts'
import { logHead } from '#test/support/event-log.ts'
import { sampleItem } from '#test/support/event-log/sample-item.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

// Formats that others rely on: scripts, stored data, shared links, other versions of Tabscope. A change here is a change for them. Where it is
// meant, update the file with `npx vitest -u` and say in the commit what becomes of what exists.

function frozen(value: unknown, name: string): Promise<void> {
  const text = typeof value === 'string' ? value : `${JSON.stringify(value, null, 1)}\n`
  return expect(text).toMatchFileSnapshot(path.join(import.meta.dirname, name))
}

test('the error codes', () => frozen(errorCodes, 'error-codes.json'))

test('the commands of the interface and their keys', () => {
  const keys = Object.entries(commands).map(([name, command]) => [name, command.keys])
  return frozen(Object.fromEntries(keys), 'keys.json')
})

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

test('the addresses of the pages', () => {
  const addresses = [
    '',
    '#/',
    '#/deliveries',
    '#/deliveries/12',
    '#/deliveries?filter=type%3AOPEN_TAB',
    '#/deliveries/12?filter=verdict%3Ainvalid',
    '#/logs/3',
    '#/logs/3/deliveries/12',
    '#/logs/3?filter=a',
    '#/logs/3/authorization',
    '#/compose/12',
    '#/compose/from/34',
    '#/compose/log/3/34',
    '#/compose/again/56',
    '#/compose/sample/OPEN_TAB',
    '#/compose/empty',
    '#/jobs/12',
    '#/authorization/runs/12/against/9',
    '#/authorization/tokens/3',
    '#/authorization/refresh',
    '#/authorization/setup',
    '#/settings/port',
    '#/settings?find=tunnel',
  ]
  const readings = addresses.map((address) => ({
    address,
    list: placeOf(address),
    compose: wantedOf(address),
    job: jobOf(address),
    log: logOf(address),
    logAuthorization: logViewOf(address) === 'authorization',
    authorization: viewOf(address),
    setting: settingsPlaceOf(address),
  }))
  const guide = ['#/help', '#/help/signatures', '#/help/signatures/what-is-signed'].map(
    (address) => ({ address, guide: guidePlaceOf(address) }),
  )
  const rehearse = [
    '#/rehearse',
    '#/rehearse?to=http%3A%2F%2F127.0.0.1%3A3000%2Fhooks&endpoint=2',
    '#/rehearse/oauth',
    '#/rehearse/oauth?run=12',
    '#/rehearse/12',
    '#/rehearse/12/S4',
    '#/rehearse/12/compare',
    '#/logs/3/rehearse',
    '#/logs/3/rehearse/12/S4',
    '#/logs/3/rehearse/12/compare',
  ].map((address) => ({ address, rehearse: rehearsePlaceOf(address) }))
  return frozen({ pages: pageNames, readings, guide, rehearse }, 'addresses.json')
})

test('the filter language', () => {
  const texts = [
    'type:ORDER_PLACED verdict:invalid',
    'since:2h -location:"Pier 9"',
    '(status:500 or status:>=502) pinned:yes',
    '"free text" word*',
    'header:x-service-signature body.data.total:>20',
    'size:>1.5MiB lag:<500ms',
  ]
  return frozen(
    {
      fields: filterFields.map(({ description: _description, ...field }) => ({
        ...field,
        choices: field.choices.map(({ value }) => value),
      })),
      parsed: texts.map((text) => ({ text, ...parseFilter(text) })),
    },
    'filter.json',
  )
})
