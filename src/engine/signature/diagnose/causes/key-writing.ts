import type { ChangedSecret, KeyChange } from '../cause.ts'
import { hash } from 'node:crypto'
import { pythonBytes } from './body-text.ts'
import { asLatin1, base64Bytes, decodedPercent, encodedPercent, hexBytes } from './encodings.ts'

const utf8 = (text: string, words: string): ChangedSecret => ({
  bytes: Buffer.from(text, 'utf8'),
  words,
})
/** The secret in Tabscope has extra characters. */
const ours = (text: string, words: string): ChangedSecret => ({
  ...utf8(text, words),
  where: 'here',
})
const some = (bytes: Buffer | null, words: string): ChangedSecret[] =>
  bytes && bytes.byteLength > 0 ? [{ bytes, words }] : []

const withMark = (mark: readonly number[], bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(mark), bytes])

/** White space except the byte order mark, which is a separate cause. */
const start = /^[^\S\ufeff]+/
const end = /(?<![^\S\ufeff])[^\S\ufeff]+$/
const ends = /^[^\S\ufeff]+|(?<![^\S\ufeff])[^\S\ufeff]+$/g
const prefix = /^[a-z]{2,12}_(?=.{8})/i

export const keyChanges: readonly KeyChange[] = [
  {
    code: 'secret.line_break',
    tries:
      'The secret was tried with a line break appended, and without its own line break if it has one.',
    change: (secret) => [
      ...(/[\r\n]$/.test(secret)
        ? [ours(secret.replace(/(?<![\r\n])[\r\n]+$/, ''), 'without its trailing line break')]
        : []),
      utf8(`${secret}\n`, 'followed by a line break'),
      utf8(`${secret}\r\n`, 'followed by a line break (CR LF)'),
    ],
  },
  {
    code: 'secret.white_space',
    tries: 'White space was removed, and a space or a tab was added before and after the secret.',
    change: (secret) => [
      ...[secret.replaceAll(ends, ''), secret.replace(start, ''), secret.replace(end, '')]
        .filter((trimmed) => trimmed !== secret)
        .map((trimmed) => ours(trimmed, 'without the white space around it')),
      utf8(`${secret} `, 'with a space after it'),
      utf8(` ${secret}`, 'with a space before it'),
      utf8(` ${secret} `, 'with a space on both sides'),
      utf8(`${secret}\t`, 'with a tab after it'),
      utf8(`\t${secret}`, 'with a tab before it'),
    ],
  },
  {
    code: 'secret.quotes',
    tries: 'Quotes around the secret were removed if present, and added.',
    change: (secret) => {
      const inner = /^(["'`“‘])(.*)["'`”’]$/s.exec(secret.trim())?.[2]
      return [
        ...(inner === undefined ? [] : [ours(inner, 'without the quotes around it')]),
        utf8(`"${secret}"`, 'in double quotes'),
        utf8(`'${secret}'`, 'in single quotes'),
        utf8(`\`${secret}\``, 'in backticks'),
      ]
    },
  },
  {
    code: 'secret.hex_decoded',
    tries: 'The secret was decoded as hex.',
    change: (secret) => some(hexBytes(secret.trim()), 'decoded as hex'),
  },
  {
    code: 'secret.base64_decoded',
    tries: 'The secret was decoded as base64 and base64url.',
    change: (secret) => some(base64Bytes(secret.trim()), 'decoded as base64'),
  },
  {
    code: 'secret.prefix',
    tries: 'The part before an underscore was removed, and “whsec_” was added before the secret.',
    change: (secret) => [
      ...(prefix.test(secret) ? [utf8(secret.replace(prefix, ''), 'without its prefix')] : []),
      utf8(`whsec_${secret}`, 'with “whsec_” before it'),
    ],
  },
  {
    code: 'secret.prefix_decoded',
    tries: 'The part after the prefix was decoded as base64, as in Standard Webhooks.',
    change: (secret) =>
      prefix.test(secret)
        ? some(
            base64Bytes(secret.trim().replace(prefix, '')),
            'without its prefix, decoded as base64',
          )
        : [],
  },
  {
    code: 'secret.encoded',
    tries: 'The secret was encoded as base64 and as hex.',
    change: (secret) => {
      const bytes = Buffer.from(secret, 'utf8')
      return [
        utf8(bytes.toString('base64'), 'encoded in base64'),
        utf8(bytes.toString('hex'), 'encoded in hex'),
        utf8(bytes.toString('base64url'), 'encoded in base64url'),
      ]
    },
  },
  {
    code: 'secret.percent',
    tries: 'The secret was percent-decoded and percent-encoded.',
    change: (secret) => [
      ...decodedPercent(secret).map((text) => utf8(text, 'percent-decoded')),
      ...encodedPercent(secret).map((text) => utf8(text, 'percent-encoded')),
    ],
  },
  {
    code: 'secret.upper_case',
    tries: 'The secret was tried in upper case.',
    change: (secret) => [utf8(secret.toUpperCase(), 'in upper case')],
  },
  {
    code: 'secret.lower_case',
    tries: 'The secret was tried in lower case.',
    change: (secret) => [utf8(secret.toLowerCase(), 'in lower case')],
  },
  {
    code: 'secret.utf16',
    tries: 'The secret was encoded in UTF-16, with and without a byte order mark.',
    change: (secret) => {
      const little = Buffer.from(secret, 'utf16le')
      const big = Buffer.from(little).swap16()
      return [
        { bytes: little, words: 'in UTF-16' },
        { bytes: big, words: 'in big-endian UTF-16' },
        { bytes: withMark([0xff, 0xfe], little), words: 'in UTF-16 with a byte order mark' },
        {
          bytes: withMark([0xfe, 0xff], big),
          words: 'in big-endian UTF-16 with a byte order mark',
        },
      ].filter(({ bytes }) => secret !== '' && bytes.byteLength > 0)
    },
  },
  {
    code: 'secret.latin1',
    alone: true,
    tries: 'The secret’s non-ASCII characters were encoded as one byte each, or as question marks.',
    change: (secret) => {
      if (!/[^\u0000-\u007f]/.test(secret)) return []
      const bytes = Buffer.from(secret, 'utf8')
      return [
        { bytes: Buffer.from(secret, 'latin1'), words: 'with the low byte of each character' },
        { bytes: Buffer.concat([...asLatin1(bytes, 'latin1')]), words: 'in Latin-1' },
        { bytes: Buffer.concat([...asLatin1(bytes, 'ascii')]), words: 'in ASCII' },
      ]
    },
  },
  {
    code: 'secret.printed',
    alone: true,
    tries: 'The secret was printed as Python prints bytes, and as Swift and Rust print optionals.',
    change: (secret) => [
      utf8(pythonBytes(Buffer.from(secret, 'utf8')), 'as Python prints bytes'),
      utf8(`Optional("${secret}")`, 'as Swift prints an optional'),
      utf8(`Some("${secret}")`, 'as Rust prints an option'),
    ],
  },
  {
    code: 'secret.nothing',
    alone: true,
    tries: 'undefined, null, None, nil and similar words were tried as the secret.',
    change: () =>
      ['undefined', 'null', 'None', 'nil', '<nil>', '(null)', '[object Object]'].map((word) =>
        utf8(word, `replaced by the word “${word}”`),
      ),
  },
  {
    code: 'secret.hashed',
    alone: true,
    tries: 'The secret’s SHA-256, SHA-1 and MD5 were tried, as bytes and as hex digits.',
    change: (secret) =>
      (['sha256', 'sha1', 'md5'] as const).flatMap((name) => {
        const bytes = hash(name, secret, 'buffer')
        return [
          { bytes, words: `as its ${name.toUpperCase()}` },
          utf8(bytes.toString('hex'), `as the hex digits of its ${name.toUpperCase()}`),
        ]
      }),
  },
  {
    code: 'secret.bom',
    tries: 'A byte order mark before the secret was removed if present, or added.',
    change: (secret) => [
      secret.startsWith('\ufeff')
        ? ours(secret.slice(1), 'without its byte order mark')
        : utf8(`\ufeff${secret}`, 'with a byte order mark before it'),
    ],
  },
]
