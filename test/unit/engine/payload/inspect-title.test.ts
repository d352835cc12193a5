import { expect, it } from 'vitest'
import { parseBody } from '#engine/payload/parse-body.ts'
import { titleOfBody } from '#engine/payload/inspect.ts'

const bytes = (body: unknown) =>
  Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8')
const titleOf = (body: Uint8Array) => titleOfBody(parseBody(body))

it.each([
  ['Tab tab-1 closed', bytes({ type: 'CLOSE_TAB', targetUuid: 'tab-1', data: {} })],
  ['No body', Buffer.alloc(0)],
  ['Body is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ['Body is not JSON', bytes('{"type":')],
  ['Body is JSON, but not an object', bytes([])],
  ['Body is JSON, but not an object', bytes('null')],
  ['No type · type is not documented, 0 fields', bytes({})],
  ['NEW_ONE · type is not documented, 2 fields', bytes({ type: 'NEW_ONE', data: { a: 1, b: 2 } })],
  ['__proto__ · type is not documented, 1 field', bytes('{"type":"__proto__","data":{"a":1}}')],
  [
    'No type · type is not documented, 1 field',
    bytes('{"__proto__":{"type":"OPEN_TAB"},"data":{"a":1}}'),
  ],
])('has the title %j', (title, body) => {
  expect(titleOf(body)).toBe(title)
})
