import { expect, it } from 'vitest'
import { parseBody } from '#engine/capture/parse-body.ts'
import { titleOfBody } from '#engine/deliveries/describe.ts'

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
  ['Unknown type, 0 fields', bytes({})],
  ['Unknown type, 2 fields', bytes({ type: 'NEW_ONE', data: { a: 1, b: 2 } })],
  ['Unknown type, 1 field', bytes('{"type":"__proto__","data":{"a":1}}')],
  ['Unknown type, 1 field', bytes('{"__proto__":{"type":"OPEN_TAB"},"data":{"a":1}}')],
])('has the title %j', (title, body) => {
  expect(titleOf(body)).toBe(title)
})

it.each([
  ['9007199254740993', 'Order A-1 placed, 9007199254740993'],
  ['9007199254740993.55', 'Order A-1 placed, 9007199254740993.55'],
  ['1e400', 'Order A-1 placed, 1e400'],
  ['42.5', 'Order A-1 placed, 42.50'],
])('has the amount %s exactly as sent', (total, title) => {
  const body = `{"type":"ORDER_PLACED","data":{"orderName":"A-1","total":${total}}}`
  expect(titleOf(bytes(body))).toBe(title)
})

it.each([0, true, null, [], { a: [] }, 'x\u0000\u001b[31m\n\u202e', 'u'.repeat(1e6)])(
  'has a title of one short line for any field value: %#',
  (value) => {
    const keys = ['name', 'price', 'quantity', 'tags', 'total', 'orderName', 'cause', 'handle']
    const data = Object.fromEntries(keys.map((key) => [key, value]))
    for (const type of [
      'ITEM_ADDED',
      'ORDER_PLACED',
      'CATEGORY_UPDATED',
      'GUEST_SUBSCRIBED',
      value,
    ]) {
      for (const inside of [data, value]) {
        const title = titleOf(bytes({ type, targetUuid: value, targetId: value, data: inside }))
        expect(title).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
        expect(title.length).toBeLessThan(400)
      }
    }
  },
)
