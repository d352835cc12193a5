/** The two hex digits of each byte value. */
export const hexPairs: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)

/** Converts bytes to lower-case hex digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => hexPairs[byte]).join('')
}
