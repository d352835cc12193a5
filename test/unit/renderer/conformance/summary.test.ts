import { expect, it } from 'vitest'
import { eventTypes } from '#catalogue/catalogue.ts'
import { findingCodes } from '#catalogue/findings.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { filterFor, filterForField } from '#pages/health/differences/links.tsx'
import { findingTitle, locationLabel, summaryOf } from '#pages/health/differences/summary.ts'
import { kind, tuesday, typed } from './samples.ts'

it('sorts types by their most severe finding, and separates undocumented types', () => {
  const summary = summaryOf([
    typed('CLOSE_TAB', -9, 1),
    typed('OPEN_TAB', -9, 1, [kind(0, 1)]),
    typed(null, -9, 1, [kind(0, 1, { severity: 'error' })]),
    typed('ORDER_PLACED', -9, 1, [
      kind(0, 1, { count: 900 }),
      kind(0, 1, { severity: 'error', count: 1 }),
      kind(0, 1, { severity: 'warning', count: 5, location: 'a' }),
      kind(0, 1, { severity: 'warning', count: 6, location: 'b' }),
    ]),
    typed('TAB_MERGED', -20, 1, [], 7),
  ])
  expect(summary.known.map(({ type }) => type)).toEqual(['ORDER_PLACED', 'OPEN_TAB', 'CLOSE_TAB'])
  expect(summary.unknown.map(({ type }) => type)).toEqual([null, 'TAB_MERGED'])
  expect(summary.known[0]?.findings.map(({ severity, count }) => [severity, count])).toEqual([
    ['error', 1],
    ['warning', 6],
    ['warning', 5],
    ['info', 900],
  ])
  expect(summary.unseen).toHaveLength(eventTypes.length - 3)
  expect(summary.unseen).toContain('QR_SCANNED')
  expect(summary.unseen).not.toContain('OPEN_TAB')
  expect(summary).toMatchObject({
    deliveries: 407,
    kinds: { error: 2, warning: 2, info: 2 },
    oldestAt: tuesday - 20 * 3_600_000,
  })
})

it('returns the title of a code, and a location in filter syntax', () => {
  for (const { code } of findingCodes) {
    expect(findingTitle(code), code).not.toBe(code)
    expect(findingTitle(code)).not.toMatch(/\.$/)
  }
  expect(findingTitle('some.thing')).toBe('some.thing')
  expect(locationLabel('body.data.total')).toBe('data.total')
  expect(locationLabel('body')).toBe('body')
  expect(locationLabel('header.x-body.y')).toBe('header.x-body.y')
})

it.each(['ORDER_PLACED', 'none', 'NONE', 'a*', 'two words', '"', '\\', 'a,b', '-x', ' ', ':'])(
  'leads to a filter for the type %j that means just that',
  (type) => {
    const parsed = parseFilter(filterFor(type, 'data.field_extra'))
    if (!parsed.ok) throw new Error(parsed.error.message)
    expect(parsed.filter).toMatchObject({
      kind: 'and',
      parts: [
        { field: 'type', comparison: '=', values: [{ text: type }] },
        { field: 'finding', comparison: '=', values: [{ text: 'data.field_extra' }] },
      ],
    })
    const means = parsed.filter.kind === 'and' ? parsed.filter.parts[0] : undefined
    const quoted = means?.kind === 'field' && means.values[0]?.quoted
    if (/none|\*/i.test(type)) expect(quoted).toBe(true)
  },
)

it('links to deliveries without a type', () => {
  expect(filterFor(null)).toBe('type:none')
})

it.each([
  ['data.total', 'OPEN_TAB', 'type:OPEN_TAB data.total:*', 'type:OPEN_TAB -data.total:*'],
  ['data.items[].name', null, 'type:none data.items.name:*', 'type:none -data.items.name:*'],
  ['data', 'X_Y', 'type:X_Y body.data:*', 'type:X_Y -body.data:*'],
  ['data["a.b"]', 'X_Y', 'type:X_Y data."a.b":*', 'type:X_Y -data."a.b":*'],
  ['data.items[]', 'X_Y', null, null],
  ['data.*', 'X_Y', null, null],
  ['data.total', '*', null, null],
])('leads to deliveries with and without the field %s of %s', (path, type, having, lacking) => {
  expect([filterForField(type, path), filterForField(type, path, false)]).toEqual([having, lacking])
  if (having !== null) expect(parseFilter(having).ok && parseFilter(lacking ?? '').ok).toBe(true)
})
