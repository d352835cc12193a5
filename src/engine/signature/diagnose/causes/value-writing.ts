import type { TriedCause } from '../cause.ts'
import { base64Bytes, decodedPercent, hexBytes } from './encodings.ts'

/** Removes a part of a value that does not belong there. */
interface Unwrapper extends TriedCause {
  readonly unwrap: (text: string) => readonly string[]
}

const maxListItems = 20

const hexLength = 64

const prefixes = /^(?:hmac[-_]?)?(?:md5|sha-?\d{1,3})[=:]\s*/i
const versions = /^v\d{1,2}[=,:]\s*/i

export const unwrappers: readonly Unwrapper[] = [
  {
    code: 'encoding.prefix',
    tries: 'A prefix of the signature, such as “sha256=”, was removed.',
    unwrap: (text) => (prefixes.test(text) ? [text.replace(prefixes, '')] : []),
  },
  {
    code: 'encoding.version_prefix',
    tries: 'A version before the signature, such as “v1=”, was removed.',
    unwrap: (text) => (versions.test(text) ? [text.replace(versions, '')] : []),
  },
  {
    code: 'encoding.quotes',
    tries: 'Quotes around the value were removed.',
    unwrap: (text) => (/^(["'`]).+\1$/.test(text) ? [text.slice(1, -1)] : []),
  },
  {
    code: 'encoding.white_space',
    tries: 'White space and control characters in the value were removed.',
    unwrap: (text) => {
      const without = text.replaceAll(/[\u0000-\u0020\u007f-\u00a0\u200b\ufeff]/g, '')
      return without === text ? [] : [without]
    },
  },
  {
    code: 'encoding.hex_prefix',
    tries: '“0x” before the digits was removed.',
    unwrap: (text) => (/^0x[0-9a-f]{16}/i.test(text) ? [text.slice(2)] : []),
  },
  {
    code: 'encoding.python_bytes',
    tries: 'The b and the quotes around the value were removed, and \\x escapes were decoded.',
    unwrap: (text) => {
      const inside = /^b(["'])(.+)\1$/.exec(text)?.[2]
      if (inside === undefined) return []
      return inside.includes('\\') ? [pythonBytesRead(inside).toString('hex')] : [inside]
    },
  },
  {
    code: 'encoding.percent',
    tries: 'The value was percent-decoded.',
    unwrap: decodedPercent,
  },
  {
    code: 'encoding.appended',
    tries: 'The last 64 digits of a longer value were used.',
    unwrap: (text) =>
      text.length > hexLength && /^[0-9a-f]+$/i.test(text) ? [text.slice(-hexLength)] : [],
  },
  {
    code: 'encoding.list',
    tries: 'The value was split at commas, semicolons and spaces.',
    unwrap: (text) =>
      [/[,;]\s*/, /\s+/].flatMap((separator) => {
        const items = text.split(separator, maxListItems)
        return items.length > 1 ? items : []
      }),
  },
]

/** `code` is null for the documented encoding. */
interface Decoder {
  readonly code: string | null
  readonly words: string
  readonly read: (text: string) => Buffer | null
}

const writings: readonly (TriedCause & Omit<Decoder, 'code'>)[] = [
  {
    code: 'encoding.base64',
    tries: 'The value was decoded as base64.',
    words: 'encoded in base64',
    read: (text) => (text.length % 4 === 0 && !/[-_]/.test(text) ? base64Bytes(text) : null),
  },
  {
    code: 'encoding.base64url',
    tries: 'The value was decoded as base64url, with and without padding.',
    words: 'encoded in base64url',
    read: (text) => (text.length % 4 !== 0 || /[-_]/.test(text) ? base64Bytes(text) : null),
  },
  {
    code: 'encoding.base64_of_hex',
    tries: 'The value was decoded as base64 of hex digits.',
    words: 'encoded in hex, then in base64',
    read: (text) => {
      const inner = base64Bytes(text)
      return inner ? hexBytes(inner.toString('latin1')) : null
    },
  },
  {
    code: 'encoding.separated',
    tries: 'Dashes and colons between the digits were removed.',
    words: 'encoded in hex with separators',
    read: (text) =>
      /^[0-9a-f]{2}(?:[-:][0-9a-f]{2})+$/i.test(text)
        ? hexBytes(text.replaceAll(/[-:]/g, ''))
        : null,
  },
  {
    code: 'encoding.double_hex',
    tries: 'The value was decoded as hex of hex digits.',
    words: 'encoded in hex twice',
    read: (text) => {
      const inner = hexBytes(text)
      return inner && inner.byteLength >= 32 ? hexBytes(inner.toString('latin1')) : null
    },
  },
  {
    code: 'encoding.leading_zeros',
    tries: 'Leading zeros were added to a value that is slightly too short.',
    words: 'encoded in hex without leading zeros',
    read: (text) =>
      /^[0-9a-f]{58,63}$/i.test(text) ? hexBytes(text.padStart(hexLength, '0')) : null,
  },
  {
    code: 'encoding.numbers',
    tries: 'The value was read as a list of signed or unsigned numbers.',
    words: 'listed as numbers',
    read: listedBytes,
  },
  {
    code: 'encoding.raw',
    tries: 'The value’s characters were read as bytes, and as UTF-8 of bytes.',
    words: 'sent as raw bytes',
    read: (text) => rawBytes(text) ?? rawBytes(Buffer.from(text, 'latin1').toString('utf8')),
  },
]

/** Bytes that were sent as the characters of a header. The shortest digest has 16 bytes, the longest 64. */
function rawBytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'latin1')
  if (![16, 20, 32, 48, 64].includes(bytes.byteLength)) return null
  return /[^\x20-\x7e]/.test(text) ? bytes : null
}

/** `[-12, 33]`, `12,33`, `[12 33]`, and a Buffer as JSON. */
function listedBytes(text: string): Buffer | null {
  const numbers = text.slice(0, 1000).match(/-?\d+/g) ?? []
  const isList = /^(?:\{"type":"Buffer","data":)?[[({]?[\d\s,-]+[\])}]?\}?$/.test(text)
  if (!isList || numbers.length < 16 || numbers.length > 64) return null
  const values = numbers.map(Number)
  return values.every((value) => value >= -128 && value <= 255) ? Buffer.from(values) : null
}

const pythonEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

function pythonBytesRead(inside: string): Buffer {
  const text = inside.replaceAll(
    /\\(?:x([0-9a-f]{2})|([^]))/g,
    (_, code: string | undefined, escape: string) =>
      code === undefined
        ? (pythonEscapes[escape] ?? escape)
        : String.fromCharCode(Number.parseInt(code, 16)),
  )
  return Buffer.from(text, 'latin1')
}

export const decoders: readonly Decoder[] = [
  { code: null, words: 'encoded in hex', read: hexBytes },
  ...writings,
]

export const truncated: TriedCause = {
  code: 'encoding.truncated',
  tries: 'The value was compared with the beginning of each signature.',
}

/** Not a failure: Tabscope's check accepts it, but a handler may not. */
export const upperCase: TriedCause = {
  code: 'encoding.upper_case',
  tries: 'The digits were compared case-insensitively.',
}

export const otherName: TriedCause = {
  code: 'header.other_name',
  tries: 'The values of other headers that look like a signature were tried.',
}

export const valueWritings: readonly TriedCause[] = [
  ...unwrappers,
  ...writings,
  truncated,
  upperCase,
  otherName,
]
