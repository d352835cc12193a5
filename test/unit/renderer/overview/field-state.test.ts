import { describe, expect, it } from 'vitest'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { DataField } from '#catalogue/define.ts'
import { commonFields } from '#catalogue/payload.ts'
import {
  commonFieldState,
  dataFieldState,
  extraFieldState,
} from '#pages/deliveries/detail/FieldRow.tsx'
import { guessFormat, looksLikeId, readTime } from '#pages/deliveries/detail/field-format.ts'

const dataField = (type: string, key: string): DataField => {
  const found = eventTypeOf(type)?.data.find((one) => one.key === key)
  if (!found) throw new Error(`${type} has no ${key}.`)
  return found
}
const common = (key: string) => {
  const found = commonFields.find((one) => one.key === key)
  if (!found) throw new Error(`There is no ${key}.`)
  return found
}
const state = (type: string, key: string, value: unknown, brand = 'Service') =>
  dataFieldState(dataField(type, key), value, brand)
const nothing = { absent: null, mark: null }

describe('a field of data', () => {
  it('is absent or as documented', () => {
    expect(state('ORDER_PLACED', 'total', undefined)).toEqual({ absent: 'absent', mark: null })
    expect(state('ORDER_PLACED', 'total', 42.5)).toEqual(nothing)
    expect(state('ORDER_PLACED', 'scheduled', false)).toEqual(nothing)
    expect(state('ORDER_PLACED', 'itemNames', [])).toEqual(nothing)
    expect(state('CATEGORY_UPDATED', 'cause', {})).toEqual(nothing)
  })

  it.each([
    ['total', '42.50', 'text, documented as number'],
    ['total', null, 'null, documented as number'],
    ['orderName', 17, 'number, documented as text'],
    ['scheduled', 'no', 'text, documented as true or false'],
    ['itemNames', 'Fries', 'text, documented as list of texts'],
    ['itemNames', ['Fries', 1], 'list, documented as list of texts'],
    ['orderName', {}, 'object, documented as text'],
    ['orderName', ['a'], 'list of texts, documented as text'],
  ])('%s with a wrong type: %j', (key, value, text) => {
    expect(state('ORDER_PLACED', key, value)).toEqual({
      absent: null,
      mark: { text, tone: 'warning' },
    })
  })

  it('with an undocumented value is marked as info', () => {
    const fresh = {
      absent: null,
      mark: { text: 'undocumented value', tone: 'info' },
    }
    expect(state('OPEN_TAB', 'openedFrom', 'KIOSK')).toEqual(fresh)
    expect(state('QR_SCANNED', 'type', 'MENU')).toEqual(fresh)
    expect(state('QR_SCANNED', 'type', 'SPOT')).toEqual(nothing)
    expect(state('OPEN_TAB', 'openedFrom', 'SERVER_TAB')).toEqual(nothing)
    expect(state('OPEN_TAB', 'openedFrom', 'SERVICE_MENU')).toEqual(nothing)
    expect(state('OPEN_TAB', 'openedFrom', 'ACME_MENU')).toEqual(fresh)
    expect(state('OPEN_TAB', 'openedFrom', 'ACME_MENU', 'Acme')).toEqual(nothing)
  })
})

describe('a common property', () => {
  const order = { uuid: 'orderUuid', id: null }
  const category = { uuid: null, id: 'categoryId' }

  it('may be absent if documented as optional, and is missing otherwise', () => {
    expect(commonFieldState(common('locationName'), undefined, order)).toEqual({
      absent: 'absent',
      mark: null,
    })
    for (const key of ['type', 'createdAt', 'data']) {
      expect(commonFieldState(common(key), undefined, order).mark?.tone, key).toBe('warning')
    }
  })

  it('is missing where the type has no such target, and reported as extra when present', () => {
    expect(commonFieldState(common('targetId'), undefined, order).absent).toMatch(/as documented/)
    expect(commonFieldState(common('targetUuid'), null, category)).toEqual(nothing)
    expect(commonFieldState(common('targetId'), '7', order).mark?.tone).toBe('info')
    expect(commonFieldState(common('targetId'), '7', undefined)).toEqual(nothing)
    expect(commonFieldState(common('targetUuid'), null, order).mark?.text).toBe(
      'null, documented as text',
    )
  })
})

it('marks undocumented fields, except for an undocumented type', () => {
  expect(extraFieldState(true).mark?.text).toBe('not documented')
  expect(extraFieldState(false)).toEqual(nothing)
})

describe('the guessed format of a value', () => {
  it('is an ID by its form or by its key', () => {
    const uuid = '5f3b1c52-8a70-4f0e-9c39-7a4c19f1d7e2'
    expect(looksLikeId('anything', uuid)).toBe(true)
    for (const key of ['id', 'tabId', 'tabUuid', 'tabID', 'tab_id']) {
      expect(looksLikeId(key, '7001'), key).toBe(true)
    }
    for (const key of ['paid', 'name', 'grid', 'idea']) {
      expect(looksLikeId(key, '7001'), key).toBe(false)
    }
    expect(looksLikeId('tabId', 'two words')).toBe(false)
    expect(looksLikeId('tabId', '')).toBe(false)
    expect(looksLikeId('tabId', 'x'.repeat(201))).toBe(false)
  })

  it('is a time only in ISO 8601', () => {
    const at = Date.UTC(2026, 10, 21, 20, 9, 4, 512)
    expect(readTime('2026-11-21T20:09:04.512Z')).toEqual({ at, zoned: true })
    expect(readTime('2026-11-21T21:09:04.512+01:00')).toEqual({ at, zoned: true })
    expect(readTime('2026-11-21T20:09:04.512')?.zoned).toBe(false)
    // `Date.parse` accepts all of these.
    for (const text of ['A-17', '5', '2026-11-21', '21 Nov 2026', '2026-13-21T20:09:04Z', '']) {
      expect(readTime(text), text).toBeNull()
    }
    expect(guessFormat('2026-11-21T20:09:04.512Z', 'paidId')).toBe('time')
    expect(guessFormat('7001', 'tabId')).toBe('id')
    expect(guessFormat('A-17', 'orderName')).toBe('text')
  })
})
