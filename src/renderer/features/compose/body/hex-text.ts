import { hexPairs } from '#shared/bytes/hex.ts'
/** Formats bytes as pairs of hex digits, sixteen per line. */
export function toHex(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let from = 0; from < bytes.length; from += perLine) {
    let line = ''
    const to = Math.min(bytes.length, from + perLine)
    for (let at = from; at < to; at += 1) {
      line += (at === from ? '' : at - from === perLine / 2 ? '  ' : ' ') + hexPairs[bytes[at] ?? 0]
    }
    lines.push(line)
  }
  return lines.join('\n')
}

const perLine = 16
export type HexReading =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  /** `at` and `to`: the invalid range, in characters of the text. */
  | { readonly ok: false; readonly at: number; readonly to: number; readonly message: string }

/** Parses pairs of hex digits. White space is allowed between pairs, but not inside them. */
export function fromHex(text: string): HexReading {
  const bytes = new Uint8Array(text.length / 2 + 1)
  let length = 0
  for (let at = 0; at < text.length;) {
    const high = text.charCodeAt(at)
    if (isSpace(high)) {
      at += 1
      continue
    }
    const first = digit(high)
    if (first < 0) return fault(text, at, 'is not a hex digit. Use 0 to 9 and a to f')
    const second = digit(text.charCodeAt(at + 1))
    if (second < 0) {
      return at + 1 >= text.length || isSpace(text.charCodeAt(at + 1))
        ? { ok: false, at, to: at + 1, message: 'Incomplete byte: the second digit is missing.' }
        : fault(text, at + 1, 'is not a hex digit. Use 0 to 9 and a to f')
    }
    bytes[length] = first * 16 + second
    length += 1
    at += 2
  }
  return { ok: true, bytes: bytes.slice(0, length) }
}

function fault(text: string, at: number, words: string): HexReading {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return { ok: false, at, to: at + character.length, message: `“${character}” ${words}.` }
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

/** The value of a hex digit by its character code; -1 if it is none. */
function digit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
