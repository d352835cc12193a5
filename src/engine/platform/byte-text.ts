/** The UTF-8 bytes of a text, one Latin-1 character for each, as bodies and headers are held that may contain anything. */
export function toBytes(text: string): string {
  return /[^\x00-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text
}

/** The text of such bytes. */
export function fromBytes(bytes: string): string {
  return /[^\x00-\x7f]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes
}
