import { describe, expect, it } from 'vitest'
import { isIsoTimestamp, isUtcWithMilliseconds } from '#engine/payload/conformance/rules.ts'

describe('isIsoTimestamp', () => {
  it.each([
    '2026-03-14T21:00',
    '2026-03-14T21:00:00',
    '2026-03-14T21:00:00Z',
    '2026-03-14T21:00:00,5+02',
    '2026-03-14T21:00:00.123456789+0200',
    '2026-03-14T21:00:00.123-11:30',
    '2028-02-29T00:00:00Z',
  ])('accepts %s', (text) => {
    expect(isIsoTimestamp(text)).toBe(true)
  })

  it.each([
    '',
    '2026-03-14',
    '2026-03-14 21:00:00Z',
    '2026-3-14T21:00:00Z',
    '2026-03-14T21Z',
    '2026-00-14T21:00:00Z',
    '2026-03-00T21:00:00Z',
    '2026-03-32T21:00:00Z',
    '2026-06-31T21:00:00Z',
    '2026-02-29T21:00:00Z',
    '1900-02-29T21:00:00Z',
    '2026-03-14T24:00:00Z',
    '2026-03-14T21:60:00Z',
    '2026-03-14T21:00:61Z',
    '20260231T210000Z',
    '2026-03-14T21:00:00Z ',
    '2026-03-14T21:00:00ZZ',
    '२०२६-03-14T21:00:00Z',
    '1773522000123',
  ])('rejects %j', (text) => {
    expect(isIsoTimestamp(text)).toBe(false)
  })
})

const pad = (value: number) => String(value).padStart(2, '0')

it('isUtcWithMilliseconds agrees with the calendar on every day of four centuries', () => {
  for (let year = 1900; year < 2300; year += 1) {
    for (let month = 1; month <= 12; month += 1) {
      for (const day of [28, 29, 30, 31]) {
        const text = `${year}-${pad(month)}-${pad(day)}T12:00:00.000Z`
        const real = new Date(Date.UTC(year, month - 1, day, 12)).toISOString() === text
        if (isUtcWithMilliseconds(text) !== real) expect.fail(text)
      }
    }
  }
})
