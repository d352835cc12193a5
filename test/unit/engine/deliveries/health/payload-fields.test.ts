import { expect, it } from 'vitest'
import { PayloadFields, type Notice } from '#engine/deliveries/health/payload-fields.ts'
import { plantedPlaces, plantedValues } from '#test/support/planted.ts'

const hourUs = 3_600_000_000
const uuid = '550e8400-e29b-41d4-a716-446655440000'

interface Sent {
  readonly type?: string
  readonly data: object
}

/** One payload for each hour, with IDs from 1. */
function fieldsOf(payloads: readonly Sent[]): PayloadFields {
  const fields = new PayloadFields()
  for (const [index, { type = 'OPEN_TAB', data }] of payloads.entries()) {
    const body = Buffer.from(JSON.stringify({ type, targetUuid: uuid, data }))
    const receivedUs = index * hourUs
    fields.add({ id: index + 1, receivedUs, type, headers: '', body })
  }
  return fields
}

const times = (count: number, data: object): Sent[] =>
  Array.from({ length: count }, () => ({ data }))
const noticesOf = (payloads: readonly Sent[]): readonly Notice[] =>
  fieldsOf(payloads).take().notices
const at = (id: number) => ({ type: 'OPEN_TAB', id, us: (id - 1) * hourUs })
/** Different for each number. */
const letters = (count: number): string =>
  [count / 26, count % 26].map((place) => String.fromCodePoint(65 + Math.floor(place))).join('')

it('counts the payloads with a field, the types of its values, and where it was first and last', () => {
  const { types } = fieldsOf([
    { data: { total: 1, itemNames: ['Fries', null] } },
    { data: { total: '1', itemNames: [] } },
    { data: {} },
    { type: 'CLOSE_TAB', data: {} },
  ]).take()
  expect(types.map(([type]) => type)).toEqual(['OPEN_TAB', 'CLOSE_TAB'])
  const counted = [...(types[0]?.[1] ?? [])].map(([path, { payloads, kinds, firstId, lastId }]) => [
    path,
    payloads,
    kinds,
    firstId,
    lastId,
  ])
  expect(counted).toEqual([
    ['', 3, { object: 3 }, 1, 3],
    ['type', 3, { string: 3 }, 1, 3],
    ['targetUuid', 3, { string: 3 }, 1, 3],
    ['data', 3, { object: 3 }, 1, 3],
    ['data.total', 2, { number: 1, string: 1 }, 1, 2],
    ['data.itemNames', 2, { array: 2 }, 1, 2],
    ['data.itemNames[]', 1, { string: 1, null: 1 }, 1, 1],
  ])
})

it('notices a field that appears after 20 payloads, but not what is in it', () => {
  const added = { total: 1, loyalty: { points: 3, tags: ['a'] } }
  expect(noticesOf([...times(19, { total: 1 }), ...times(30, added)])).toEqual([])
  expect(noticesOf([...times(20, { total: 1 }), ...times(30, added)])).toEqual([
    { path: 'data.loyalty', change: 'appeared', kind: '', ...at(21) },
  ])
})

it('notices a new type of a value after 20 payloads with the field, once', () => {
  const changed = [...times(30, { total: '1.00' }), ...times(5, { total: 1 })]
  expect(noticesOf([...times(19, { total: 1 }), ...changed])).toEqual([])
  expect(noticesOf([...times(20, { total: 1 }), ...changed])).toEqual([
    { path: 'data.total', change: 'type', kind: 'string', ...at(21) },
  ])
})

it('notices a regular field that is absent for a day, each time', () => {
  const usual = { total: 1, name: 'Miller', lines: [{ price: 1 }] }
  const without = { total: 1, lines: [{ price: 1 }] }
  // The payload after 23 hours, then the one after 24.
  expect(noticesOf([...times(20, usual), ...times(23, without)])).toEqual([])
  const absent = { path: 'data.name', change: 'absent', kind: '' }
  expect(noticesOf([...times(20, usual), ...times(60, without)])).toEqual([
    { ...absent, ...at(20) },
  ])
  const back = [
    ...times(300, usual),
    ...times(24, without),
    ...times(2, usual),
    ...times(24, without),
  ]
  expect(noticesOf(back).map(({ id }) => id)).toEqual([300, 326])
  // In 80 % of them, or with the list that it is in.
  const some = [...times(8, usual), ...times(2, without)]
  expect(noticesOf([...some, ...some, ...some, ...times(60, without)])).toEqual([])
  const inList = [...times(30, { lines: [{ price: 1 }] }), ...times(60, { lines: [] })]
  expect(noticesOf(inList)).toEqual([])
})

it('gives the same when it continues from what was stored', () => {
  const payloads = [
    ...times(25, { name: 'Miller', total: 1 }),
    ...times(30, { total: '1', spotName: 'T4' }),
  ]
  const whole = fieldsOf(payloads).take()
  const first = fieldsOf(payloads.slice(0, 22))
  const { types, notices } = first.take()
  const continued = new PayloadFields(structuredClone(types))
  for (const [index, { data }] of payloads.entries()) {
    if (index < 22) continue
    const body = Buffer.from(JSON.stringify({ type: 'OPEN_TAB', targetUuid: uuid, data }))
    const receivedUs = index * hourUs
    continued.add({ id: index + 1, receivedUs, type: 'OPEN_TAB', headers: '', body })
  }
  const rest = continued.take()
  expect(rest.types).toEqual(whole.types)
  expect([...notices, ...rest.notices]).toEqual(whole.notices)
})

it('stores nothing of what a masked export hides, wherever it is', () => {
  const leaks = Object.entries(plantedPlaces).flatMap(([place, make]) =>
    plantedValues.flatMap(({ kind, value, needles }) => {
      const { body, fields: { type = null } = {} } = make(value)
      const fields = new PayloadFields()
      const payload = { id: 1, receivedUs: 1, type, headers: '' }
      fields.add({ ...payload, body: Buffer.from(body ?? '') })
      const { types } = fields.take()
      const stored = JSON.stringify(types.map(([name, found]) => [name, ...found])).toLowerCase()
      return needles.some((needle) => stored.includes(needle.toLowerCase()))
        ? [`${kind} as ${place}`]
        : []
    }),
  )
  expect(leaks).toEqual([])
})

it('stays within its limits, whatever is sent', () => {
  const fields = new PayloadFields()
  const add = (id: number, type: string, data: string): void => {
    const body = Buffer.from(`{"type":"${type}","data":${data}}`)
    fields.add({ id, receivedUs: id, type, headers: '', body })
  }
  for (let id = 1; id <= 80; id += 1)
    add(id, `TYPE_${letters(id)}`, `{"total":"${'x'.repeat(500)}"}`)
  for (let id = 0; id < 300; id += 1) add(100 + id, 'OPEN_TAB', `{"item_${letters(id)}":1}`)
  add(1000, 'CLOSE_TAB', '['.repeat(9000) + ']'.repeat(9000))
  const { types } = fields.take()
  expect(types).toHaveLength(23)
  expect(new Map(types).get('*')?.get('')?.payloads).toBe(60)
  expect(new Map(types).get('OPEN_TAB')?.size).toBe(200)
  const paths = types.flatMap(([, found]) => [...found.keys()])
  expect(Math.max(...paths.map((path) => path.length))).toBeLessThan(121)
  expect(JSON.stringify(types.map(([, found]) => [...found])).length).toBeLessThan(150_000)
})
