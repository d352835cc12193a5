import { expect, it } from 'vitest'
import {
  hiddenCharacters,
  escapeControls,
  visibleJson,
  visibleLines,
} from '#shared/text/visible.ts'

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)
const short = new Map([
  [0x09, String.raw`\t`],
  [0x0a, String.raw`\n`],
  [0x0d, String.raw`\r`],
])
/** C0, DEL and C1; line separators; bidirectional controls (Unicode, UAX 9); zero-width characters; lone surrogates. */
const hidden = new Set([
  ...range(0x00, 0x1f),
  ...range(0x7f, 0x9f),
  0xad,
  0x061c,
  0x180e,
  ...range(0x200b, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2060, 0x206f),
  0xfeff,
  ...range(0xd800, 0xdfff),
  ...range(0xfff9, 0xfffb),
  ...range(0xe0000, 0xe007f),
])

it('escapes every control character, line separator, bidirectional control and invisible character', () => {
  for (const code of hidden) {
    const hex = code.toString(16).padStart(4, '0')
    const shown = short.get(code) ?? (code > 0xffff ? `\\u{${hex}}` : `\\u${hex}`)
    expect(escapeControls(`a${String.fromCodePoint(code)}b`)).toBe(`a${shown}b`)
  }
})

it('escapes them in JSON so that it can still be parsed', () => {
  for (const code of hidden) {
    const value = { [`a${String.fromCodePoint(code)}`]: `b${String.fromCodePoint(code)}` }
    const json = visibleJson(JSON.stringify(value))
    expect(json.search(hiddenCharacters)).toBe(-1)
    expect(JSON.parse(json)).toEqual(value)
  }
})

it('keeps all other characters', () => {
  const text = range(0x20, 0x1ffff)
    .filter((code) => !hidden.has(code))
    .map((code) => String.fromCodePoint(code))
    .join('')
  expect(escapeControls(text)).toBe(text)
  expect(escapeControls('Größe 漢字 🍔')).toBe('Größe 漢字 🍔')
})

it('escapes terminal sequences for colors, titles and links', () => {
  expect(escapeControls('\u001b[31mred\u001b]0;title\u0007\u009b2J')).toBe(
    '\\u001b[31mred\\u001b]0;title\\u0007\\u009b2J',
  )
})

it('keeps line breaks in multi-line text', () => {
  expect(visibleLines('a\u0007\nb\tc\n')).toBe('a\\u0007\nb\\tc\n')
})
