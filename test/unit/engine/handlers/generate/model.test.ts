import { describe, expect, it } from 'vitest'
import { buildModel, describeField, type ModelField } from '#engine/handlers/generate/model.ts'
import { mergeObserved, observe, type Observed } from '#engine/handlers/generate/observed.ts'
import { documentedModel, observedModel, samples } from '#test/support/generated-events.ts'

const payload = (type: string, data: unknown, more: object = {}): object => ({
  type,
  createdAt: '2026-03-14T21:09:00Z',
  ...more,
  data,
})

/** `isMasked`: an export would mask keys that are no words of interfaces. */
function observedIn(payloads: readonly object[], isMasked = false): Observed {
  const observed: Observed = {}
  for (const each of payloads) {
    observe(observed, JSON.parse(JSON.stringify(each)), isMasked ? (key) => key : undefined)
  }
  return observed
}

function modelOf(payloads: readonly object[], isMasked = false) {
  const observation = {
    observed: observedIn(payloads, isMasked),
    payloads: payloads.length,
    isPart: false,
  }
  return buildModel({ version: '1.2.3', brand: 'Acme', types: [], observation })
}

/** Fields of the data of a type, by key. */
function dataOf(model: ReturnType<typeof modelOf>, type: string): Record<string, ModelField> {
  const event = model.events.find((each) => each.type === type)
  return Object.fromEntries(event?.data.value.fields.map((field) => [field.key, field]) ?? [])
}

const times = (count: number, of: object): object[] => Array.from({ length: count }, () => of)

describe('from the documentation', () => {
  const model = documentedModel()

  it('requires what is not conditional, and no data where the documentation says that there is none', () => {
    const { oldCustomerId, isFirstTime } = dataOf(model, 'GUEST_VERIFIED')
    expect(oldCustomerId).toMatchObject({ optional: true, nullable: true, source: 'documented' })
    expect(isFirstTime).toMatchObject({ optional: false, nullable: false, share: null })
    const withoutData = model.events.filter(({ data }) => data.optional).map(({ type }) => type)
    expect(withoutData).toEqual([
      'CLOSE_TAB',
      'LOCATION_UPDATED',
      'MENU_UPDATED',
      'OPEN_TAB',
      'PRODUCT_UPDATED',
    ])
  })

  it('has known values with the brand, and says where a field is from', () => {
    const { openedFrom, total } = dataOf(model, 'OPEN_TAB')
    expect(openedFrom?.value).toMatchObject({ values: ['ACME_MENU', 'SERVER_TAB'] })
    expect(total && describeField(total)).toBe('Current tab total. Documented.')
  })

  it('has only the requested types, with the same base', () => {
    const only = documentedModel(['OPEN_TAB'])
    expect(only.events.map(({ type }) => type)).toEqual(['OPEN_TAB'])
    expect(only.common).toEqual(model.common)
    expect(only.header.join(' ')).toContain('Only OPEN_TAB.')
  })
})

const map = (of: object) => ({ kind: 'map', of })

describe('with observed payloads', () => {
  it('marks each field as documented, observed or both, with its share', () => {
    const seen = { isFirstTime: true, visits: 3 }
    const model = modelOf([
      ...times(20, payload('GUEST_VERIFIED', seen)),
      payload('GUEST_VERIFIED', { isFirstTime: null }),
    ])
    const { isFirstTime, oldCustomerId, visits } = dataOf(model, 'GUEST_VERIFIED')
    expect(isFirstTime).toMatchObject({ source: 'both', optional: false, nullable: true })
    expect(oldCustomerId).toMatchObject({ source: 'documented', share: { count: 0, of: 21 } })
    expect(visits).toMatchObject({ source: 'observed', optional: true, value: { kind: 'number' } })
    expect(visits && describeField(visits)).toBe('Not documented; observed in 20 of 21.')
    expect(model.header.join(' ')).toContain('documentation and 21 deliveries.')
  })

  it('makes a documented field optional that no payload has, and requires others only after enough payloads', () => {
    const data = { handle: undefined, extra: 'x' }
    const few = dataOf(modelOf(times(19, payload('GUEST_SUBSCRIBED', data))), 'GUEST_SUBSCRIBED')
    expect(few).toMatchObject({ handle: { optional: true }, extra: { optional: true } })
    const many = dataOf(modelOf(times(20, payload('GUEST_SUBSCRIBED', data))), 'GUEST_SUBSCRIBED')
    expect(many).toMatchObject({ extra: { optional: false } })
  })

  it('has any type for what had several types, or only null, or null in a list', () => {
    const model = modelOf([
      payload('NEW', { mixed: 1, none: null, list: ['a', null], deep: [{ a: 1 }, { b: [] }] }),
      payload('NEW', { mixed: 'a', none: null, list: [], deep: [] }),
    ])
    expect(dataOf(model, 'NEW')).toMatchObject({
      mixed: { value: { kind: 'any' } },
      none: { value: { kind: 'any' }, nullable: true },
      list: { value: { kind: 'list', of: { kind: 'any' } } },
      deep: { value: { kind: 'list', of: { kind: 'object', name: 'NewDeepItem' } } },
    })
    expect(model.events.at(-1)).toMatchObject({
      name: 'NewEvent',
      description: 'This event type is not documented.',
    })
    expect(model.events.at(-1)?.data.value.name).toBe('NewData')
  })

  it('adds observed constants to known values, but neither texts nor values of other fields', () => {
    const model = modelOf([
      payload('OPEN_TAB', { openedFrom: 'KIOSK', name: 'BAR', spotName: 'T1' }),
      payload('OPEN_TAB', { openedFrom: 'Call Zoe', name: 'x', spotName: 'T1' }),
    ])
    expect(dataOf(model, 'OPEN_TAB')).toMatchObject({
      openedFrom: { value: { values: ['ACME_MENU', 'SERVER_TAB', 'KIOSK'] } },
      name: { value: { values: [] } },
    })
  })

  const names = 'Anna Ben Carla Dora Emil Finn Gert Hanna Ivan Jana Karl Lena Mia'.split(' ')
  const number = { kind: 'number' }
  it.each<[string, number, (index: number) => unknown, object]>([
    ['first names', 13, (index) => ({ [names[index] ?? '']: index }), map(number)],
    ['a few of them', 13, (index) => ({ [names[index % 3] ?? '']: 1, Ben: 2 }), map(number)],
    [
      'words of interfaces',
      3,
      (index) => ({ [['Max', 'Bill', 'Page'][index] ?? '']: 1 }),
      map(number),
    ],
    ['them in one delivery', 1, () => ({ Max: 1, Anna: 2, note: 3 }), map(number)],
    [
      'names beside a total',
      9,
      (index) => ({ total: 1, [names[index] ?? '']: 1, [`${names[index]} B.`]: 1 }),
      map(number),
    ],
    ['IDs with a word', 1, () => ({ order_k63z: true }), map({ kind: 'boolean' })],
    [
      'words that differ',
      3,
      (index) => ({ [['orderBob', 'tabAnn', 'spotJo'][index] ?? '']: 1 }),
      map(number),
    ],
    [
      'telephone numbers',
      1,
      () => ({ '+31 6 1234 5678': { total: 1 }, 'a@b.example': { total: 2 } }),
      map({ fields: [{ key: 'total', value: number }] }),
    ],
    ['numbers', 1, () => ({ 7: 'a', 12: 'b' }), map({ kind: 'string' })],
    ['the same date', 25, () => ({ total: 1, '2026-11-29': 1, '29.11.26 12:00': 2 }), map(number)],
    ['e-mail addresses', 25, () => ({ 'a@b.example': 1 }), map(number)],
    ['an ID in each', 9, () => ({ 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6': 1 }), map(number)],
    ['letters of several scripts', 3, () => ({ 'Жанна Ё': 1, 'René B.': 2 }), map(number)],
    [
      'objects by name',
      6,
      (index) => ({ [names[index] ?? '']: { total: 1, roles: { [names[index + 1] ?? '']: 1 } } }),
      map({
        fields: [
          { key: 'roles', value: map(number) },
          { key: 'total', value: number },
        ],
      }),
    ],
    ['keys of every object', 1, () => JSON.parse('{"__proto__":1,"toString":2}'), map(number)],
  ])('makes a map of an object whose keys are data: %s', (_, count, dataOfIndex, expected) => {
    const payloads = Array.from({ length: count }, (__, index) =>
      payload('ORDER_PLACED', { total: 1, by: dataOfIndex(index) }),
    )
    const { by } = dataOf(modelOf(payloads, true), 'ORDER_PLACED')
    expect(by?.value).toMatchObject(expected)
    expect(JSON.stringify(by)).not.toMatch(/Max|k63z|Bob|2026|@|7dec|Жанна|proto/)
    for (const name of names) expect(JSON.stringify(by)).not.toContain(`"${name}`)
  })

  it('keeps fields that are rare, and says how many keys it left out', () => {
    const payloads = Array.from({ length: 25 }, (_, index) =>
      payload('ORDER_PLACED', {
        orderName: 'a',
        total: 1,
        flavour: 'x',
        'with space': 1,
        '2nd': 2,
        Имя: 'y',
        'quote"': 1,
        $ref: 'z',
        [names[index] ?? 'Zoe']: index,
        ...(index === 7 ? { giftNote: 'c', tipCount: 2, tableCount: 1, guestCount: 3 } : {}),
        extras: index === 3 ? { itemNote: 'a' } : index === 4 ? { kitchenNote: 'b' } : {},
      }),
    )
    const model = modelOf(payloads, true)
    const { orderName: __, extras, ...fields } = dataOf(model, 'ORDER_PLACED')
    const observed = Object.values(fields).filter(({ source }) => source === 'observed')
    expect(observed.map(({ key }) => key)).toEqual([
      '2nd',
      'flavour',
      'giftNote',
      'guestCount',
      'tableCount',
      'tipCount',
      'with space',
      'Имя',
    ])
    expect(extras?.value).toMatchObject({ fields: [{ key: 'itemNote' }, { key: 'kitchenNote' }] })
    const data = model.events.find(({ type }) => type === 'ORDER_PLACED')?.data
    expect(data && describeField(data)).toBe(
      'Documented; observed in 25 of 25. 16 other keys are left out, because they may be values.',
    )
    const few = dataOf(modelOf(payloads.slice(0, 4), true), 'ORDER_PLACED')
    expect(Object.keys(few)).not.toContain('with space')
    const root = modelOf([payload('NEW', {}, { 'with space': 1 })], true)
    expect(root.header.at(-1)).toBe(
      'Beside `data`: 1 other key is left out, because it may be a value.',
    )
  })

  it('is the same for the same payloads, in parts and in any order', () => {
    const payloads = [
      ...samples(),
      payload('NEW', { b: 1, a: [{ c: null }] }),
      payload('NEW', null),
    ]
    const merged: Observed = {}
    for (const each of payloads.toReversed()) mergeObserved(merged, observedIn([each]))
    const observation = {
      observed: merged,
      payloads: 15,
      isPart: false,
    }
    const model = buildModel({ version: '1.2.3', brand: 'Acme', types: [], observation })
    expect(model).toEqual(modelOf(payloads))
  })

  it('names types that differ in more than their case', () => {
    const names = observedModel().events.flatMap(({ name, data }) => [name, data.value.name])
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
  })
})
