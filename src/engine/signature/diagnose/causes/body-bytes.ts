import type { MessageCause } from '../cause.ts'
import { decoded, hasMark } from '../body.ts'
import { message, type Message } from '../subject.ts'
import { compute, hashOf } from '../sum.ts'
import {
  asLatin1,
  asUtf8,
  base64Pieces,
  charactersIn,
  crlfToLf,
  hexPieces,
  lfToCrlf,
  lowBytes,
  quotedPieces,
  utf16Pieces,
} from './encodings.ts'

const mark = Buffer.from('\ufeff', 'utf8')
const raw = 'Sign the bytes that are sent, after everything else has been done to them.'

/** Other bytes than those that came, apart from re-written JSON. */
export const byteCauses: readonly MessageCause[] = [
  {
    code: 'body.newline',
    title: 'A line break at the end of the body, on one side',
    tries: 'Leading and trailing white space was removed, and a line break appended.',
    fix: `${raw} Go’s Encoder, echo and editors put a line break behind.`,
    where: 'between',
    likelihood: 77,
    messages: async ({ body: { bytes } }) => {
      const code = ['body.newline']
      const to = trimmedEnd(bytes)
      const from = trimmedStart(bytes, to)
      const without: Message[] =
        to < bytes.byteLength || from > 0
          ? [
              message(code, 'the body without the white space behind it', bytes.subarray(0, to)),
              message(code, 'the body without white space at its ends', bytes.subarray(from, to)),
            ]
          : []
      return [
        ...without,
        message(code, 'the body with a line break behind it', bytes, Buffer.from('\n')),
        message(code, 'the body with a line break (CR LF) behind it', bytes, Buffer.from('\r\n')),
      ]
    },
  },
  {
    code: 'body.line_ends',
    title: 'Line endings were changed in transit',
    tries: 'CR LF was made LF, and LF made CR LF.',
    fix: 'Look for something between that treats the body as text: it must pass the bytes as they are.',
    where: 'between',
    likelihood: 78,
    messages: async ({ body: { bytes } }) =>
      bytes.includes('\r\n')
        ? [
            {
              codes: ['body.line_ends'],
              words: 'the body with LF for CR LF',
              pieces: () => crlfToLf(bytes),
            },
          ]
        : bytes.includes('\n')
          ? [
              {
                codes: ['body.line_ends'],
                words: 'the body with CR LF for LF',
                pieces: () => lfToCrlf(bytes),
              },
            ]
          : [],
  },
  {
    code: 'body.bom',
    title: 'A byte order mark before the body, on one side',
    tries: 'A byte order mark was added to the body, or removed.',
    fix: `${raw} In .NET: new UTF8Encoding(false).`,
    where: 'sender',
    likelihood: 42,
    messages: async ({ body: { bytes } }) => [
      hasMark(bytes)
        ? message(['body.bom'], 'the body without its byte order mark', bytes.subarray(3))
        : message(['body.bom'], 'the body with a byte order mark before it', mark, bytes),
    ],
  },
  {
    code: 'body.decoded',
    title: 'Signed before the body was compressed',
    tries: 'The content encoding was undone.',
    fix: 'Sign the bytes that are sent: compress first, then sign. Or send without compression.',
    where: 'between',
    likelihood: 79,
    messages: async ({ body: { bytes }, captured }) => {
      const undone = await decoded(bytes, captured.headers)
      return undone ? [message(['body.decoded'], 'the body before it was compressed', undone)] : []
    },
  },
  {
    code: 'body.latin1',
    title: 'Signed in Latin-1, sent in UTF-8',
    tries: 'The body’s characters were written in Latin-1, Windows-1252 and ASCII.',
    fix: 'Sign the UTF-8 bytes. In Java: getBytes(StandardCharsets.UTF_8), since getBytes() takes the charset of the system. In C#: Encoding.UTF8, not Encoding.ASCII or Encoding.Default.',
    where: 'sender',
    likelihood: 52,
    messages: async ({ body }) =>
      body.ascii || !body.utf8
        ? []
        : (['latin1', 'windows-1252', 'ascii'] as const).map((encoding) => ({
            codes: ['body.latin1'],
            words: `the body in ${encoding === 'ascii' ? 'ASCII, with question marks' : encoding}`,
            pieces: () => asLatin1(body.bytes, encoding),
          })),
  },
  {
    code: 'body.utf8',
    title: 'UTF-8 was encoded twice before signing',
    tries: 'The body’s bytes were read as Latin-1 and Windows-1252 and written as UTF-8.',
    fix: 'Sign the bytes that are sent. Something takes UTF-8 for Latin-1 before it signs, or sends Latin-1.',
    where: 'sender',
    likelihood: 51,
    messages: async ({ body }) =>
      body.ascii
        ? []
        : (['latin1', 'windows-1252'] as const).map((encoding) => ({
            codes: ['body.utf8'],
            words: `the body’s bytes read as ${encoding} and written in UTF-8`,
            pieces: () => asUtf8(body.bytes, encoding),
          })),
  },
  {
    code: 'body.utf16',
    title: 'Signed in UTF-16, sent in UTF-8',
    tries: 'The body’s characters were written in UTF-16.',
    fix: 'Sign the UTF-8 bytes. In C#: Encoding.UTF8, not Encoding.Unicode. In Java and Kotlin: UTF_8, not UTF_16. In Python: encode(), not encode("utf-16"). In Swift: .utf8, not .utf16 or .unicode.',
    where: 'sender',
    likelihood: 33,
    messages: async ({ body }) =>
      body.utf8 && body.bytes.byteLength > 0
        ? [
            {
              codes: ['body.utf16'],
              words: 'the body in UTF-16',
              pieces: () => utf16Pieces(body.bytes),
            },
            {
              codes: ['body.utf16'],
              words: 'the body in UTF-16 with a byte order mark',
              pieces: () => behindMark(littleMark, utf16Pieces(body.bytes)),
            },
            {
              codes: ['body.utf16'],
              words: 'the body in UTF-16, the high byte first',
              pieces: () => utf16Pieces(body.bytes, 'big'),
            },
            {
              codes: ['body.utf16'],
              words: 'the body in UTF-16, the high byte first, with a byte order mark',
              pieces: () => behindMark(bigMark, utf16Pieces(body.bytes, 'big')),
            },
          ]
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
            {
              codes: ['body.low_bytes'],
              words: 'the low byte of each character of the body',
              pieces: () => lowBytes(body.bytes),
            },
          ],
  },
  {
    code: 'body.hex',
    alone: true,
    title: 'Signed the body’s hex digits',
    tries: 'The body was written in hex.',
    fix: 'Sign the bytes themselves: without bin2hex in PHP, toString("hex") in JavaScript, .hex() in Python or unpack("H*") in Ruby.',
    where: 'sender',
    likelihood: 16,
    messages: async ({ body: { bytes } }) =>
      bytes.byteLength > 0
        ? [{ codes: ['body.hex'], words: 'the body’s hex digits', pieces: () => hexPieces(bytes) }]
        : [],
  },
  {
    code: 'body.empty',
    title: 'Signed an empty body',
    tries: 'The signature of nothing at all was computed.',
    fix: 'Sign after the body is there. A stream that was read before it was signed is empty.',
    where: 'sender',
    likelihood: 68,
    messages: async ({ body }) =>
      body.bytes.byteLength > 0 ? [message(['body.empty'], 'an empty body')] : [],
  },
  {
    code: 'body.base64',
    title: 'Signed the body’s base64 text',
    tries: 'The body was written in base64.',
    fix: 'Sign the bytes of the body, before any encoding.',
    where: 'sender',
    likelihood: 28,
    messages: async ({ body: { bytes } }) =>
      bytes.byteLength > 0
        ? [
            {
              codes: ['body.base64'],
              words: 'the body’s base64 text',
              pieces: () => base64Pieces(bytes),
            },
          ]
        : [],
  },
  {
    code: 'body.stringified',
    title: 'Signed the body as a JSON text within JSON',
    tries: 'The body was put in quotes as a JSON string.',
    fix: 'The body was turned into JSON twice before it was signed. Sign the text itself.',
    where: 'sender',
    likelihood: 43,
    messages: async ({ body }) =>
      body.utf8
        ? [
            {
              codes: ['body.stringified'],
              words: 'the body as a JSON string',
              pieces: () => quotedPieces(body.bytes),
            },
          ]
        : [],
  },
  {
    code: 'body.digest',
    title: 'Signed the hash of the body instead of the body',
    tries: 'The body’s SHA-256 was signed, as bytes and as hex digits.',
    fix: 'Give the HMAC the body itself, not its hash.',
    where: 'sender',
    likelihood: 24,
    messages: async ({ body }) => {
      const sum = { codes: [], words: '', size: 32, keyed: false, begin: hashOf('sha256', 'none') }
      const hash = await compute(sum, new Uint8Array(0), message([], '', body.bytes), body.work)
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
    title: 'Signed too few bytes: as many as there are characters',
    tries: 'The body was cut to as many bytes as it has characters.',
    fix: 'Pass the complete buffer to the HMAC. A length in characters is too short where a character has several bytes.',
    where: 'sender',
    likelihood: 31,
    messages: async ({ body }) => {
      if (body.ascii || !body.utf8) return []
      const { units, points } = await charactersIn(body.bytes, body.work)
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
    title: 'Content-Length counts characters, so the end of the body was cut off',
    tries: 'What the JSON lacks at its end was put behind.',
    fix: 'Announce bytes: Buffer.byteLength(body) in Node, len(body.encode()) in Python.',
    where: 'sender',
    likelihood: 65,
    messages: async ({ body, captured }) => {
      const tokens = await body.tokens()
      if (captured.arrival !== 'complete' || !('fault' in tokens) || tokens.fault !== 'open')
        return []
      const words = 'the body with the end that its JSON lacks'
      return ['', '\n'].map((more) =>
        message(
          ['body.length_in_characters'],
          words,
          body.bytes,
          Buffer.from(tokens.closers + more),
        ),
      )
    },
  },
]

const littleMark = Buffer.from([0xff, 0xfe])
const bigMark = Buffer.from([0xfe, 0xff])

function* behindMark(byteOrderMark: Buffer, pieces: Iterable<Buffer>): Iterable<Buffer> {
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
