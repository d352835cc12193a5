import type { Sliced } from './in-slices.ts'
import type { JsonNodes } from './json-nodes.ts'
import { jsonNodes } from './json-nodes.ts'

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** Bytes decoded at a time. */
const part = 512 * 1024

/** The bytes as text when they are UTF-8, else null. A character cut at the end of a slice is left out. */
export function textOf(bytes: Uint8Array, whole: boolean): string | null {
  for (let missing = 0; missing <= (whole ? 0 : 3); missing++) {
    try {
      return strict.decode(bytes.subarray(0, bytes.length - missing))
    } catch {
      // A slice may end within a character.
    }
  }
  return null
}

/** The bytes that are here of a body as text; null when they are not UTF-8. In slices, for a large one. */
export function* bodyText(bytes: Uint8Array, whole: boolean): Sliced<{ text: string | null }> {
  return { text: yield* decoded(bytes, whole) }
}

/** The tree of a text; null when it is not JSON. */
export function* bodyTree(text: string): Sliced<{ tree: JsonNodes | null }> {
  const tree = yield* jsonNodes(text)
  return { tree: tree.fault === null ? tree : null }
}

function* decoded(bytes: Uint8Array, whole: boolean): Sliced<string | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const parts: string[] = []
  try {
    for (let from = 0; from < bytes.length; from += part) {
      parts.push(decoder.decode(bytes.subarray(from, from + part), { stream: true }))
      yield
    }
    if (whole) parts.push(decoder.decode())
  } catch {
    return null
  }
  return parts.join('')
}

/** A first look spares a long text that is no JSON the whole way through it. */
export function startsLikeJson(text: string): boolean {
  return /^[ \t\r\n]*[[{"\-0-9tfn]/.test(text)
}
