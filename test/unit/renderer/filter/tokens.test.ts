import { expect, it } from 'vitest'
import { tokenize } from '#pages/deliveries/filter/completions.ts'
import { full } from '#test/support/full.ts'
import { growth, linearGrowth } from '#test/support/growth.ts'

const describeTokens = (text: string) =>
  tokenize(text)
    .filter(({ kind }) => kind !== 'space')
    .map(({ kind, from, to }) => `${kind} ${text.slice(from, to)}`)

it('distinguishes fields, comparisons, values and text', () => {
  expect(describeTokens('type:A,B -lag:>=5s (free or "as one")')).toEqual([
    'field type:',
    'value A',
    'sign ,',
    'value B',
    'sign -',
    'field lag:',
    'operator >=',
    'value 5s',
    'sign (',
    'text free',
    'operator or',
    'text "as one"',
    'sign )',
  ])
  expect(describeTokens('data."odd key".x:>1 header:x-id!="a b",c body.a:"x"')).toEqual([
    'field data."odd key".x:',
    'operator >',
    'value 1',
    'field header:',
    'value x-id',
    'operator !=',
    'value "a b"',
    'sign ,',
    'value c',
    'field body.a:',
    'value "x"',
  ])
})

const odd = [
  '',
  ' ',
  '"',
  'type:',
  'type:"a',
  'type:a"b',
  'a:b:c',
  '--a',
  ')(',
  'or or',
  ',',
  'data.',
  'data..x:',
  'header:=x',
  'since:>>1',
  '"a\\"b" c',
  '"a\\',
  'é:ü',
  '\u{1F37A}:x',
]

it('covers every character of any text once', () => {
  for (const text of odd) {
    const pieces = tokenize(text)
    expect(pieces.map(({ from, to }) => text.slice(from, to)).join(''), text).toBe(text)
    expect(
      pieces.every(({ from, to }) => to > from),
      text,
    ).toBe(true)
  }
})

it.runIf(full)('takes linear time', () => {
  for (const part of ['"', 'a', 'data.', 'a:', '(', '\\"', 'data."a']) {
    const work = (size: number) => {
      const text = part.repeat(size)
      return () => tokenize(text)
    }
    expect(growth(work, 250), part).toBeLessThan(linearGrowth)
  }
})
