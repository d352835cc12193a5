import type { CauseText } from '../cause.ts'
import { base64Bytes, decodedPercent, hexBytes } from './encodings.ts'

/** Removes a part of a value that does not belong there. */
interface Unwrapper extends CauseText {
  readonly unwrap: (text: string) => readonly string[]
}

const maxListItems = 20

const hexLength = 64

const prefixes = /^(?:hmac[-_]?)?(?:md5|sha-?\d{1,3})[=:]\s*/i
const versions = /^v\d{1,2}[=,:]\s*/i

export const unwrappers: readonly Unwrapper[] = [
  {
    code: 'encoding.prefix',
    title: 'The value starts with the name of the algorithm',
    tries: 'A prefix of the signature, such as “sha256=”, was removed.',
    fix: 'Send only the hex digits: the API documentation has no prefix.',
    where: 'sender',
    likelihood: 90,
    unwrap: (text) => (prefixes.test(text) ? [text.replace(prefixes, '')] : []),
  },
  {
    code: 'encoding.version_prefix',
    title: 'The value starts with a version',
    tries: 'A version before the signature, such as “v1=”, was removed.',
    fix: 'Send only the hex digits: the API documentation has no prefix.',
    where: 'sender',
    likelihood: 55,
    unwrap: (text) => (versions.test(text) ? [text.replace(versions, '')] : []),
  },
  {
    code: 'encoding.quotes',
    title: 'The value is quoted',
    tries: 'Quotes around the value were removed.',
    fix: 'Send only the hex digits, without quotes.',
    where: 'sender',
    likelihood: 25,
    unwrap: (text) => (/^(["'`]).+\1$/.test(text) ? [text.slice(1, -1)] : []),
  },
  {
    code: 'encoding.white_space',
    title: 'The value contains white space',
    tries: 'White space and control characters in the value were removed.',
    fix: 'Send only the hex digits, without white space.',
    where: 'sender',
    likelihood: 30,
    unwrap: (text) => {
      const without = text.replaceAll(/[\u0000-\u0020\u007f-\u00a0\u200b\ufeff]/g, '')
      return without === text ? [] : [without]
    },
  },
  {
    code: 'encoding.hex_prefix',
    title: 'The value starts with “0x”',
    tries: '“0x” before the digits was removed.',
    fix: 'Send only the hex digits. In Go: %x, not %#x.',
    where: 'sender',
    likelihood: 26,
    unwrap: (text) => (/^0x[0-9a-f]{16}/i.test(text) ? [text.slice(2)] : []),
  },
  {
    code: 'encoding.python_bytes',
    title: 'The value is the text that Python’s str() returns for bytes',
    tries: 'The b and the quotes around the value were removed, and \\x escapes were decoded.',
    fix: 'In Python, send hmac.new(…).hexdigest(), without encode() or str() around it.',
    where: 'sender',
    likelihood: 37,
    unwrap: (text) => {
      const inside = /^b(["'])(.+)\1$/.exec(text)?.[2]
      if (inside === undefined) return []
      return inside.includes('\\') ? [pythonBytesRead(inside).toString('hex')] : [inside]
    },
  },
  {
    code: 'encoding.percent',
    title: 'The value is percent-encoded',
    tries: 'The value was percent-decoded.',
    fix: 'Send the signature unchanged, since a header is not a URL: without urlencode in PHP, encodeURIComponent in JavaScript or quote in Python.',
    where: 'sender',
    likelihood: 27,
    unwrap: decodedPercent,
  },
  {
    code: 'encoding.appended',
    title: 'The value is the body followed by a signature',
    tries: 'The last 64 digits of a longer value were used.',
    fix: 'In Go, write the body first, then sum: mac.Write(body), then hex.EncodeToString(mac.Sum(nil)). Sum(body) only appends to the body.',
    where: 'sender',
    likelihood: 34,
    unwrap: (text) =>
      text.length > hexLength && /^[0-9a-f]+$/i.test(text) ? [text.slice(-hexLength)] : [],
  },
  {
    code: 'encoding.list',
    title: 'The header contains several values',
    tries: 'The value was split at commas, semicolons and spaces.',
    fix: 'Send one signature. The API documentation shows one value, not a list.',
    where: 'sender',
    likelihood: 35,
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

const writings: readonly (CauseText & Omit<Decoder, 'code'>)[] = [
  {
    code: 'encoding.base64',
    title: 'Encoded in base64 instead of hex',
    tries: 'The value was decoded as base64.',
    fix: 'Encode the signature in hex: 64 digits. In Node: .digest("hex") instead of .digest("base64").',
    where: 'sender',
    likelihood: 95,
    words: 'encoded in base64',
    read: (text) => (text.length % 4 === 0 && !/[-_]/.test(text) ? base64Bytes(text) : null),
  },
  {
    code: 'encoding.base64url',
    title: 'Encoded in base64url instead of hex',
    tries: 'The value was decoded as base64url, with and without padding.',
    fix: 'Encode the signature in hex: 64 digits.',
    where: 'sender',
    likelihood: 60,
    words: 'encoded in base64url',
    read: (text) => (text.length % 4 !== 0 || /[-_]/.test(text) ? base64Bytes(text) : null),
  },
  {
    code: 'encoding.base64_of_hex',
    title: 'The hex digits were encoded again as base64',
    tries: 'The value was decoded as base64 of hex digits.',
    fix: 'Send the hex digits themselves. In PHP: hash_hmac(…) without base64_encode around it.',
    where: 'sender',
    likelihood: 45,
    words: 'encoded in hex, then in base64',
    read: (text) => {
      const inner = base64Bytes(text)
      return inner ? hexBytes(inner.toString('latin1')) : null
    },
  },
  {
    code: 'encoding.separated',
    title: 'The hex digits are separated in pairs',
    tries: 'Dashes and colons between the digits were removed.',
    fix: 'Send the 64 digits without separators. In .NET: Convert.ToHexString, not BitConverter.ToString.',
    where: 'sender',
    likelihood: 30,
    words: 'encoded in hex with separators',
    read: (text) =>
      /^[0-9a-f]{2}(?:[-:][0-9a-f]{2})+$/i.test(text)
        ? hexBytes(text.replaceAll(/[-:]/g, ''))
        : null,
  },
  {
    code: 'encoding.double_hex',
    title: 'The hex digits were encoded again as hex',
    tries: 'The value was decoded as hex of hex digits.',
    fix: 'Encode the signature in hex only once. In PHP, hash_hmac already returns hex digits, without bin2hex; so do hexdigest in Python and Ruby, and digest("hex") in JavaScript.',
    where: 'sender',
    likelihood: 39,
    words: 'encoded in hex twice',
    read: (text) => {
      const inner = hexBytes(text)
      return inner && inner.byteLength >= 32 ? hexBytes(inner.toString('latin1')) : null
    },
  },
  {
    code: 'encoding.leading_zeros',
    title: 'Leading zeros of the hex digits are missing',
    tries: 'Leading zeros were added to a value that is slightly too short.',
    fix: 'Send all 64 digits. In Java and Kotlin: HexFormat.of().formatHex(bytes), not BigInteger(1, bytes).toString(16).',
    where: 'sender',
    likelihood: 32,
    words: 'encoded in hex without leading zeros',
    read: (text) =>
      /^[0-9a-f]{58,63}$/i.test(text) ? hexBytes(text.padStart(hexLength, '0')) : null,
  },
  {
    code: 'encoding.numbers',
    title: 'The bytes are listed as numbers',
    tries: 'The value was read as a list of signed or unsigned numbers.',
    fix: 'Encode the bytes in hex. In Java and Kotlin: HexFormat.of().formatHex(bytes), not Arrays.toString. In Go: hex.EncodeToString. In Swift: map { String(format: "%02x", $0) }. In Rust: hex::encode. In JavaScript: .digest("hex").',
    where: 'sender',
    likelihood: 38,
    words: 'listed as numbers',
    read: listedBytes,
  },
  {
    code: 'encoding.raw',
    title: 'The raw bytes were sent instead of their hex digits',
    tries: 'The value’s characters were read as bytes, and as UTF-8 of bytes.',
    fix: 'Encode the bytes in hex. In PHP: hash_hmac without true as its last argument. In Ruby: hexdigest, not digest. In Python: hexdigest(). In JavaScript: .digest("hex"), not "binary" or "latin1".',
    where: 'sender',
    likelihood: 37,
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

export const truncated: CauseText = {
  code: 'encoding.truncated',
  title: 'The signature is truncated',
  tries: 'The value was compared with the beginning of each signature.',
  fix: 'Send all 64 digits. Look for a column, a variable or a log line with a length limit.',
  where: 'sender',
  likelihood: 35,
}

/** Not a failure: Tabscope's check accepts it, but a handler may not. */
export const upperCase: CauseText = {
  code: 'encoding.upper_case',
  title: 'Encoded in upper case',
  tries: 'The digits were compared case-insensitively.',
  fix: 'No fix is needed: the signature is valid. A handler that compares strings must convert both to lower case first.',
  where: 'sender',
  likelihood: 20,
}

export const otherName: CauseText = {
  code: 'header.other_name',
  title: 'The signature is in another header',
  tries: 'The values of other headers that look like a signature were tried.',
  fix: 'If the name contains another brand, set that brand in the integration. Otherwise send the signature in the expected header.',
  where: 'here',
  likelihood: 91,
}

export const valueWritings: readonly CauseText[] = [
  ...unwrappers,
  ...writings,
  truncated,
  upperCase,
  otherName,
]
