import { describe, expect, it } from 'vitest'
import { full } from '#test/support/full.ts'
import { eventTypes } from '#catalogue/catalogue.ts'
import { traffic } from '#sandbox/traffic.ts'
import {
  customValue,
  deliveryOf,
  findingsIn,
  sampleDelivery,
  without,
} from '#test/support/sample-delivery.ts'

const types = eventTypes.map(({ type }) => type)

describe('a delivery that matches the API documentation', () => {
  it.each(types)('%s has no findings', (type) => {
    expect(findingsIn(sampleDelivery(type))).toEqual([])
    expect(findingsIn(sampleDelivery(type, { settings: { secret: null } }))).toEqual([])
  })

  it.each(full ? ['Acme', 'Service', 'ACME', 'x'] : ['ACME'])(
    'simulated traffic of %s has no findings',
    (brand) => {
      const seen = new Set<string>()
      for (const step of traffic({ seed: 5, brand, count: full ? 3000 : 1000 })) {
        const sent = deliveryOf(step.payload(new Date('2026-03-14T21:00:00.000Z')), {
          settings: { brand, customHeaders: [['X-Key', customValue]] },
        })
        expect(findingsIn(sent), step.type).toEqual([])
        seen.add(step.type)
      }
      expect([...seen].sort()).toEqual([...types].sort())
    },
  )

  it('has none for optional fields that are missing or null', () => {
    for (const type of types) {
      for (const value of [undefined, null]) {
        const sent = sampleDelivery(type, {
          payload(payload) {
            for (const key of ['locationUuid', 'locationName', 'locationId']) payload[key] = value
          },
        })
        expect(findingsIn(sent), type).toEqual([])
      }
    }
  })

  it('has none for an OPEN_TAB event with some of its data, or none', () => {
    for (const data of [undefined, null, {}, { name: 'Ada', total: 0 }]) {
      const sent = sampleDelivery('OPEN_TAB', { payload: (payload) => void (payload.data = data) })
      expect(findingsIn(sent)).toEqual([])
    }
  })

  it('requires all listed fields of types with data, and none of types without', () => {
    for (const { type, hasData, data } of eventTypes) {
      const sent = sampleDelivery(type, { payload: (payload) => void (payload.data = {}) })
      const asked = hasData === 'yes' ? data.filter(({ conditional }) => !conditional) : []
      expect(findingsIn(sent).map(({ code, location }) => [code, location])).toEqual(
        asked.map(({ key }) => ['data.field_missing', `body.data.${key}`]),
      )
    }
  })

  it('reports each listed field with a wrong type', () => {
    for (const { type, data } of eventTypes) {
      for (const { key } of data) {
        // No documented field is a list of lists.
        const sent = sampleDelivery(type, { payload: (_, fields) => void (fields[key] = [[1]]) })
        expect(findingsIn(sent).map(({ code, location }) => [code, location])).toEqual([
          ['data.field_type', `body.data.${key}`],
        ])
      }
    }
  })

  it('reports nothing about the data or the target of an unknown type', () => {
    for (const data of [{}, { a: [1, { b: null }] }, { created: 'yesterday', cause: 1 }]) {
      const sent = sampleDelivery('ITEM_ADDED', {
        payload(payload) {
          payload.type = 'SOMETHING_NEW'
          payload.data = data
          delete payload.targetUuid
        },
      })
      expect(findingsIn(sent).map(({ code }) => code)).toEqual(['payload.unknown_type'])
    }
  })
})

const half = (text: string) => text.slice(0, 50)

describe('an incomplete request', () => {
  const none = without('user-agent', 'content-type', 'x-acme-event-type', 'x-acme-application-id')
  const codes = (edits: Parameters<typeof sampleDelivery>[1]) =>
    findingsIn(sampleDelivery('ITEM_ADDED', { headers: none, ...edits })).map(({ code }) => code)

  it('has no other findings', () => {
    expect(codes({ lost: true })).toEqual(['request.no_endpoint'])
    expect(codes({ arrival: 'cut_off', body: half })).toEqual(['request.cut_off'])
    expect(codes({ arrival: 'too_large', body: half })).toEqual(['body.too_large'])
    expect(codes({ body: () => '' })).toEqual(['body.empty'])
  })

  it('is checked for everything that does not depend on the body if only the body is invalid', () => {
    expect(codes({ body: () => 'type=ITEM_ADDED' })).toEqual([
      'body.not_json',
      'header.application_id_missing',
      'header.user_agent',
      'header.content_type',
    ])
  })
})
