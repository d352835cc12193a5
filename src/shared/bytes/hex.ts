/** For each byte its two digits. */
export const hexPairs: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)

/** Bytes as hex digits, in lower case. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => hexPairs[byte]).join('')
}
