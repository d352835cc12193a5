import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { TypeConformance } from '#contract/deliveries.ts'
import { Report } from '#pages/health/differences/ConformancePage.tsx'
import { kind, tuesday, typed } from './samples.ts'

const drawn = (types: readonly TypeConformance[], since: number | null): string =>
  renderToStaticMarkup(createElement(Report, { types, since }))

const textOf = (types: readonly TypeConformance[], since: number | null): string =>
  drawn(types, since)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([,:.])/g, '$1')

const marks = (types: readonly TypeConformance[], since: number | null) =>
  drawn(types, since)
    .split(/<h2[^>]* id="known-types"[^>]*>/)[1]
    ?.match(/>New</g)?.length ?? 0

const many = (name: string) =>
  typed(
    name,
    1,
    9,
    Array.from({ length: 300 }, (_, at) => kind(1, 2, { location: `p${at}` })),
  )

const order = typed('ORDER_PLACED', -10, 9, [
  kind(14, 20),
  kind(-9, -1, { location: 'body.data.x' }),
])

describe('the report', () => {
  it('marks new entries in the tables, unless everything would be new', () => {
    expect(marks([order], tuesday)).toBe(1)
    expect(marks([order], null)).toBe(0)
    expect(marks([typed('ORDER_PLACED', 1, 9, [kind(14, 20)])], tuesday)).toBe(0)
    expect(textOf([typed('ORDER_PLACED', 1, 9, [kind(14, 20)])], tuesday)).toContain(
      'there is nothing to compare with',
    )
  })

  it('lists types that were never received, and undocumented types separately', () => {
    const html = drawn([order, typed(null, -9, 9, [], 2)], null)
    expect(html.split('id="unseen-types"')[1]).toContain('QR_SCANNED')
    expect(html.split('id="unseen-types"')[1]).not.toContain('ORDER_PLACED')
    expect(html.split('id="unknown-types"')[1]).toContain('no type')
    expect(html).toContain('href="#/deliveries?filter=type%3Anone"')
  })

  it('stays bounded, whatever a sender calls types and fields', () => {
    const types = [
      typed('OPEN_TAB', -9, 9),
      ...Array.from({ length: 100 }, (_, at) => many(`T${at}`)),
    ]
    const html = drawn(types, tuesday)
    expect(html.match(/<tr/g)?.length).toBeLessThan(900)
    expect(html.match(/<li/g)?.length).toBeLessThan(40)
    expect(html).toContain('Show 288 more')
  })
})
