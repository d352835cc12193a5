import { expect, it } from 'vitest'
import { prettyJson } from '#contract/json-text.ts'

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
