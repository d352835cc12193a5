import { describe, expect, it } from 'vitest'
import { buildModel, describeField, type ModelField } from '#engine/generate/model.ts'
import { mergeObserved, observe, type Observed } from '#engine/generate/observed.ts'
import { documentedModel, observedModel, samples } from '#test/support/generated-events.ts'

const payload = (type: string, data: unknown, more: object = {}): object => ({
  type,
  createdAt: '2026-03-14T21:09:00Z',
  ...more,
  data,
})

function observedIn(payloads: readonly object[]): Observed {
  const observed: Observed = {}
  for (const each of payloads) observe(observed, JSON.parse(JSON.stringify(each)))
  return observed
}

function modelOf(payloads: readonly object[], types: readonly string[] = []) {
  const observation = {
    observed: observedIn(payloads),
    payloads: payloads.length,
    isPart: false,
  }
  return buildModel({ version: '1.2.3', brand: 'Acme', types, observation })
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

  it('makes a map of an object whose keys are values, and takes no key of every JavaScript object', () => {
    const data =
      '{"guests":{"+31 6 1234 5678":{"total":1},"a@b.example":{"total":2}},"__proto__":1,"toString":2}'
    const model = modelOf([JSON.parse(`{"type":"NEW","data":${data}}`)])
    const fields = dataOf(model, 'NEW')
    expect(Object.keys(fields)).toEqual(['guests'])
    expect(fields['guests']?.value).toMatchObject({
      kind: 'map',
      of: { kind: 'object', fields: [{ key: 'total', value: { kind: 'number' } }] },
    })
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
