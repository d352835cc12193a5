import { hexPairs } from '#shared/bytes/text.ts'

/** The bytes as one hex string, for the clipboard. */
export function hexText(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let from = 0; from < bytes.length; from += 4096) {
    let part = ''
    for (const byte of bytes.subarray(from, from + 4096)) part += hexPairs[byte]
    parts.push(part)
  }
  return parts.join('')
}

/** Formats up to 16 bytes as hex pairs in two groups. */
export function hexLine(part: Uint8Array): string {
  const written = Array.from(part, (byte) => hexPairs[byte] ?? '')
  return `${written.slice(0, 8).join(' ').padEnd(23)}  ${written.slice(8).join(' ').padEnd(23)}`
}

/** Formats bytes as ASCII characters, with a dot for each that is not printable. */
export function printed(part: Uint8Array): string {
  return Array.from(part, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·',
  ).join('')
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Decodes bytes as UTF-8, so that a `TextEncoder` restores exactly the same bytes; null if they are not UTF-8. Keeps a byte order mark.
 * With `isComplete` false, omits a character that is truncated at the end.
 */
export function textOf(bytes: Uint8Array, isComplete = true): string | null {
  for (let missing = 0; missing <= (isComplete ? 0 : 3); missing++) {
    try {
      return strict.decode(bytes.subarray(0, bytes.length - missing))
    } catch {
      // A slice may end in the middle of a character.
    }
  }
  return null
}

/** A quick check that avoids parsing a long text that is not JSON. */
export function startsLikeJson(text: string): boolean {
  return /^[ \t\r\n]*[[{"\-0-9tfn]/.test(text)
}
