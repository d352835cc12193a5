import { textOf } from '#parts/body/body-text.ts'
import { expect, it } from 'vitest'
import {
  encodeText,
  firstMode,
  layoutOf,
  possibleModes,
  sameBytes,
  lineEndsOf,
  separatorOf,
  toHex,
  withLineEnds,
} from '#parts/composer/body/body-modes.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

it('restores text exactly, including a byte order mark', () => {
  for (const text of ['', '\ufeff{"a":1}', 'a\r\nb\rc\n', 'é😀\u0000\u2028', '{"a":1}\n']) {
    const decoded = textOf(bytes(text))
    expect(decoded).toBe(text)
    expect(encodeText(decoded ?? '')).toEqual(bytes(text))
  }
  expect(textOf(Uint8Array.of(0x7b, 0xff))).toBeNull()
  expect(textOf(Uint8Array.of(0xed, 0xa0, 0x80))).toBeNull()
})

it('compares with the original in the layout of the text', () => {
  const captured = '{ "a": 1,\n "b": [2] }'
  const formatted = '{\n  "a": 1,\n  "b": [\n    2\n  ]\n}'
  const same = layoutOf(captured, captured)
  expect(same(captured)).toBe(captured)
  const edited = layoutOf('{ "a": 7,\n "b": [2] }', captured, same)
  expect(edited(captured)).toBe(captured)
  const pretty = layoutOf('{\n  "a": 7\n}', captured, edited)
  expect(pretty(captured)).toBe(formatted)
  // While a value is typed, it is no JSON.
  expect(layoutOf('{\n  "a": \n}', captured, pretty)(captured)).toBe(formatted)
  expect(layoutOf('{"a":7}', captured, pretty)(captured)).toBe('{"a":1,"b":[2]}')
  expect(layoutOf(captured, captured, pretty)(captured)).toBe(captured)
})

it('starts with JSON if possible, else with text, and with hex if the body is not text', () => {
  expect(firstMode(bytes('{"a":1}'))).toBe('json')
  expect(firstMode(bytes('\ufeff\r\n [1]'))).toBe('json')
  expect(firstMode(bytes('{"a": nope'))).toBe('json')
  expect(firstMode(bytes(''))).toBe('json')
  expect(firstMode(bytes('hello'))).toBe('text')
  expect(firstMode(Uint8Array.of(0x80))).toBe('hex')
  expect(possibleModes(1, null)).toEqual(['hex'])
  expect(possibleModes(1, 'x')).toEqual(['json', 'text', 'hex'])
  const long = new Uint8Array(1024 * 1024 + 1).fill(0x20)
  expect(firstMode(long)).toBe('text')
  expect(possibleModes(long.length, ' ')).toEqual(['text', 'hex'])
})

it('reports the line endings', () => {
  expect(lineEndsOf('{}')).toBe('none')
  expect(lineEndsOf('a\nb\n')).toBe('lf')
  expect(lineEndsOf('a\r\nb\r\n')).toBe('crlf')
  for (const text of ['a\r\nb\n', 'a\rb', 'a\r\r\n', '\n\r', 'a\r\nb\rc\n']) {
    expect(lineEndsOf(text), JSON.stringify(text)).toBe('mixed')
  }
  expect(separatorOf('crlf')).toBe('\r\n')
  expect(separatorOf('mixed')).toBe('\n')
  expect(withLineEnds('a\r\nb\rc\nd', '\n')).toBe('a\nb\nc\nd')
  expect(withLineEnds('a\r\nb\nc', '\r\n')).toBe('a\r\nb\r\nc')
})

it('knows whether bytes are the same', () => {
  expect(sameBytes(bytes('abc'), bytes('abc'))).toBe(true)
  expect(sameBytes(bytes('abc'), bytes('abd'))).toBe(false)
  expect(sameBytes(bytes('abc'), bytes('ab'))).toBe(false)
})

it('writes every byte as a pair of hex digits, sixteen in a line', () => {
  const lines = toHex(Uint8Array.from({ length: 300 }, (_, at) => at % 256)).split('\n')
  expect(lines[0]).toBe('00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f')
  expect(lines).toHaveLength(19)
  expect(lines[18]).toBe('20 21 22 23 24 25 26 27  28 29 2a 2b')
  expect(toHex(new Uint8Array())).toBe('')
})
