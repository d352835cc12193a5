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
/** Except for re-serialized JSON. */
export const byteCauses: readonly MessageCause[] = [
  {
    code: 'body.newline',
    tries: 'Leading and trailing white space was removed, and a line break appended.',
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
    tries: 'CR LF was replaced by LF, and LF by CR LF.',
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
    tries: 'A byte order mark was added to the body or removed from it.',
    messages: async ({ body: { bytes } }) => [
      hasMark(bytes)
        ? message(['body.bom'], 'the body without its byte order mark', bytes.subarray(3))
        : message(['body.bom'], 'the body with a byte order mark before it', utf8Mark, bytes),
    ],
  },
  {
    code: 'body.decoded',
    tries: 'The content encoding was decoded.',
    messages: async ({ body: { bytes }, captured }) => {
      const plain = await decoded(bytes, captured.headers)
      return plain ? [message(['body.decoded'], 'the uncompressed body', plain)] : []
    },
  },
  {
    code: 'body.latin1',
    tries: 'The body was encoded in Latin-1, Windows-1252 and ASCII.',
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
    tries: 'The body was decoded as Latin-1 and Windows-1252 and encoded as UTF-8.',
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
    tries: 'The body was encoded in UTF-16.',
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
    tries: 'Only the low byte of each character was used.',
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
    tries: 'The body was encoded in hex.',
    messages: async ({ body: { bytes } }) =>
      bytes.byteLength > 0
        ? [converted('body.hex', 'the body’s hex digits', () => hexPieces(bytes))]
        : [],
  },
  {
    code: 'body.empty',
    tries: 'The signature of an empty body was computed.',
    messages: async ({ body }) =>
      body.bytes.byteLength > 0 ? [message(['body.empty'], 'an empty body')] : [],
  },
  {
    code: 'body.base64',
    tries: 'The body was encoded in base64.',
    messages: async ({ body: { bytes } }) =>
      bytes.byteLength > 0
        ? [converted('body.base64', 'the body’s base64 text', () => base64Pieces(bytes))]
        : [],
  },
  {
    code: 'body.stringified',
    tries: 'The body was encoded as a JSON string.',
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
    tries: 'The body’s SHA-256 was signed, as bytes and as hex digits.',
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
    tries: 'The body was truncated to as many bytes as it has characters.',
    messages: async ({ body }) => {
      if (body.ascii || !body.utf8) return []
      const { units, points } = await countCharacters(body.bytes, body.budget)
      return [...new Set([points, units])].map((length) =>
        message(
          ['body.signed_by_characters'],
          'the first bytes of the body, as many as it has characters',
          body.bytes.subarray(0, length),
        ),
      )
    },
  },
  {
    code: 'body.length_in_characters',
    tries: 'The missing end of the JSON was appended.',
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
