import { textOf } from '#parts/body/body-text.ts'
import { hexPairs } from '#shared/bytes/text.ts'
import { minifyJson } from '#shared/json/format.ts'
import { formatText } from '../editor/json-place.ts'

/** How a body is shown. `json` and `text` have the same characters, but `text` is not checked; `hex` cannot be edited. */
export const bodyModes = ['json', 'text', 'hex'] as const
export type BodyMode = (typeof bodyModes)[number]

const MiB = 1024 * 1024
/** Up to this many bytes a body is checked, highlighted and compared while typing. */
export const checkedUpTo = MiB

const encoder = new TextEncoder()

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Returns the initial mode: JSON if the body may be JSON and is not too large, hex if it is not text. */
export function firstMode(bytes: Uint8Array): BodyMode {
  const text = textOf(bytes)
  if (text === null) return 'hex'
  if (bytes.length > checkedUpTo) return 'text'
  return text.trim() === '' || /^[\s\ufeff]*[[{"\d-]/.test(text) ? 'json' : 'text'
}

/** Returns the possible modes for a body, by its length in bytes and its text (null if it is not text). */
export function possibleModes(bytes: number, text: string | null): readonly BodyMode[] {
  if (text === null) return ['hex']
  return bytes > checkedUpTo ? ['text', 'hex'] : bodyModes
}

export type Layout = (json: string) => string | null

const asItIs: Layout = (json) => json

/** Returns what writes JSON in the layout of the text. `before`: its result for the text before a change, which may be in between. */
export function layoutOf(text: string, original: string | null, before = asItIs): Layout {
  if (text === original) return asItIs
  return [formatText, minifyJson].find((write) => write(text) === text) ?? before
}

export function sameBytes(first: Uint8Array, second: Uint8Array): boolean {
  if (first.length !== second.length) return false
  for (let at = 0; at < first.length; at += 1) if (first[at] !== second[at]) return false
  return true
}

/** The line endings of a text. `none`: a single line. `mixed`: different ones, or a lone carriage return. */
export type LineEnds = 'none' | 'lf' | 'crlf' | 'mixed'

export function lineEndsOf(text: string): LineEnds {
  let returns = 0
  let pairs = 0
  let feeds = 0
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1)) {
    returns += 1
    if (text[at + 1] === '\n') pairs += 1
  }
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) feeds += 1
  if (returns === 0) return feeds === 0 ? 'none' : 'lf'
  return pairs === returns && pairs === feeds ? 'crlf' : 'mixed'
}

/**
 * Returns the line separator with which an editor restores the text exactly. For mixed line endings that is the line feed; carriage returns then
 * stay in their lines as visible characters.
 */
export function separatorOf(ends: LineEnds): '\n' | '\r\n' {
  return ends === 'crlf' ? '\r\n' : '\n'
}

/** Replaces the line endings of a text, for pasted text. */
export function withLineEnds(text: string, separator: '\n' | '\r\n'): string {
  return text.replace(/\r\n?|\n/g, separator)
}

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
