import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { describe, expect, it } from 'vitest'
import { eventTypeOf, eventTypes, titleOf } from '#catalogue/catalogue.ts'
import {
  knownValues,
  type EventType,
  type FieldType,
  type SampleSource,
} from '#catalogue/define.ts'
import { deliveryHeaders } from '#catalogue/headers.ts'
import { commonFields, field } from '#catalogue/payload.ts'
import { valueAt, type EventView, type Place } from '#catalogue/view.ts'

function placesOf(view: EventView): readonly Place[] {
  const { heading, subheading, amount, parts } = view
  return [
    ...heading,
    ...subheading,
    ...(amount ? [amount.of, ...(amount.times === null ? [] : [amount.times])] : []),
    ...parts.map(({ of }) => of),
  ]
}

// The tables of the API documentation as data, independent of the catalogue that is checked against them.
const Field = z.strictObject({ key: z.string(), type: z.string(), description: z.string() })
const Row = z.strictObject({
  targetUuid: z.string(),
  targetId: z.string(),
  summaryHasData: z.enum(['Yes', 'No', 'No (see note)']),
  fields: z.array(Field),
  fired: z.string(),
})
const Tables = z.strictObject({
  source: z.string(),
  headers: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  common: z.array(Field.extend({ optional: z.boolean() })),
  events: z.record(z.string(), Row),
})
const tables = Tables.parse(
  JSON.parse(readFileSync(new URL('../support/fixtures/catalogue.json', import.meta.url), 'utf8')),
)

const source: SampleSource = {
  now: new Date('2026-03-14T21:09:00.000Z'),
  uuid: () => '0b9a51f2-0000-4000-8000-00000000002a',
  between: (from) => from,
  pick(from) {
    const [first] = from
    if (first === undefined) throw new Error('nothing to pick from')
    return first
  },
  brand: 'Acme',
  location: { uuid: 'c0ffee00-0000-4000-8000-000000000001', id: '12', name: 'Pier 9' },
}

const fits: Record<FieldType, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  'string[]': (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

const huge = '\u{1F37A}\n\u202e"<b>'.repeat(50_000)
const hostile: readonly unknown[] = [
  undefined,
  null,
  true,
  -0.5,
  1e308,
  '',
  huge,
  '\ud800',
  '__proto__',
  [],
  [[null]],
  {},
  { type: { type: [] } },
  JSON.parse('{"__proto__":{"name":1},"toString":null,"length":-1}'),
]

const rowOf = (eventType: EventType) => {
  const row = tables.events[eventType.type]
  if (!row) throw new Error(`The document knows no ${eventType.type}.`)
  return row
}
const orNull = (cell: string) => (cell === 'none' || cell === 'null' ? null : cell.split(' ')[0])
const sampleOf = (eventType: EventType) => ({
  type: eventType.type,
  locationUuid: source.location.uuid,
  locationName: source.location.name,
  locationId: source.location.id,
  createdAt: source.now.toISOString(),
  ...eventType.sample(source),
})

function checkLine(type: string, payload: object) {
  const line = titleOf({ ...payload, type })
  expect(line).not.toBe('')
  expect(line.length).toBeLessThan(400)
  expect(line).not.toMatch(/[\p{Cc}\u202e]/u)
  expect(line.isWellFormed()).toBe(true)
}

describe('the complete catalogue', () => {
  it('has exactly the types of the API documentation', () => {
    expect(eventTypes.map(({ type }) => type).sort()).toEqual(Object.keys(tables.events).sort())
  })

  it('has the common properties of the API documentation', () => {
    const words = commonFields.map(({ key, type, optional, description }) => ({
      key,
      type,
      optional,
      description,
    }))
    expect(words).toEqual(tables.common)
  })

  it('has the delivery headers of the API documentation', () => {
    const headers = deliveryHeaders('Service')
    expect(headers.map(({ name, description }) => ({ name, description }))).toEqual(tables.headers)
  })
})

describe.each(eventTypes.map((eventType) => [eventType.type, eventType] as const))(
  '%s',
  (type, eventType) => {
    const row = rowOf(eventType)
    const keys = row.fields.map(({ key }) => key)

    it('matches the API documentation', () => {
      expect(eventType.fired).toBe(row.fired)
      expect(
        eventType.data.map(({ key, type, description }) => ({ key, type, description })),
      ).toEqual(row.fields)
      expect(eventType.target).toEqual({ uuid: orNull(row.targetUuid), id: orNull(row.targetId) })
      const hasData = { Yes: 'yes', No: 'no', 'No (see note)': 'contradictory' } as const
      expect(eventType.hasData).toBe(hasData[row.summaryHasData])
      expect(eventTypeOf(type)).toBe(eventType)
    })

    it('lists the known values that the description names', () => {
      for (const { key, description, known } of eventType.data) {
        const named = [...description.matchAll(/`([A-Z_]+)`/g)].map(([, value]) => value)
        // `PRODUCT_UPDATED` is the value of a property of `cause`, not of `cause` itself.
        expect(known ?? [], key).toEqual(key === 'cause' ? [] : named)
      }
    })

    it('has a sample that matches its own field table exactly', () => {
      const sample = eventType.sample(source)
      const { data } = sample
      expect(fits.object(data)).toBe(true)
      expect(Object.keys(Object(data))).toEqual(keys)
      for (const dataField of eventType.data) {
        const value = field(data, dataField.key)
        expect(fits[dataField.type](value), dataField.key).toBe(true)
        const known = knownValues(dataField, source.brand)
        if (known.length > 0) expect(known, dataField.key).toContain(value)
      }
      expect(Object.hasOwn(sample, 'targetUuid')).toBe(row.targetUuid !== 'none')
      if (row.targetUuid === 'null') expect(sample.targetUuid).toBeNull()
      else if (row.targetUuid !== 'none') expect(typeof sample.targetUuid).toBe('string')
      expect(Object.hasOwn(sample, 'targetId')).toBe(row.targetId !== 'none')
      if (row.targetId !== 'none') expect(typeof sample.targetId).toBe('string')
    })

    it('has a view whose fields are in the API documentation', () => {
      const common: readonly string[] = commonFields.map(({ key }) => key)
      for (const place of placesOf(eventType.view)) {
        const [first = '', key = ''] = place.split('.')
        expect(common, place).toContain(first)
        if (first === 'data') expect(keys, place).toContain(key)
        // Nested fields are only mentioned in descriptions: `cause` has a `type`.
        const deeper = place.split('.').slice(2)
        const words = row.fields.find((one) => one.key === key)?.description ?? ''
        for (const part of deeper) expect(words, place).toContain(`\`${part}\``)
      }
      expect(eventType.view.icon).toMatch(/^[a-z][a-z0-9-]*$/)
    })

    it('renders every part of its view from its sample', () => {
      const sample = sampleOf(eventType)
      for (const place of placesOf(eventType.view))
        expect(valueAt(sample, place), place).toBeDefined()
    })

    it('summarizes its sample in one line, without a guest’s handle', () => {
      const sample = sampleOf(eventType)
      const line = titleOf(sample)
      expect(line).toMatch(/^[A-Z0-9].{5,}$/)
      expect(line).not.toMatch(/undefined|null|NaN|\[object|  /)
      const handle = field(sample.data, 'handle')
      if (typeof handle === 'string') expect(line).not.toContain(handle)
    })

    it('summarizes any payload in one short line', () => {
      const sample = sampleOf(eventType)
      for (const value of hostile) {
        checkLine(type, { data: value })
        const everything: Record<string, unknown> = Object.fromEntries(
          [...commonFields, { key: 'data' }].map(({ key }) => [key, value]),
        )
        checkLine(type, everything)
        checkLine(type, {
          ...everything,
          data: Object.fromEntries(keys.map((key) => [key, value])),
        })
        for (const key of keys)
          checkLine(type, { ...sample, data: { ...Object(sample.data), [key]: value } })
        for (const { key } of commonFields) checkLine(type, { ...sample, [key]: value })
      }
    })
  },
)
