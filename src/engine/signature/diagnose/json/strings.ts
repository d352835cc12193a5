/** `original`: as received. */
export const stringStyles = [
  'original',
  'plain',
  'ascii',
  'slashes',
  'php',
  'html',
  'dotnet',
] as const
export type StringStyle = (typeof stringStyles)[number]

const unit = (character: string, upper = false): string => {
  const digits = character.charCodeAt(0).toString(16).padStart(4, '0')
  return `\\u${upper ? digits.toUpperCase() : digits}`
}

/** Without the u flag, so that a surrogate pair becomes two escapes, as in all of these styles. */
const beyondAscii = /[\u0080-\uffff]/g

const rewrites: Readonly<Record<StringStyle, (text: string) => string>> = {
  original: (text) => text,
  plain: (text) => text,
  ascii: (text) => text.replace(beyondAscii, (character) => unit(character)),
  slashes: (text) => text.replaceAll('/', '\\/'),
  php: (text) => rewrites.slashes(rewrites.ascii(text)),
  html: (text) => text.replace(/[<>&\u2028\u2029]/g, (character) => unit(character)),
  dotnet: (text) =>
    text
      .replaceAll('\\"', '\\u0022')
      .replace(/[<>&'+`\u007f]/g, (character) => unit(character, true))
      .replace(beyondAscii, (character) => unit(character, true)),
}

/** Bytes that a style may write differently. */
const suspects: Readonly<Record<StringStyle, string>> = {
  original: '',
  plain: '\\',
  ascii: '\\',
  slashes: '\\/',
  php: '\\/',
  html: '\\<>&\u00e2',
  dotnet: "\\<>&'+`\u007f",
}
const asciiOnly: ReadonlySet<StringStyle> = new Set(['ascii', 'php', 'dotnet'])

const suspectTables = new Map(
  stringStyles.map((style) => {
    const table = new Uint8Array(256)
    for (const character of suspects[style]) table[character.charCodeAt(0)] = 1
    if (asciiOnly.has(style)) table.fill(1, 128)
    return [style, table] as const
  }),
)

export function suspectBytes(style: StringStyle): number[] {
  return [...(suspectTables.get(style) ?? [])].flatMap((suspect, byte) => (suspect ? [byte] : []))
}

const chunkBytes = 64 * 1024

export function mayChange(bytes: Uint8Array, style: StringStyle): boolean {
  const table = suspectTables.get(style)
  if (!table || style === 'original') return false
  for (const byte of bytes) if (table[byte] === 1) return true
  return false
}

/** Rewrites the inside of a JSON string in pieces. Leaves invalid JSON unchanged. */
export function* rewriteString(inside: Buffer, style: StringStyle): Iterable<Buffer> {
  for (let from = 0; from < inside.byteLength;) {
    const to = inside.byteLength - from <= chunkBytes ? inside.byteLength : cutAfter(inside, from)
    const piece = inside.subarray(from, to)
    yield mayChange(piece, style) ? rewritePiece(piece, style) : piece
    from = to
  }
}

function rewritePiece(piece: Buffer, style: StringStyle): Buffer {
  try {
    const text: unknown = JSON.parse(`"${piece.toString('utf8')}"`)
    if (typeof text !== 'string') return piece
    // JSON.stringify escapes quotes, backslashes and control characters, as all styles do.
    return Buffer.from(rewrites[style](JSON.stringify(text).slice(1, -1)), 'utf8')
  } catch {
    return piece
  }
}

/** A position to split the string that is not within a character, an escape or a pair of escapes. */
function cutAfter(inside: Buffer, from: number): number {
  let at = from
  let highSurrogate = false
  while (at < inside.byteLength) {
    const byte = inside[at] ?? 0
    const continues = (byte & 0xc0) === 0x80
    if (at - from >= chunkBytes && !continues && !highSurrogate) return at
    if (byte === 0x5c) {
      const isUnicode = inside[at + 1] === 0x75
      highSurrogate = isUnicode && /^d[89ab]/i.test(inside.toString('latin1', at + 2, at + 4))
      at += isUnicode ? 6 : 2
    } else {
      highSurrogate = false
      at += 1
    }
  }
  return inside.byteLength
}
