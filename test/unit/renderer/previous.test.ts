import { expect, it } from 'vitest'
import { parseFilter } from '#contract/filter/parse.ts'
import { filterLike } from '#parts/diff/DiffTab.tsx'

it('requests the same type and target, whatever their names', () => {
  expect(filterLike({ type: 'OPEN_TAB', target: 'tab-1' })).toBe('type:OPEN_TAB target:tab-1')
  expect(filterLike({ type: null, target: null })).toBe('type:none target:none')
  expect(filterLike({ type: 'none', target: 'a*b "c"' })).toBe(
    String.raw`type:"none" target:"a*b \"c\""`,
  )
  for (const text of ['', ' ', '"', 'x,y', '(', '-', '\u202e', '<', 'a:b']) {
    const parsed = parseFilter(filterLike({ type: text, target: text }))
    expect(parsed.ok && parsed.filter.kind === 'and', text).toBe(true)
  }
})
