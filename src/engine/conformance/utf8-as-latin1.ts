const encoder = new TextEncoder()

/** A text as a header carries it when it is sent as UTF-8: one character a byte. Needs no Node. */
export function utf8AsLatin1(text: string): string {
  let written = ''
  for (const byte of encoder.encode(text)) written += String.fromCharCode(byte)
  return written
}
