import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { TypeConformance } from '#contract/deliveries.ts'
import { Report } from '#pages/health/differences/ConformancePage.tsx'
import { kind, typed } from './samples.ts'

const drawn = (types: readonly TypeConformance[]): string =>
  renderToStaticMarkup(createElement(Report, { types }))

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
  it('lists types that were never received, and undocumented types separately', () => {
    const html = drawn([order, typed(null, -9, 9, [], 2)])
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
    const html = drawn(types)
    expect(html.match(/<tr/g)?.length).toBeLessThan(900)
    expect(html.match(/<li/g)?.length).toBeLessThan(40)
    expect(html).toContain('Show 288 more')
  })
})
