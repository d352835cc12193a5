import type { Sliced } from './in-slices.ts'

const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The bytes as one hex string, for the clipboard. */
export function* hexText(bytes: Uint8Array): Sliced<string> {
  const parts: string[] = []
  for (let from = 0; from < bytes.length; from += 4096) {
    let part = ''
    for (const byte of bytes.subarray(from, from + 4096)) part += pairs[byte]
    parts.push(part)
    yield
  }
  return parts.join('')
}

/** Up to 16 bytes as pairs, in two groups. */
export function hexLine(part: Uint8Array): string {
  const written = Array.from(part, (byte) => pairs[byte] ?? '')
  return `${written.slice(0, 8).join(' ').padEnd(23)}  ${written.slice(8).join(' ').padEnd(23)}`
}

/** Bytes as the characters that they are in ASCII, a dot for one that does not print. */
export function printed(part: Uint8Array): string {
  return Array.from(part, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·',
  ).join('')
}
