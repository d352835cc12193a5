import type { MessageCause } from '../cause.ts'
import { decoded, hasMark } from '../body.ts'
import { converted, message, type Message } from '../subject.ts'
import { compute, hashOf } from '../sum.ts'
import {
  asLatin1,
  asUtf8,
  base64Pieces,
  countCharacters,
  crlfToLf,
  hexPieces,
  lfToCrlf,
  lowBytes,
  quotedPieces,
  utf16Pieces,
} from './encodings.ts'

const utf8Mark = Buffer.from('\ufeff', 'utf8')
const raw = 'Sign the final bytes, after all other changes to the body.'

/** Except for re-serialized JSON. */
export const byteCauses: readonly MessageCause[] = [
  {
    code: 'body.newline',
    title: 'A line break at the end of the body on one side',
    tries: 'Leading and trailing white space was removed, and a line break appended.',
    fix: `${raw} Go’s Encoder, echo and editors append a line break.`,
    where: 'between',
    likelihood: 77,
    messages: async ({ body: { bytes } }) => {
      const code = ['body.newline']
      const to = trimmedEnd(bytes)
      const from = trimmedStart(bytes, to)
      const without: Message[] =
        to < bytes.byteLength || from > 0
          ? [
              message(code, 'the body without trailing white space', bytes.subarray(0, to)),
              message(
                code,
                'the body without leading and trailing white space',
                bytes.subarray(from, to),
              ),
            ]
          : []
      return [
        ...without,
        message(code, 'the body followed by a line break', bytes, Buffer.from('\n')),
        message(code, 'the body followed by a line break (CR LF)', bytes, Buffer.from('\r\n')),
      ]
    },
  },
  {
    code: 'body.line_ends',
    title: 'Line endings were changed in transit',
    tries: 'CR LF was replaced by LF, and LF by CR LF.',
    fix: 'Find what treats the body as text in transit. It must pass the bytes unchanged.',
    where: 'between',
    likelihood: 78,
    messages: async ({ body: { bytes } }) =>
      bytes.includes('\r\n')
        ? [converted('body.line_ends', 'the body with LF instead of CR LF', () => crlfToLf(bytes))]
        : bytes.includes('\n')
          ? [
              converted('body.line_ends', 'the body with CR LF instead of LF', () =>
                lfToCrlf(bytes),
              ),
            ]
          : [],
  },
  {
    code: 'body.bom',
    title: 'A byte order mark before the body on one side',
    tries: 'A byte order mark was added to the body or removed from it.',
    fix: `${raw} In .NET: new UTF8Encoding(false).`,
    where: 'sender',
    likelihood: 42,
    messages: async ({ body: { bytes } }) => [
      hasMark(bytes)
        ? message(['body.bom'], 'the body without its byte order mark', bytes.subarray(3))
        : message(['body.bom'], 'the body with a byte order mark before it', utf8Mark, bytes),
    ],
  },
  {
    code: 'body.decoded',
    title: 'Signed before the body was compressed',
    tries: 'The content encoding was decoded.',
    fix: 'Sign the bytes that are sent: compress first, then sign. Or send the body uncompressed.',
    where: 'between',
    likelihood: 79,
    messages: async ({ body: { bytes }, captured }) => {
      const plain = await decoded(bytes, captured.headers)
      return plain ? [message(['body.decoded'], 'the uncompressed body', plain)] : []
    },
  },
  {
    code: 'body.latin1',
    title: 'Signed in Latin-1, sent in UTF-8',
    tries: 'The body was encoded in Latin-1, Windows-1252 and ASCII.',
    fix: 'Sign the UTF-8 bytes. In Java: getBytes(StandardCharsets.UTF_8), since getBytes() uses the system’s charset. In C#: Encoding.UTF8, not Encoding.ASCII or Encoding.Default.',
    where: 'sender',
    likelihood: 52,
    messages: async ({ body }) =>
      body.ascii || !body.utf8
        ? []
        : (['latin1', 'windows-1252', 'ascii'] as const).map((encoding) =>
            converted(
              'body.latin1',
              `the body in ${encoding === 'ascii' ? 'ASCII, with question marks' : encoding}`,
              () => asLatin1(body.bytes, encoding),
            ),
          ),
  },
  {
    code: 'body.utf8',
    title: 'UTF-8 was encoded twice before signing',
    tries: 'The body was decoded as Latin-1 and Windows-1252 and encoded as UTF-8.',
    fix: 'Sign the bytes that are sent. The signer treats UTF-8 as Latin-1, or sends Latin-1.',
    where: 'sender',
    likelihood: 51,
    messages: async ({ body }) =>
      body.ascii
        ? []
        : (['latin1', 'windows-1252'] as const).map((encoding) =>
            converted('body.utf8', `the body decoded as ${encoding} and encoded in UTF-8`, () =>
              asUtf8(body.bytes, encoding),
            ),
          ),
  },
  {
    code: 'body.utf16',
    title: 'Signed in UTF-16, sent in UTF-8',
    tries: 'The body was encoded in UTF-16.',
    fix: 'Sign the UTF-8 bytes. In C#: Encoding.UTF8, not Encoding.Unicode. In Java and Kotlin: UTF_8, not UTF_16. In Python: encode(), not encode("utf-16"). In Swift: .utf8, not .utf16 or .unicode.',
    where: 'sender',
    likelihood: 33,
    messages: async ({ body }) =>
      body.utf8 && body.bytes.byteLength > 0
        ? utf16Orders.flatMap(({ order, name, mark }) => [
            converted('body.utf16', `the body in ${name}`, () => utf16Pieces(body.bytes, order)),
            converted('body.utf16', `the body in ${name} with a byte order mark`, () =>
              prepend(mark, utf16Pieces(body.bytes, order)),
            ),
          ])
        : [],
  },
  {
    code: 'body.low_bytes',
    title: 'Signed the low byte of each character',
    tries: 'Only the low byte of each character was used.',
    fix: 'In JavaScript use Buffer.from(text, "utf8"), not "latin1", "binary" or "ascii"; in C#, Java and Swift encode as UTF-8 instead of casting each character to a byte.',
    where: 'sender',
    likelihood: 50,
    messages: async ({ body }) =>
      body.ascii || !body.utf8
        ? []
        : [
            converted('body.low_bytes', 'the low byte of each character of the body', () =>
              lowBytes(body.bytes),
            ),
          ],
  },
  {
    code: 'body.hex',
    alone: true,
    title: 'Signed the body’s hex digits',
    tries: 'The body was encoded in hex.',
    fix: 'Sign the bytes themselves, without bin2hex in PHP, toString("hex") in JavaScript, .hex() in Python or unpack("H*") in Ruby.',
    where: 'sender',
    likelihood: 16,
    messages: async ({ body: { bytes } }) =>
      bytes.byteLength > 0
        ? [converted('body.hex', 'the body’s hex digits', () => hexPieces(bytes))]
        : [],
  },
  {
    code: 'body.empty',
    title: 'Signed an empty body',
    tries: 'The signature of an empty body was computed.',
    fix: 'Sign after the body is complete. A stream that was read before it was signed is empty.',
    where: 'sender',
    likelihood: 68,
    messages: async ({ body }) =>
      body.bytes.byteLength > 0 ? [message(['body.empty'], 'an empty body')] : [],
  },
  {
    code: 'body.base64',
    title: 'Signed the body’s base64 text',
    tries: 'The body was encoded in base64.',
    fix: 'Sign the bytes of the body, before any encoding.',
    where: 'sender',
    likelihood: 28,
    messages: async ({ body: { bytes } }) =>
      bytes.byteLength > 0
        ? [converted('body.base64', 'the body’s base64 text', () => base64Pieces(bytes))]
        : [],
  },
  {
    code: 'body.stringified',
    title: 'Signed the body as a JSON string',
    tries: 'The body was encoded as a JSON string.',
    fix: 'The body was serialized as JSON twice before it was signed. Sign the JSON text itself.',
    where: 'sender',
    likelihood: 43,
    messages: async ({ body }) =>
      body.utf8
        ? [
            converted('body.stringified', 'the body as a JSON string', () =>
              quotedPieces(body.bytes),
            ),
          ]
        : [],
  },
  {
    code: 'body.digest',
    title: 'Signed the hash of the body instead of the body',
    tries: 'The body’s SHA-256 was signed, as bytes and as hex digits.',
    fix: 'Pass the body itself to the HMAC, not its hash.',
    where: 'sender',
    likelihood: 24,
    messages: async ({ body }) => {
      const sum = { codes: [], words: '', size: 32, keyed: false, begin: hashOf('sha256', 'none') }
      const hash = await compute(sum, new Uint8Array(0), message([], '', body.bytes), body.budget)
      return hash === null
        ? []
        : [
            message(
              ['body.digest'],
              'the hex SHA-256 of the body',
              Buffer.from(hash.toString('hex')),
            ),
            message(['body.digest'], 'the SHA-256 of the body', hash),
          ]
    },
  },
  {
    code: 'body.signed_by_characters',
    title: 'Signed only as many bytes as the body has characters',
    tries: 'The body was truncated to as many bytes as it has characters.',
    fix: 'Pass the complete buffer to the HMAC. A length in characters is too short if some characters have several bytes.',
    where: 'sender',
    likelihood: 31,
    messages: async ({ body }) => {
      if (body.ascii || !body.utf8) return []
      const { units, points } = await countCharacters(body.bytes, body.budget)
      return [...new Set([points, units])].map((length) =>
        message(
          ['body.signed_by_characters'],
          `the first ${length} bytes of the body`,
          body.bytes.subarray(0, length),
        ),
      )
    },
  },
  {
    code: 'body.length_in_characters',
    title: 'Content-Length counts characters, so the end of the body is missing',
    tries: 'The missing end of the JSON was appended.',
    fix: 'Set Content-Length in bytes: Buffer.byteLength(body) in Node, len(body.encode()) in Python.',
    where: 'sender',
    likelihood: 65,
    messages: async ({ body, captured }) => {
      const tokens = await body.tokens()
      if (captured.arrival !== 'complete' || !('fault' in tokens) || tokens.fault !== 'open')
        return []
      const words = 'the body with the missing end of its JSON'
      return ['', '\n'].map((suffix) =>
        message(
          ['body.length_in_characters'],
          words,
          body.bytes,
          Buffer.from(tokens.closers + suffix),
        ),
      )
    },
  },
]

const utf16Orders = [
  { order: 'little', name: 'UTF-16', mark: Buffer.from([0xff, 0xfe]) },
  { order: 'big', name: 'big-endian UTF-16', mark: Buffer.from([0xfe, 0xff]) },
] as const

function* prepend(byteOrderMark: Buffer, pieces: Iterable<Buffer>): Iterable<Buffer> {
  yield byteOrderMark
  yield* pieces
}

const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function trimmedEnd(bytes: Uint8Array): number {
  let to = bytes.byteLength
  while (to > 0 && isBlank(bytes[to - 1])) to -= 1
  return to
}

function trimmedStart(bytes: Uint8Array, to: number): number {
  let from = 0
  while (from < to && isBlank(bytes[from])) from += 1
  return from
}
