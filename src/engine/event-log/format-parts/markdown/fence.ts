import { visible } from '#contract/visible.ts'
import { asBuffer } from '../body-text.ts'
import { longestRun } from './inline.ts'

/** So much of a text is shown, in bytes. */
const shownBytes = 4096

/** Text in lines, cut, between marks that are longer than any in it (CommonMark, 4.5), and how much more there is. */
export function fence(text: string, language: string): string {
  const bytes = Buffer.from(text)
  const kept = wholeCharacters(bytes, shownBytes)
  return fenceOf(bytes.toString('utf8', 0, kept), language, bytes.byteLength - kept)
}

/** As `fence`, of bytes that are UTF-8 and too many to be made text of. */
export function fenceOfBytes(body: Uint8Array, language: string): string {
  const bytes = asBuffer(body)
  const kept = wholeCharacters(bytes, shownBytes)
  return fenceOf(bytes.toString('utf8', 0, kept), language, bytes.byteLength - kept)
}

function fenceOf(text: string, language: string, more: number): string {
  const lines = text.split(/\r?\n/).map(visible)
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1))
  const fenced = `${marks}${language}\n${lines.join('\n')}\n${marks}\n`
  return more === 0 ? fenced : `${fenced}… ${more} more ${more === 1 ? 'byte' : 'bytes'}\n`
}

/** At most so many bytes, with no character cut in two: in UTF-8 those that go on begin with the bits 10. */
function wholeCharacters(bytes: Buffer, limit: number): number {
  if (bytes.byteLength <= limit) return bytes.byteLength
  let end = limit
  while (end > limit - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return end
}
