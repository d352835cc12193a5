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
