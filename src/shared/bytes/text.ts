export const hexPairs: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => hexPairs[byte]).join('')
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Removes a UTF-8 character that the end of a slice has split. Its first byte is at most three bytes before the end. */
export function withoutPartialCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes.at(-back) ?? 0
    if (byte >= 0xc0) return bytes.subarray(0, -back)
    if (byte < 0x80) break
  }
  return bytes
}
