import { textOf } from '../../body/index.ts'

/** How a body is written. `json` and `text` are the same characters; in `text` nothing is checked. */
export const bodyModes = ['json', 'text', 'hex'] as const
export type BodyMode = (typeof bodyModes)[number]

const MiB = 1024 * 1024
/** Up to this many bytes a body is checked, coloured and compared while it is written. */
export const checkedUpTo = MiB

const encoder = new TextEncoder()

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text)
}

/** The mode to begin in: JSON where it may be some and is not too long for it, and bytes where it is no text at all. */
export function firstMode(bytes: Uint8Array): BodyMode {
  const text = textOf(bytes)
  if (text === null) return 'hex'
  if (bytes.length > checkedUpTo) return 'text'
  return text.trim() === '' || /^[\s\ufeff]*[[{"\d-]/.test(text) ? 'json' : 'text'
}

/** The modes that a body can be written in: its length in bytes, and its text, null where it is none. */
export function possibleModes(bytes: number, text: string | null): readonly BodyMode[] {
  if (text === null) return ['hex']
  return bytes > checkedUpTo ? ['text', 'hex'] : bodyModes
}

export function sameBytes(first: Uint8Array, second: Uint8Array): boolean {
  if (first.length !== second.length) return false
  for (let at = 0; at < first.length; at += 1) if (first[at] !== second[at]) return false
  return true
}

/** How the lines of a text end. `none`: it has one line. `mixed`: not all of them alike, or a return that stands alone. */
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
 * What an editor must split the text at to give it back as it was. Where line ends are mixed it is the line feed: every return then stays
 * in its line as a character that is shown.
 */
export function separatorOf(ends: LineEnds): '\n' | '\r\n' {
  return ends === 'crlf' ? '\r\n' : '\n'
}

/** A text with its line ends as `separator`: for what is pasted. */
export function withLineEnds(text: string, separator: '\n' | '\r\n'): string {
  return text.replace(/\r\n?|\n/g, separator)
}
