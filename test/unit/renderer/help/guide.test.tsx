import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { guide, readPage, resolveLink, searchGuide } from '#pages/help/guide.ts'
import { Markdown } from '#pages/help/Markdown.tsx'
import { guideAddress, guidePages, guidePlaceOf } from '#client/addresses/guide.ts'

function found(query: string): string[] {
  return searchGuide(query).map(({ page, section }) => `${page.name}#${section.slug ?? ''}`)
}

function drawn(source: string, words: readonly string[] = []): string {
  return renderToStaticMarkup(
    <Markdown page={readPage('sending', 'Sending', source)} words={words} />,
  )
}

describe('the search', () => {
  it('finds every page by its title', () => {
    for (const { name, title } of guidePages) {
      expect(
        found(title).map((place) => place.split('#')[0]),
        title,
      ).toContain(name)
    }
  })
})

describe('a page', () => {
  it('has the same anchors as on GitHub', () => {
    const { slugs } = readPage('sending', '', '# A “b” & `c.d`\n## Same\n### Same\n## Über-uns_2')
    expect([...slugs.values()]).toEqual(['a-b--cd', 'same', 'same-1', 'über-uns_2'])
  })

  it('never renders HTML from its source', () => {
    const html = drawn(
      '<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b\n\n<!-- note -->\n\n`<b>`',
    )
    expect(html).not.toMatch(/<(?:script|img|b)\b/)
    expect(html).toContain('&lt;script&gt;')
    expect(html).not.toContain('note')
  })

  it('renders all elements of the guide', () => {
    const html = drawn(
      '1. a **b**\n2. [c](filters.md#d)\n\n> e\n\n| f |\n| - |\n| `g` |\n\n```sh\nh i\n```',
      ['h'],
    )
    for (const part of [
      '<ol>',
      '<strong>b</strong>',
      'href="#/help/filters/d"',
      '<blockquote>',
      ' scope="col">f</th>',
      '<code>g</code>',
      '<mark class="found">h</mark>',
    ])
      expect(html).toContain(part)
  })

  it('links to the guide, and to the repository for other files', () => {
    expect(resolveLink('filters.md', 'sending')).toBe('#/help/filters')
    expect(resolveLink('#a', 'sending')).toBe('#/help/sending/a')
    expect(resolveLink('../../.github/SECURITY.md', 'security')).toMatch(
      /^https:\/\/github\.com\/.*\/\.github\/SECURITY\.md$/,
    )
    expect(resolveLink('javascript:alert(1)', 'sending')).toMatch(/^https:\/\/github\.com\//)
  })
})

it('has a URL for each page, and shows the list for any other URL', () => {
  for (const { name } of guide) {
    expect(guidePlaceOf(guideAddress(name))).toEqual({ page: name, section: null })
    expect(guidePlaceOf(guideAddress(name, 'a-b'))).toEqual({ page: name, section: 'a-b' })
  }
  for (const address of ['#/help', '#/help/nowhere', '#/settings/port', '']) {
    expect(guidePlaceOf(address)).toEqual({ page: null, section: null })
  }
})
