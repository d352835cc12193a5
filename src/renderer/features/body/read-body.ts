const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

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

/** A first look spares a long text that is no JSON the whole way through it. */
export function startsLikeJson(text: string): boolean {
  return /^[ \t\r\n]*[[{"\-0-9tfn]/.test(text)
}
