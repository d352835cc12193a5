/** Longer texts are cut, in characters. */
const longest = 4000

const decoder = new TextDecoder()

export function responseText(body: Uint8Array): string {
  const text = decoder.decode(body)
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}

/** A body in three parts, the middle one being the part that differs from a valid delivery. */
export interface ChangedParts {
  readonly before: string
  readonly changed: string
  readonly after: string
}

/**
 * Splits a body at its change, without splitting a character. Long parts are cut far from the change.
 *
 * @param change the bytes that differ, from and to; null: none
 */
export function changedParts(
  body: Uint8Array,
  change: readonly [from: number, to: number] | null,
): ChangedParts {
  if (change === null) return { before: responseText(body), changed: '', after: '' }
  let [from, to] = change
  while (from > 0 && isContinuation(body[from])) from -= 1
  while (to > from && isContinuation(body[to])) to += 1
  const before = decoder.decode(body.subarray(0, from))
  const changed = decoder.decode(body.subarray(from, to))
  const after = decoder.decode(body.subarray(to))
  return {
    before: before.length <= longest ? before : `…${before.slice(-longest)}`,
    changed: changed.length <= longest ? changed : `${changed.slice(0, longest)}…`,
    after: after.length <= longest ? after : `${after.slice(0, longest)}…`,
  }
}

/** Whether a byte continues a character of UTF-8. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0
}
