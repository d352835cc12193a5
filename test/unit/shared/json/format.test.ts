import { expect, it } from 'vitest'
import { formatJson, lineAndColumn, minifyJson, prettyJson } from '#shared/json/format.ts'
import { randomJson, seeded } from '#test/support/random-json.ts'

it('writes one member per line, and keeps all values unchanged', () => {
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

it('returns null for values other than objects and arrays', () => {
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

it('returns null for text that JSON.parse rejects', () => {
  for (const text of ['', '{"a":nope}', '[1,', '[1,]', '"a\tb"', '{} {}', '\ufeff{}']) {
    expect(formatJson(text)).toBeNull()
    expect(minifyJson(text)).toBeNull()
  }
})

it('returns line and column of an index', () => {
  expect(lineAndColumn('ab\ncd', 0)).toEqual({ line: 1, column: 1 })
  expect(lineAndColumn('ab\ncd', 4)).toEqual({ line: 2, column: 2 })
})
