import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { frameworks } from '#catalogue/frameworks.ts'
import { RawBodyChecks } from '#pages/deliveries/detail/SignatureTab.tsx'

afterEach(() => vi.unstubAllGlobals())

it.each(frameworks.map(({ id, label, check }) => [label, id, check] as const))(
  'shows the check for %s once it is selected, and why it uses raw bytes',
  (label, id, check) => {
    vi.stubGlobal('localStorage', { getItem: () => id })
    const html = renderToStaticMarkup(createElement(RawBodyChecks, { brand: 'Acme' }))
    for (const path of check) expect(html).toContain(`aria-label="${path} for ${label}"`)
    expect(html).toMatch(/x[-_]acme[-_]signature/i)
    expect(html).toContain('Parsing and re-serializing the body')
    expect(html.match(/<option/g)).toHaveLength(frameworks.length)
  },
)

it('shows a default without a stored framework, or with an unknown one', () => {
  for (const getItem of [() => null, () => 'gone']) {
    vi.stubGlobal('localStorage', { getItem })
    expect(renderToStaticMarkup(createElement(RawBodyChecks, { brand: 'Acme' }))).toContain('<pre')
  }
})
