import type { TimeBudget } from './time-budget.ts'

/** `U+00E9` */
export function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Null if the text is not hex. */
export function hexBytes(text: string): Buffer | null {
  return text.length % 2 === 0 && /^[0-9a-f]+$/i.test(text) ? Buffer.from(text, 'hex') : null
}

/** base64 or base64url, with or without padding (RFC 4648, 4 and 5). Null if the text is neither. */
export function base64Bytes(text: string): Buffer | null {
  return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null
}

/** Percent escapes (RFC 3986, 2.1), also as in forms. Omits results that equal the text. */
export function decodedPercent(text: string): string[] {
  const forms = [text, text.replaceAll('+', ' ')].flatMap((form) => {
    try {
      return [decodeURIComponent(form)]
    } catch {
      return []
    }
  })
  return [...new Set(forms)].filter((form) => form !== text)
}

export function encodedPercent(text: string): string[] {
  const forms = [
    encodeURIComponent(text.toWellFormed()),
    encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+'),
  ]
  return [...new Set(forms)].filter((form) => form !== text)
}

/** A multiple of three, so that base64 needs no padding between pieces. */
const chunkBytes = 96 * 1024

function* slices(bytes: Buffer): Iterable<Buffer> {
  for (let from = 0; from < bytes.byteLength; from += chunkBytes)
    yield bytes.subarray(from, from + chunkBytes)
}

function* texts(bytes: Buffer, encoding: 'utf-8' | 'windows-1252' = 'utf-8'): Iterable<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  for (const slice of slices(bytes)) yield decoder.decode(slice, { stream: true })
  yield decoder.decode()
}

/** The characters of Windows-1252 where Latin-1 has control characters, with their bytes. */
const windows = new Map(
  Array.from({ length: 32 }, (_, index) => {
    const byte = 0x80 + index
    return [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte] as const
  }),
)

/** Converts UTF-8 to a single-byte encoding. Characters that it lacks become question marks, as in Java. */
export function* asLatin1(
  bytes: Buffer,
  encoding: 'latin1' | 'windows-1252' | 'ascii',
): Iterable<Buffer> {
  const lacking = encoding === 'ascii' ? /[^\u0000-\u007f]/gu : /[^\u0000-\u00ff]/gu
  for (const text of texts(bytes)) {
    yield Buffer.from(
      text.replace(lacking, (character) => {
        const byte = encoding === 'windows-1252' ? windows.get(character) : undefined
        return byte === undefined ? '?' : String.fromCharCode(byte)
      }),
      'latin1',
    )
  }
}

export function* asUtf8(bytes: Buffer, encoding: 'latin1' | 'windows-1252'): Iterable<Buffer> {
  if (encoding === 'windows-1252') {
    for (const text of texts(bytes, encoding)) yield Buffer.from(text, 'utf8')
  } else for (const slice of slices(bytes)) yield Buffer.from(slice.toString('latin1'), 'utf8')
}

/** The low byte of each UTF-16 code unit of UTF-8 text, as `Buffer.from(text, 'latin1')` writes it. */
export function* lowBytes(bytes: Buffer): Iterable<Buffer> {
  for (const text of texts(bytes)) yield Buffer.from(text, 'latin1')
}

/** Replaces bytes that are not UTF-8 with U+FFFD. */
export function* replacedPieces(bytes: Buffer): Iterable<Buffer> {
  for (const text of texts(bytes)) yield Buffer.from(text, 'utf8')
}

export function* utf16Pieces(bytes: Buffer, order: 'little' | 'big'): Iterable<Buffer> {
  for (const text of texts(bytes)) {
    const written = Buffer.from(text, 'utf16le')
    yield order === 'big' ? written.swap16() : written
  }
}

export function* hexPieces(bytes: Buffer): Iterable<Buffer> {
  for (const slice of slices(bytes)) yield Buffer.from(slice.toString('hex'), 'latin1')
}

export function* base64Pieces(bytes: Buffer): Iterable<Buffer> {
  for (const slice of slices(bytes)) yield Buffer.from(slice.toString('base64'), 'latin1')
}

export function* quotedPieces(bytes: Buffer): Iterable<Buffer> {
  const quote = Buffer.from('"')
  yield quote
  for (const text of texts(bytes)) yield Buffer.from(JSON.stringify(text).slice(1, -1), 'utf8')
  yield quote
}

export function* crlfToLf(bytes: Buffer): Iterable<Buffer> {
  let from = 0
  for (;;) {
    const at = bytes.indexOf('\r\n', from)
    if (at === -1) break
    yield bytes.subarray(from, at)
    from = at + 1
  }
  yield bytes.subarray(from)
}

/** Replaces LF with CR LF. An LF after a CR is unchanged. */
export function* lfToCrlf(bytes: Buffer): Iterable<Buffer> {
  const carriageReturn = Buffer.from('\r')
  let from = 0
  let at = bytes.indexOf(0x0a)
  for (; at !== -1; at = bytes.indexOf(0x0a, at + 1)) {
    if (bytes[at - 1] === 0x0d) continue
    yield bytes.subarray(from, at)
    yield carriageReturn
    from = at
  }
  yield bytes.subarray(from)
}

/** Counts the characters of UTF-8 bytes: in UTF-16 code units and in code points. */
export async function countCharacters(
  bytes: Buffer,
  budget: TimeBudget,
): Promise<{ units: number; points: number }> {
  let units = 0
  let pairs = 0
  for (const text of texts(bytes)) {
    units += text.length
    pairs += text.match(/[\ud800-\udbff]/g)?.length ?? 0
    if (budget.due) await budget.yield()
  }
  return { units, points: units - pairs }
}

const pythonShort: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** In single quotes, or in double quotes if the text contains only single ones. */
export function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const inside = text.replaceAll(/[\\'"\u0000-\u001f\u007f-\u00a0\u00ad]/g, (character) => {
    if (character === '\\') return '\\\\'
    if (character === '"' || character === "'")
      return character === quote ? `\\${quote}` : character
    return pythonShort[character] ?? `\\x${hexOf(character)}`
  })
  return quote + inside + quote
}

/** `b'…'`, with non-ASCII bytes as `\xe9`. */
export function pythonBytes(bytes: Buffer): string {
  const repr = pythonRepr(bytes.toString('latin1'))
  return `b${repr.replaceAll(/[\u0080-\u00ff]/g, (character) => `\\x${hexOf(character)}`)}`
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0')
}

/** As .NET encodes: two question marks for a character beyond U+FFFF. */
export function* asNetLatin1(bytes: Buffer, encoding: 'latin1' | 'ascii'): Iterable<Buffer> {
  const lacking = encoding === 'ascii' ? /[^\u0000-\u007f]/g : /[^\u0000-\u00ff]/g
  for (const text of texts(bytes)) yield Buffer.from(text.replace(lacking, '?'), 'latin1')
}

/** Replaces bytes beyond ASCII. */
export function* asciiOnly(bytes: Buffer, replacement: '?' | ''): Iterable<Buffer> {
  for (const slice of slices(bytes)) {
    const text = slice.toString('latin1').replaceAll(/[\u0080-\u00ff]/g, replacement)
    yield Buffer.from(text, 'latin1')
  }
}

/** Replaces characters beyond U+FFFF. */
export function* withoutPairs(bytes: Buffer, replacement: string): Iterable<Buffer> {
  for (const text of texts(bytes)) {
    yield Buffer.from(text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, replacement), 'utf8')
  }
}

/** UTF-8 of each half of a pair of surrogates (CESU-8), as Java and MySQL write it. */
export function* cesu8Pieces(bytes: Buffer): Iterable<Buffer> {
  for (const text of texts(bytes)) {
    yield Buffer.concat(
      text.split(/([\ud800-\udfff])/).map((part) => {
        const code = part.charCodeAt(0)
        return part.length === 1 && code >= 0xd800 && code <= 0xdfff
          ? Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)])
          : Buffer.from(part, 'utf8')
      }),
    )
  }
}

export function* normalizedPieces(bytes: Buffer, form: 'NFC' | 'NFD'): Iterable<Buffer> {
  yield Buffer.from(bytes.toString('utf8').normalize(form), 'utf8')
}
