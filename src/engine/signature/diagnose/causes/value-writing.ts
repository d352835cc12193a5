import type { CauseText } from '../cause.ts'
import { base64Bytes, decodedPercent, hexBytes } from './encodings.ts'

/** Takes something off a value that should not be there. */
interface Peeler extends CauseText {
  readonly peel: (text: string) => readonly string[]
}

/** More values than anybody sends in one header. */
const listLimit = 20

/** Of the HMAC-SHA256 in hex. */
const digits = 64

const prefixes = /^(?:hmac[-_]?)?(?:md5|sha-?\d{1,3})[=:]\s*/i
const versions = /^v\d{1,2}[=,:]\s*/i

export const peelers: readonly Peeler[] = [
  {
    code: 'encoding.prefix',
    title: 'The value has the name of the algorithm before it',
    tries: 'A prefix of the signature, such as “sha256=”, was removed.',
    fix: 'Send only the hex digits: the API documentation has no prefix.',
    where: 'sender',
    likelihood: 90,
    peel: (text) => (prefixes.test(text) ? [text.replace(prefixes, '')] : []),
  },
  {
    code: 'encoding.version_prefix',
    title: 'The value has a version before it',
    tries: 'A version before the signature, such as “v1=”, was removed.',
    fix: 'Send only the hex digits: the API documentation has no prefix.',
    where: 'sender',
    likelihood: 55,
    peel: (text) => (versions.test(text) ? [text.replace(versions, '')] : []),
  },
  {
    code: 'encoding.quotes',
    title: 'The value is quoted',
    tries: 'Quotes around the value were removed.',
    fix: 'Send the hex digits alone, without quotes.',
    where: 'sender',
    likelihood: 25,
    peel: (text) => (/^(["'`]).+\1$/.test(text) ? [text.slice(1, -1)] : []),
  },
  {
    code: 'encoding.white_space',
    title: 'There is white space in the value',
    tries: 'White space and control characters in the value were removed.',
    fix: 'Send the hex digits alone, in one piece.',
    where: 'sender',
    likelihood: 30,
    peel: (text) => {
      const without = text.replaceAll(/[\u0000-\u0020\u007f-\u00a0\u200b\ufeff]/g, '')
      return without === text ? [] : [without]
    },
  },
  {
    code: 'encoding.hex_prefix',
    title: 'The value has “0x” before it',
    tries: '“0x” before the digits was removed.',
    fix: 'Send the hex digits alone. In Go: %x, not %#x.',
    where: 'sender',
    likelihood: 26,
    peel: (text) => (/^0x[0-9a-f]{16}/i.test(text) ? [text.slice(2)] : []),
  },
  {
    code: 'encoding.python_bytes',
    title: 'The value is the text that Python’s str() makes of bytes',
    tries: 'b and the quotes around the value were taken off, and \\x escapes undone.',
    fix: 'In Python send hmac.new(…).hexdigest(), without encode() or str() around it.',
    where: 'sender',
    likelihood: 37,
    peel: (text) => {
      const inside = /^b(["'])(.+)\1$/.exec(text)?.[2]
      if (inside === undefined) return []
      return inside.includes('\\') ? [pythonBytesRead(inside).toString('hex')] : [inside]
    },
  },
  {
    code: 'encoding.percent',
    title: 'The value is percent-encoded',
    tries: 'Percent escapes in the value were undone.',
    fix: 'Send the signature as it is: a header is no address. Without urlencode in PHP, encodeURIComponent in JavaScript or quote in Python.',
    where: 'sender',
    likelihood: 27,
    peel: decodedPercent,
  },
  {
    code: 'encoding.appended',
    title: 'The value is the body with a signature behind it',
    tries: 'The last 64 digits of a longer value were used.',
    fix: 'In Go write the body first, then sum: mac.Write(body), then hex.EncodeToString(mac.Sum(nil)). Sum(body) only appends to the body.',
    where: 'sender',
    likelihood: 34,
    peel: (text) =>
      text.length > digits && /^[0-9a-f]+$/i.test(text) ? [text.slice(-digits)] : [],
  },
  {
    code: 'encoding.list',
    title: 'The header contains several values',
    tries: 'The value was split at commas, semicolons and spaces.',
    fix: 'Send one signature. The API documentation shows one value, not a list.',
    where: 'sender',
    likelihood: 35,
    peel: (text) =>
      [/[,;]\s*/, /\s+/].flatMap((separator) => {
        const items = text.split(separator, listLimit)
        return items.length > 1 ? items : []
      }),
  },
]

/** Reads a text as bytes. `code` null: it is written as it should be. */
interface Decoder {
  readonly code: string | null
  readonly words: string
  readonly read: (text: string) => Buffer | null
}

const writings: readonly (CauseText & Omit<Decoder, 'code'>)[] = [
  {
    code: 'encoding.base64',
    title: 'Written in base64 instead of hex',
    tries: 'The value was read as base64.',
    fix: 'Write the signature in hex: 64 digits. In Node it is .digest("hex") instead of .digest("base64").',
    where: 'sender',
    likelihood: 95,
    words: 'written in base64',
    read: (text) => (text.length % 4 === 0 && !/[-_]/.test(text) ? base64Bytes(text) : null),
  },
  {
    code: 'encoding.base64url',
    title: 'Written in base64url instead of hex',
    tries: 'The value was read as base64url, with and without padding.',
    fix: 'Write the signature in hex: 64 digits.',
    where: 'sender',
    likelihood: 60,
    words: 'written in base64url',
    read: (text) => (text.length % 4 !== 0 || /[-_]/.test(text) ? base64Bytes(text) : null),
  },
  {
    code: 'encoding.base64_of_hex',
    title: 'The hex digits were encoded again as base64',
    tries: 'The value was read as base64 of hex digits.',
    fix: 'Send the hex digits themselves. In PHP: hash_hmac(…) without base64_encode around it.',
    where: 'sender',
    likelihood: 45,
    words: 'written in hex, and that in base64',
    read: (text) => {
      const inner = base64Bytes(text)
      return inner ? hexBytes(inner.toString('latin1')) : null
    },
  },
  {
    code: 'encoding.separated',
    title: 'The hex digits stand in pairs',
    tries: 'Dashes and colons between the digits were removed.',
    fix: 'Send the 64 digits in one piece. In .NET: Convert.ToHexString, not BitConverter.ToString.',
    where: 'sender',
    likelihood: 30,
    words: 'written in hex with something between the digits',
    read: (text) =>
      /^[0-9a-f]{2}(?:[-:][0-9a-f]{2})+$/i.test(text)
        ? hexBytes(text.replaceAll(/[-:]/g, ''))
        : null,
  },
  {
    code: 'encoding.double_hex',
    title: 'The hex digits were encoded again as hex',
    tries: 'The value was read as hex of hex digits.',
    fix: 'Write it in hex once. In PHP hash_hmac gives hex digits already, without bin2hex; so does hexdigest in Python and Ruby, and digest("hex") in JavaScript.',
    where: 'sender',
    likelihood: 39,
    words: 'written in hex, and that in hex again',
    read: (text) => {
      const inner = hexBytes(text)
      return inner && inner.byteLength >= 32 ? hexBytes(inner.toString('latin1')) : null
    },
  },
  {
    code: 'encoding.leading_zeros',
    title: 'The zeros before the hex digits are missing',
    tries: 'Zeros were put before a value that is a little too short.',
    fix: 'Write all 64 digits. In Java and Kotlin: HexFormat.of().formatHex(bytes), not BigInteger(1, bytes).toString(16).',
    where: 'sender',
    likelihood: 32,
    words: 'written in hex without the zeros before it',
    read: (text) => (/^[0-9a-f]{58,63}$/i.test(text) ? hexBytes(text.padStart(digits, '0')) : null),
  },
  {
    code: 'encoding.numbers',
    title: 'The bytes are listed as numbers',
    tries: 'The value was read as a list of numbers, with a sign and without.',
    fix: 'Write the bytes in hex. In Java and Kotlin: HexFormat.of().formatHex(bytes), not Arrays.toString. In Go: hex.EncodeToString. In Swift: map { String(format: "%02x", $0) }. In Rust: hex::encode. In JavaScript: .digest("hex").',
    where: 'sender',
    likelihood: 38,
    words: 'listed as numbers',
    read: listedBytes,
  },
  {
    code: 'encoding.raw',
    title: 'The bytes themselves were sent, not their hex digits',
    tries: 'The value’s characters were read as bytes, and as UTF-8 of bytes.',
    fix: 'Write the bytes in hex. In PHP: hash_hmac without true as its last argument. In Ruby: hexdigest, not digest. In Python: hexdigest(). In JavaScript: .digest("hex"), not "binary" or "latin1".',
    where: 'sender',
    likelihood: 37,
    words: 'written as bytes',
    read: (text) => rawBytes(text) ?? rawBytes(Buffer.from(text, 'latin1').toString('utf8')),
  },
]

/** Bytes that came as the characters of a header: 16 is the shortest digest, 64 the longest. */
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
    (_, code: string | undefined, one: string) =>
      code === undefined
        ? (pythonEscapes[one] ?? one)
        : String.fromCharCode(Number.parseInt(code, 16)),
  )
  return Buffer.from(text, 'latin1')
}

export const decoders: readonly Decoder[] = [
  { code: null, words: 'written in hex', read: hexBytes },
  ...writings,
]

/** A value of which only the beginning is there. */
export const truncated: CauseText = {
  code: 'encoding.truncated',
  title: 'The signature is truncated',
  tries: 'The value was compared with the beginning of each signature.',
  fix: 'Send all 64 digits. Look for a column, a variable or a log line that cuts at a length.',
  where: 'sender',
  likelihood: 35,
}

/** Not a departure: the check takes it. A handler of one's own may not. */
export const upperCase: CauseText = {
  code: 'encoding.upper_case',
  title: 'Written in upper case',
  tries: 'The digits were compared without regard to their case.',
  fix: 'Nothing here: it is valid all the same. A handler that compares texts must make both lower case first.',
  where: 'sender',
  likelihood: 20,
}

/** The value came, but not where it belongs. */
export const otherName: CauseText = {
  code: 'header.other_name',
  title: 'The signature is in another header',
  tries: 'The values of headers that look like a signature were tried as well.',
  fix: 'If the name carries another brand’s word, set that brand in the integration. Else send the signature under the name that is expected here.',
  where: 'here',
  likelihood: 91,
}

export const valueWritings: readonly CauseText[] = [
  ...peelers,
  ...writings,
  truncated,
  upperCase,
  otherName,
]
