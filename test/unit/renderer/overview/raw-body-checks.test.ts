import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { rawBodyChecks } from '#catalogue/raw-body-checks.ts'
import { RawBodyChecks } from '#renderer/features/deliveries/detail/SignatureTab.tsx'

afterEach(() => vi.unstubAllGlobals())

it.each(rawBodyChecks.map(({ id, label }) => [label, id] as const))(
  'shows the check for %s once it is selected, and why it uses raw bytes',
  (label, id) => {
    vi.stubGlobal('localStorage', { getItem: () => id })
    const html = renderToStaticMarkup(createElement(RawBodyChecks, { brand: 'Acme' }))
    expect(html).toContain(`aria-label="Check for ${label}"`)
    expect(html).toMatch(/x[-_]acme[-_]signature/i)
    expect(html).toContain('Parsing and re-serializing the body')
    expect(html.match(/<option/g)).toHaveLength(rawBodyChecks.length)
  },
)

it('shows a default without a stored framework, or with an unknown one', () => {
  for (const getItem of [() => null, () => 'gone']) {
    vi.stubGlobal('localStorage', { getItem })
    expect(renderToStaticMarkup(createElement(RawBodyChecks, { brand: 'Acme' }))).toContain('<pre')
  }
})
