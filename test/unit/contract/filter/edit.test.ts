import { describe, expect, it } from 'vitest'
import { topTerms, valuesOf, without, withTerm, withValues } from '#contract/filter/edit.ts'
import { parseFilter } from '#contract/filter/parse.ts'

it.each([
  ['type:A,"b c" x', 'type', ['A', 'b c']],
  ['x (type:A)', 'type', ['A']],
  ['type:none', 'type', ['none']],
  ['-type:A', 'type', []],
  ['type:!=A', 'type', []],
  ['type:A or x', 'type', []],
  ['(type:A or x)', 'type', []],
  ['verdict:valid', 'type', []],
  ['type:A foo:b', 'type', []],
  ['', 'type', []],
])('valuesOf of %s', (text, field, expected) => {
  expect(valuesOf(text, field)).toEqual(expected)
})

it.each<[text: string, values: string[], expected: string]>([
  ['', ['A'], 'type:A'],
  ['  a   type:A  b ', ['B', 'c d'], '  a   type:B,"c d"  b '],
  ['a type:A b', [], 'a b'],
  ['type:A', [], ''],
  ['a type:A', [], 'a'],
  ['type:A b', [], 'b'],
  ['a and type:A and b', [], 'a and b'],
  ['type:A and b', [], 'b'],
  ['a and type:A', [], 'a'],
  ['a', [], 'a'],
  ['a "b  c"', ['A'], 'a "b  c" type:A'],
  ['-type:B', ['A'], '-type:B type:A'],
  ['a or b', ['A'], '(a or b) type:A'],
  ['(a or b)', ['A'], '(a or b) type:A'],
  ['(a) or (b)', ['A'], '((a) or (b)) type:A'],
  ['type:B or b', ['A'], '(type:B or b) type:A'],
  ['foo:b "', ['A'], 'type:A foo:b "'],
  ['a', ['*', '"', 'none', '>x', 'a,b'], String.raw`a type:"*","\"",none,">x","a,b"`],
])('withValues of %s and %s', (text, values, expected) => {
  expect(withValues(text, 'type', values)).toBe(expected)
  const after = parseFilter(expected)
  if (after.ok && values.length > 0) expect(valuesOf(expected, 'type')).toEqual(values)
})

it.each([
  ['', 'data.x:>5', 'data.x:>5'],
  ['a', 'data.x:>5', 'a data.x:>5'],
  ['a  data.x:>5 b', 'data.x:>5', 'a  data.x:>5 b'],
  ['a or b', '-c', '(a or b) -c'],
  ['-data.x:5', 'data.x:5', '-data.x:5 data.x:5'],
])('withTerm %s with %s', (text, term, expected) => {
  expect(withTerm(text, term)).toBe(expected)
})

describe('without', () => {
  it.each([
    ['a -type:A b', 1, 'a b'],
    ['a and (b or c) d', 1, 'a d'],
    ['for type:A', 1, 'for'],
    ['a', 0, ''],
  ])('of %s the term %d', (text, index, expected) => {
    const parsed = parseFilter(text)
    const term = parsed.ok ? topTerms(parsed.filter)[index] : undefined
    if (!term) throw new Error('no such term')
    expect(without(text, term)).toBe(expected)
  })

  it('also removes the or', () => {
    expect(without('a or b', { from: 0, to: 1 })).toBe('b')
    expect(without('a or b', { from: 5, to: 6 })).toBe('a')
    expect(without('x (a or b)', { from: 3, to: 4 })).toBe('x (b)')
  })
})
