import { expect, it } from 'vitest'
import { printable } from '#hosts/printable.ts'

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)
/** C0, DEL and C1; then what breaks lines, and what turns the direction of writing (Unicode, UAX 9). */
const unsafe = [
  ...range(0x00, 0x1f),
  ...range(0x7f, 0x9f),
  0x2028,
  0x2029,
  0x061c,
  0x200e,
  0x200f,
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
]

it('escapes every character that drives a terminal, breaks a line or turns the direction', () => {
  for (const code of unsafe) {
    const escaped = `\\u${code.toString(16).padStart(4, '0')}`
    expect(printable(`a${String.fromCodePoint(code)}b`)).toBe(`a${escaped}b`)
  }
})

it('leaves every other character as it is', () => {
  const text = range(0x20, 0x10ffff)
    .filter((code) => !unsafe.includes(code) && (code < 0xd800 || code > 0xdfff) && code < 0x3000)
    .map((code) => String.fromCodePoint(code))
    .join('')
  expect(printable(text)).toBe(text)
  expect(printable('Größe 漢字 🍔👩‍🍳')).toBe('Größe 漢字 🍔👩‍🍳')
})

it('lets no sequence of colours, titles or links through', () => {
  expect(printable('\u001b[31mred\u001b]0;title\u0007\u009b2J')).toBe(
    '\\u001b[31mred\\u001b]0;title\\u0007\\u009b2J',
  )
})
