import { expect, it } from 'vitest'
import { formatJson, lineAndColumn, minifyJson, prettyJson } from '#shared/json/format.ts'
import { randomJson, seeded } from '#test/support/random-json.ts'

it('puts one member on a line, and keeps every value as it came', () => {
  expect(prettyJson('{"a":1.0,"b":[12345678901234567890,true,null],"a":"\\u00e9 {x: [y]}"}')).toBe(
    [
      '{',
      '  "a": 1.0,',
      '  "b": [',
      '    12345678901234567890,',
      '    true,',
      '    null',
      '  ],',
      '  "a": "\\u00e9 {x: [y]}"',
      '}',
    ].join('\n'),
  )
})

it('keeps empty brackets together', () => {
  expect(prettyJson('{"a":{ },"b":[ ]}')).toBe('{\n  "a": {},\n  "b": []\n}')
})

it('leaves what is no object and no array to be shown as it is', () => {
  for (const text of ['', '12', '"text"', '{"a":', '<html>']) expect(prettyJson(text)).toBeNull()
})

it('keeps quotes and backslashes within strings', () => {
  const text = '{"a":"say \\"[hi]\\" \\\\"}'
  expect(prettyJson(text)).toBe('{\n  "a": "say \\"[hi]\\" \\\\"\n}')
})

it('formats as JSON.stringify does, and minifies what it formatted', () => {
  const random = seeded(20)
  for (let turn = 0; turn < 3000; turn += 1) {
    const value = randomJson(random)
    const [compact, indented] = [JSON.stringify(value), JSON.stringify(value, null, 2)]
    expect(formatJson(compact)).toBe(indented)
    expect(formatJson(indented)).toBe(indented)
    expect(minifyJson(indented)).toBe(compact)
  }
})

it('formats and minifies no text that JSON.parse refuses', () => {
  for (const text of ['', '{"a":nope}', '[1,', '[1,]', '"a\tb"', '{} {}', '\ufeff{}']) {
    expect(formatJson(text)).toBeNull()
    expect(minifyJson(text)).toBeNull()
  }
})

it('gives line and column of a place', () => {
  expect(lineAndColumn('ab\ncd', 0)).toEqual({ line: 1, column: 1 })
  expect(lineAndColumn('ab\ncd', 4)).toEqual({ line: 2, column: 2 })
})
