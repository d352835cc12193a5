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

const enterAgain =
  'If Tabscope’s secret has it, set the secret again under Endpoints. If the service’s secret has it, set it again on the dashboard.'
/** White space except the byte order mark, which is a separate cause. */
const start = /^[^\S\ufeff]+/
const end = /(?<![^\S\ufeff])[^\S\ufeff]+$/
const ends = /^[^\S\ufeff]+|(?<![^\S\ufeff])[^\S\ufeff]+$/g
const prefix = /^[a-z]{2,12}_(?=.{8})/i

export const keyChanges: readonly KeyChange[] = [
  {
    code: 'secret.line_break',
    title: 'A line break at the end of the secret on one side',
    tries:
      'The secret was tried with a line break appended, and without its own line break if it has one.',
    fix: `${enterAgain} Files written by echo or an editor end with one.`,
    where: 'sender',
    likelihood: 84,
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
    title: 'White space around the secret on one side',
    tries: 'White space was removed, and a space or a tab was added before and after the secret.',
    fix: enterAgain,
    where: 'sender',
    likelihood: 82,
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
    title: 'Quotes around the secret on one side',
    tries: 'Quotes around the secret were removed if present, and added.',
    fix: `${enterAgain} Some .env parsers keep the quotes.`,
    where: 'sender',
    likelihood: 72,
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
    title: 'The secret was decoded as hex',
    tries: 'The secret was decoded as hex.',
    fix: 'Use the secret’s characters unchanged: the digits themselves are the key.',
    where: 'sender',
    likelihood: 62,
    change: (secret) => some(hexBytes(secret.trim()), 'decoded as hex'),
  },
  {
    code: 'secret.base64_decoded',
    title: 'The secret was decoded as base64',
    tries: 'The secret was decoded as base64 and base64url.',
    fix: 'Use the secret’s characters unchanged, without decoding them.',
    where: 'sender',
    likelihood: 60,
    change: (secret) => some(base64Bytes(secret.trim()), 'decoded as base64'),
  },
  {
    code: 'secret.prefix',
    title: 'A prefix of the secret was omitted or added',
    tries: 'The part before an underscore was removed, and “whsec_” was added before the secret.',
    fix: 'Use the complete secret as the dashboard shows it, including its prefix.',
    where: 'sender',
    likelihood: 48,
    change: (secret) => [
      ...(prefix.test(secret) ? [utf8(secret.replace(prefix, ''), 'without its prefix')] : []),
      utf8(`whsec_${secret}`, 'with “whsec_” before it'),
    ],
  },
  {
    code: 'secret.prefix_decoded',
    title: 'The secret was decoded as base64 after its prefix',
    tries: 'The part after the prefix was decoded as base64, as in Standard Webhooks.',
    fix: 'Use the secret’s characters unchanged. A Standard Webhooks library decodes the secret, plain HMAC does not.',
    where: 'sender',
    likelihood: 46,
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
    title: 'The secret was encoded before it was used',
    tries: 'The secret was encoded as base64 and as hex.',
    fix: 'Use the secret itself. For example, Kubernetes secrets are base64 until they are decoded.',
    where: 'sender',
    likelihood: 40,
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
    title: 'The secret was percent-encoded or decoded, as in a URL',
    tries: 'The secret was percent-decoded and percent-encoded.',
    fix: 'Use the secret unchanged: it is not part of a URL.',
    where: 'sender',
    likelihood: 22,
    change: (secret) => [
      ...decodedPercent(secret).map((text) => utf8(text, 'percent-decoded')),
      ...encodedPercent(secret).map((text) => utf8(text, 'percent-encoded')),
    ],
  },
  {
    code: 'secret.upper_case',
    title: 'The secret was converted to upper case',
    tries: 'The secret was tried in upper case.',
    fix: 'Do not change the case of the secret.',
    where: 'sender',
    likelihood: 26,
    change: (secret) => [utf8(secret.toUpperCase(), 'in upper case')],
  },
  {
    code: 'secret.lower_case',
    title: 'The secret was converted to lower case',
    tries: 'The secret was tried in lower case.',
    fix: 'Do not change the case of the secret.',
    where: 'sender',
    likelihood: 27,
    change: (secret) => [utf8(secret.toLowerCase(), 'in lower case')],
  },
  {
    code: 'secret.utf16',
    title: 'The secret was encoded as UTF-16',
    tries: 'The secret was encoded in UTF-16, with and without a byte order mark.',
    fix: 'Use the secret’s UTF-8 bytes. In C#: Encoding.UTF8.GetBytes(secret), not Encoding.Unicode. In Java and Kotlin: UTF_8, not UTF_16. In Python: secret.encode(). In Node: no "utf16le" or "ucs2".',
    where: 'sender',
    likelihood: 45,
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
    title: 'The secret was encoded as Latin-1 or ASCII',
    tries: 'The secret’s non-ASCII characters were encoded as one byte each, or as question marks.',
    fix: 'Use the secret’s UTF-8 bytes. In C#: Encoding.UTF8, not Encoding.ASCII or Encoding.Default. In Java: getBytes(StandardCharsets.UTF_8). In Node: no "latin1", "binary" or "ascii".',
    where: 'sender',
    likelihood: 23,
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
    title: 'The secret was printed as a value of the programming language',
    tries: 'The secret was printed as Python prints bytes, and as Swift and Rust print optionals.',
    fix: 'In Python: secret.encode(), not str(secret.encode()). In Swift: unwrap the optional before converting it to a string.',
    where: 'sender',
    likelihood: 25,
    change: (secret) => [
      utf8(pythonBytes(Buffer.from(secret, 'utf8')), 'as Python prints bytes'),
      utf8(`Optional("${secret}")`, 'as Swift prints an optional'),
      utf8(`Some("${secret}")`, 'as Rust prints an option'),
    ],
  },
  {
    code: 'secret.nothing',
    alone: true,
    title: 'A missing value such as “undefined” was used as the secret',
    tries: 'undefined, null, None, nil and similar words were tried as the secret.',
    fix: 'The signer found no secret and used the word for a missing value. Check the variable: process.env in JavaScript, os.environ in Python, ENV in Ruby, os.Getenv in Go, System.getenv in Java and Kotlin.',
    where: 'sender',
    likelihood: 49,
    change: () =>
      ['undefined', 'null', 'None', 'nil', '<nil>', '(null)', '[object Object]'].map((word) =>
        utf8(word, `replaced by the word “${word}”`),
      ),
  },
  {
    code: 'secret.hashed',
    alone: true,
    title: 'The secret was hashed before it was used',
    tries: 'The secret’s SHA-256, SHA-1 and MD5 were tried, as bytes and as hex digits.',
    fix: 'Use the secret itself as the key. In PHP: hash_hmac("sha256", $body, $secret), without hash() around $secret.',
    where: 'sender',
    likelihood: 19,
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
    title: 'A byte order mark before the secret on one side',
    tries: 'A byte order mark before the secret was removed if present, or added.',
    fix: `${enterAgain} Some editors write an invisible mark before the text.`,
    where: 'sender',
    likelihood: 18,
    change: (secret) => [
      secret.startsWith('\ufeff')
        ? ours(secret.slice(1), 'without its byte order mark')
        : utf8(`\ufeff${secret}`, 'with a byte order mark before it'),
    ],
  },
]
