import { jsonLanguage } from '@codemirror/lang-json'
import { expect, it } from 'vitest'
import { minifyJson } from '#shared/json/format.ts'
import {
  describeFault,
  formatText,
  hasPlaceholder,
  placeInTree,
} from '#parts/composer/editor/json-place.ts'

/** The part of the text that a location refers to. */
function at(text: string, place: string): string | null {
  const found = placeInTree(
    jsonLanguage.parser.parse(text),
    (from, to) => text.slice(from, to),
    place,
  )
  return found && text.slice(found.from, found.to)
}

const body =
  '{"type": "A", "data": {"total": 42.5, "tags": ["x", {"y": 1}], "k.d": 2, "\\u0061b": 3}}'

it('finds the field that a finding is about', () => {
  expect(at(body, 'body.type')).toBe('"type": "A"')
  expect(at(body, 'body.data.total')).toBe('"total": 42.5')
  expect(at(body, 'body.data.tags[0]')).toBe('"x"')
  expect(at(body, 'body.data.tags[1].y')).toBe('"y": 1')
  expect(at(body, 'body.data.k.d')).toBe('"k.d": 2')
  expect(at(body, 'body.data.ab')).toBe('"\\u0061b": 3')
})

it('shows a missing field at its innermost existing parent', () => {
  expect(at(body, 'body')).toBe('{')
  expect(at(body, 'body.createdAt')).toBe('{')
  expect(
    placeInTree(jsonLanguage.parser.parse(body), (f, t) => body.slice(f, t), 'body.data.zone'),
  ).toEqual({
    from: body.indexOf('{', 1),
    to: body.indexOf('{', 1) + 1,
  })
  expect(at(body, 'body.data.total.more')).toBe('42.5')
  expect(at('', 'body.data')).toBe('')
  expect(at('[1', 'body.x')).toBe('[')
})

it('refers to the last of duplicate keys, and to nothing for a header', () => {
  expect(at('{"a": 1, "a": 2}', 'body.a')).toBe('"a": 2')
  expect(at(body, 'header.x-service-signature')).toBeNull()
  expect(at(body, 'request')).toBeNull()
  expect(at(body, 'bodyguard')).toBeNull()
})

function fault(text: string): [string, string] | null {
  const found = describeFault(text, false)
  return found && [text.slice(found.from, found.to), found.message]
}

it('reports where the JSON ends and why', () => {
  expect(fault('{"a": [1, 2.5e3, null]}\n')).toBeNull()
  expect(fault('{"a": 1,}')).toEqual(['}', 'Trailing commas are not allowed in JSON.'])
  expect(fault("{'a': 1}")).toEqual(["'", 'Use double quotes for strings.'])
  expect(fault('{"a": 1 "b": 2}')).toEqual(['"', 'Missing comma.'])
  expect(fault('{"a": 1')?.[1]).toMatch(/Unexpected end of JSON/)
  expect(fault('{"a": nope}')).toEqual(['n', 'Unexpected “n”.'])
  expect(fault('{} // x')?.[1]).toMatch(/Comments are not allowed/)
  expect(fault(' ')?.[1]).toMatch(/is empty/)
})

it('accepts a placeholder as a value if placeholders are on', () => {
  const text = '{"n": {{counter}}, "id": "{{uuid:order}}", "at": {{now:seconds}}}'
  expect(hasPlaceholder(text)).toBe(true)
  expect(hasPlaceholder('{"a": "{{other}}"}')).toBe(false)
  expect(describeFault(text, true)).toBeNull()
  expect(describeFault(text, false)).toMatchObject({ from: text.indexOf('{{counter') + 1 })
})

it('formats and minifies without changing a value', () => {
  const text = '{"big": 12345678901234567890, "e": 1.50E+2,\r\n "s": "a  \\u0041 b", "s": []}\n'
  expect(formatText(text)).toBe(
    '{\n  "big": 12345678901234567890,\n  "e": 1.50E+2,\n  "s": "a  \\u0041 b",\n  "s": []\n}\n',
  )
  expect(minifyJson(text)).toBe(
    '{"big":12345678901234567890,"e":1.50E+2,"s":"a  \\u0041 b","s":[]}',
  )
  expect(formatText('{"a": nope}')).toBeNull()
  expect(minifyJson('[1,')).toBeNull()
})
