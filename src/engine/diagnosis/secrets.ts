import { hash } from 'node:crypto'
import type { CauseCode } from '#catalogue/cause-titles.ts'
import type { Cause } from '#contract/models.ts'
import { plural } from '#shared/text/format.ts'
import {
  asLatin1,
  base64Bytes,
  codePointOf,
  decodedPercent,
  encodedPercent,
  hexBytes,
  pythonBytes,
} from './encodings.ts'
import type { OwnValue } from './own-values.ts'
import type { Keyring, NamedSecret } from './subject.ts'

export interface Key {
  readonly bytes: Uint8Array
  /** The causes that it stands for. Empty: the secret as it is. */
  readonly codes: readonly CauseCode[]
  /** "the current secret, in double quotes". Never the secret itself. */
  readonly words: string
  readonly cost: number
  /** The side that has to fix it, if the direction of the change shows it. */
  readonly where: Cause['where'] | null
}

interface SecretChange {
  readonly code: CauseCode
  readonly cost: number
  /** Completes "the current secret, …". */
  readonly words: string
  readonly change: (secret: string) => string | Uint8Array | null
  /** The secret in Tabscope has extra characters. */
  readonly here: boolean
}

type Change = SecretChange['change']

/** `here`: the secret in Tabscope has extra characters. */
type Row = readonly [cost: number, words: string, change: Change, here?: 'here']

function all(code: CauseCode, rows: readonly Row[]): SecretChange[] {
  return rows.map(([cost, words, change, here]) => ({
    code,
    cost,
    words,
    change,
    here: here === 'here',
  }))
}

/** White space except the byte order mark, which has its own cause. */
const trimStart = (text: string): string => text.replace(/^[^\S\ufeff]+/, '')
const trimEnd = (text: string): string => text.replace(/(?<![^\S\ufeff])[^\S\ufeff]+$/, '')
const quotes = /^(["'`“‘])(.*)["'`”’]$/s
/** The characters, not the breaks themselves. */
const lineBreaks = /(?<!\\[nr])(?:\\[nr])+$/
const lineName = /^\s*(?:export\s+)?[A-Za-z_][\w.-]{0,80}(?:=|:\s+)(?=.{4})/
const prefix = /^(?:v\d{1,2},)?(?:[a-z]{2,12}_)?(?=.{8})/i
const version = /^v\d{1,2},(?=.{8})/i
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g
const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8')
const filled = (bytes: Buffer | null): Buffer | null => (bytes?.byteLength ? bytes : null)
const variable = /\$(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*)/g

function cutAtHash(secret: string): string | null {
  const at = secret.indexOf('#')
  return at === -1 ? null : secret.slice(0, at).trimEnd()
}

function prefixDecoded(secret: string): Buffer | null {
  const rest = secret.trim().replace(prefix, '')
  return rest === secret.trim() ? null : filled(base64Bytes(rest))
}

const htmlEscapes = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
] as const

function htmlEscaped(text: string): string {
  return htmlEscapes.reduce((all, [from, to]) => all.replaceAll(from, to), text)
}

function htmlUnescaped(text: string): string {
  return htmlEscapes.toReversed().reduce((all, [to, from]) => all.replaceAll(from, to), text)
}

function resolved(text: string): string {
  const known: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\' }
  return text.replaceAll(/\\([nrt\\])/g, (_, letter: string) => known[letter] ?? letter)
}

function utf16(text: string, order: 'little' | 'big', mark: boolean): Buffer {
  const bytes = Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le')
  return order === 'big' ? bytes.swap16() : bytes
}

const inWide = (text: string, bytes: Buffer): Buffer | null =>
  /[^\u0000-\u007f]/.test(text) ? bytes : null
const concat = (pieces: Iterable<Buffer>): Buffer => Buffer.concat([...pieces])
const cuts = [16, 20, 24, 32, 40, 50, 64, 72, 100, 128, 255]
const words = ['undefined', 'null', 'None', 'nil', '<nil>', '(null)', '[object Object]']

const marks = ['\u200b', '\u00a0', '\u200e', '\u2060', '\u00ad', '\u200d', '\ufeff']

const changes: readonly SecretChange[] = [
  ...all('secret.line_break', [
    [1, 'without its trailing line break', (s) => s.replace(/(?<![\r\n])[\r\n]+$/, ''), 'here'],
    [1, 'followed by a line break', (s) => `${s}\n`],
    [2, 'followed by a line break (CR LF)', (s) => `${s}\r\n`],
    [3, 'followed by a carriage return', (s) => `${s}\r`],
  ]),
  ...all('secret.white_space', [
    [1, 'without the white space around it', (s) => trimStart(trimEnd(s)), 'here'],
    [1, 'without the white space before it', trimStart, 'here'],
    [1, 'without the white space after it', trimEnd, 'here'],
    [2, 'with a space after it', (s) => `${s} `],
    [2, 'with a space before it', (s) => ` ${s}`],
    [3, 'with a space on both sides', (s) => ` ${s} `],
    [3, 'with a tab after it', (s) => `${s}\t`],
    [3, 'with a tab before it', (s) => `\t${s}`],
    [3, 'without the white space inside it', (s) => s.replaceAll(/[^\S\ufeff]+/g, ''), 'here'],
  ]),
  ...all('secret.quotes', [
    [1, 'without the quotes around it', (s) => quotes.exec(s.trim())?.[2] ?? null, 'here'],
    [2, 'in double quotes', (s) => `"${s}"`],
    [2, 'in single quotes', (s) => `'${s}'`],
    [3, 'in backticks', (s) => `\`${s}\``],
  ]),
  ...all('secret.hex_decoded', [[2, 'decoded as hex', (s) => filled(hexBytes(s.trim()))]]),
  ...all('secret.base64_decoded', [[2, 'decoded as base64', (s) => filled(base64Bytes(s.trim()))]]),
  ...all('secret.prefix', [
    [2, 'without its prefix', (s) => s.replace(prefix, '')],
    [2, 'without the version before it', (s) => s.replace(version, '')],
    [2, 'with “whsec_” before it', (s) => `whsec_${s}`],
    [4, 'with “v1,whsec_” before it', (s) => `v1,whsec_${s}`],
  ]),
  ...all('secret.prefix_decoded', [[2, 'without its prefix, decoded as base64', prefixDecoded]]),
  ...all('secret.encoded', [
    [3, 'encoded in base64', (s) => utf8(s).toString('base64')],
    [4, 'encoded in hex', (s) => utf8(s).toString('hex')],
    [5, 'encoded in base64url', (s) => utf8(s).toString('base64url')],
    [5, 'encoded in base64 with a line break', (s) => `${utf8(s).toString('base64')}\n`],
    [5, 'with a line break, encoded in base64', (s) => utf8(`${s}\n`).toString('base64')],
  ]),
  ...all('secret.percent', [
    [4, 'percent-decoded', (s) => decodedPercent(s)[0] ?? null],
    [4, 'decoded as a form field', (s) => decodedPercent(s)[1] ?? null],
    [4, 'percent-encoded', (s) => encodedPercent(s)[0] ?? null],
    [4, 'encoded as a form field', (s) => encodedPercent(s)[1] ?? null],
  ]),
  ...all('secret.upper_case', [[4, 'in upper case', (s) => s.toUpperCase()]]),
  ...all('secret.lower_case', [[4, 'in lower case', (s) => s.toLowerCase()]]),
  ...all('secret.utf16', [
    [4, 'in UTF-16', (s) => utf16(s, 'little', false)],
    [4, 'in big-endian UTF-16', (s) => utf16(s, 'big', false)],
    [4, 'in UTF-16 with a byte order mark', (s) => utf16(s, 'little', true)],
    [4, 'in big-endian UTF-16 with a byte order mark', (s) => utf16(s, 'big', true)],
  ]),
  ...all('secret.latin1', [
    [3, 'with the low byte of each character', (s) => inWide(s, Buffer.from(s, 'latin1'))],
    [3, 'in Latin-1', (s) => inWide(s, concat(asLatin1(utf8(s), 'latin1')))],
    [4, 'in ASCII', (s) => inWide(s, concat(asLatin1(utf8(s), 'ascii')))],
  ]),
  ...all('secret.printed', [
    [5, 'as Python prints bytes', (s) => pythonBytes(utf8(s))],
    [5, 'as Swift prints an optional', (s) => `Optional("${s}")`],
    [5, 'as Rust prints an option', (s) => `Some("${s}")`],
  ]),
  ...all(
    'secret.nothing',
    words.map((word) => [4, `replaced by the word “${word}”`, () => word]),
  ),
  ...(['sha256', 'sha1', 'md5'] as const).flatMap((name) =>
    all('secret.hashed', [
      [5, `as its ${name.toUpperCase()}`, (s) => hash(name, s, 'buffer')],
      [5, `as the hex digits of its ${name.toUpperCase()}`, (s) => hash(name, s, 'hex')],
    ]),
  ),
  ...all('secret.bom', [
    [1, 'without its byte order mark', (s) => s.replace(/^\ufeff/, ''), 'here'],
    [3, 'with a byte order mark before it', (s) => `\ufeff${s}`],
  ]),
  ...all('secret.escape', [
    [2, 'without the characters \\n after it', (s) => s.replace(lineBreaks, ''), 'here'],
    [2, 'followed by the characters \\n', (s) => `${s}\\n`],
    [4, 'followed by the characters \\r\\n', (s) => `${s}\\r\\n`],
    [3, 'with its escapes resolved', resolved],
    [4, 'with its backslashes doubled', (s) => s.replaceAll('\\', '\\\\')],
  ]),
  ...all('secret.invisible', [
    [1, 'without its invisible characters', (s) => s.replaceAll(invisible, ''), 'here'],
  ]),
  ...marks.flatMap((mark) =>
    all('secret.invisible', [
      [5, `with the invisible character ${codePointOf(mark)} after it`, (s) => s + mark],
      [6, `with the invisible character ${codePointOf(mark)} before it`, (s) => mark + s],
    ]),
  ),
  ...all('secret.name', [
    [2, 'without the name before it', (s) => s.replace(lineName, ''), 'here'],
    [2, 'without the final semicolon or comma', (s) => s.replace(/[;,]$/, ''), 'here'],
    [3, 'followed by a semicolon', (s) => `${s};`],
    [3, 'followed by a comma', (s) => `${s},`],
  ]),
  ...all('secret.cut', [[2, 'cut at #', cutAtHash]]),
  ...all('secret.expanded', [
    [2, 'with variables replaced by nothing', (s) => s.replaceAll(variable, '')],
    [3, 'with $ and a digit replaced by nothing', (s) => s.replaceAll(/\$\d/g, '')],
    [4, 'with %NAME% replaced by nothing', (s) => s.replaceAll(/%[A-Za-z_]\w*%/g, '')],
    [2, 'with $ for $$', (s) => s.replaceAll('$$', () => '$')],
    [4, 'with $$ for $', (s) => s.replaceAll('$', () => '$$')],
    [3, 'with $ for \\$', (s) => s.replaceAll('\\$', () => '$')],
  ]),
  ...all('secret.html', [
    [3, 'with HTML escapes', htmlEscaped],
    [3, 'with its HTML escapes resolved', htmlUnescaped],
  ]),
  ...all('secret.normalized', [
    [3, 'in Unicode form NFC', (s) => s.normalize('NFC')],
    [3, 'in Unicode form NFD', (s) => s.normalize('NFD')],
  ]),
  ...[1, 2, 3].flatMap((count) =>
    all('secret.part', [
      [6, `without its first ${plural(count, 'character', 'characters')}`, (s) => s.slice(count)],
      [
        6,
        `without its last ${plural(count, 'character', 'characters')}`,
        (s) => s.slice(0, -count),
      ],
    ]),
  ),
  ...all(
    'secret.part',
    cuts.map((length) => [6, `cut after ${length} characters`, (s) => s.slice(0, length)]),
  ),
  ...all('secret.part', [[6, 'twice in a row', (s) => s + s]]),
]

/** Two changes are only tried together if each costs at most this. */
const pairCost = 4
/** With more text, none of the changes is likely. */
const maxLength = 4096

interface Chained extends Key {
  /** Null: bytes that are no text cannot be changed again. */
  readonly text: string | null
}

function changed(key: Chained, upTo: number): Chained[] {
  const { text } = key
  if (text === null || text.length > maxLength) return []
  return changes.flatMap(({ code, cost, words: added, change, here }) => {
    const made = cost <= upTo ? change(text) : null
    if (made === null || made === text || made.length === 0) return []
    return [
      {
        bytes: typeof made === 'string' ? utf8(made) : made,
        text: typeof made === 'string' ? made : null,
        codes: [...key.codes, code],
        words: `${key.words} ${added}`,
        cost: key.cost + cost,
        where: here ? ('here' as const) : key.where,
      },
    ]
  })
}

function keyOf({ words: name, secret }: NamedSecret, cost: number, code?: CauseCode): Chained {
  const codes = code === undefined ? [] : [code]
  return { bytes: utf8(secret), text: secret, codes, words: name, cost, where: null }
}

export interface Keys {
  /** The own secret, other known secrets, and the own one with one mistake. */
  readonly likely: readonly Key[]
  /** With two mistakes, and other secrets with one. Thousands, which take a few milliseconds. */
  readonly further: () => readonly Key[]
}

/** All keys that may have signed, each once with its lowest cost. `values`: of the delivery. */
export function keysOf(
  own: NamedSecret | null,
  keyring: Keyring,
  values: readonly OwnValue[] = [],
): Keys {
  const { previous, others, access, identifiers } = keyring
  const known: readonly Chained[] = [
    ...(previous === null
      ? []
      : [keyOf({ words: 'the previous secret', secret: previous }, 1, 'secret.previous')]),
    ...others.map((one) => keyOf(one, 1, 'secret.other_endpoint')),
    ...access.map((one) => keyOf(one, 2, 'secret.access')),
    ...identifiers.map((one) => keyOf(one, 4, 'secret.identifier')),
  ]
  const codes: readonly CauseCode[] = ['secret.in_delivery']
  const inDelivery = values.map((one) => ({ ...one, codes, cost: 4, where: null }))
  const none = keyOf({ words: 'an empty secret', secret: '' }, 3, 'secret.empty')
  const first = own ? [keyOf(own, 0)] : []
  const once = first.flatMap((key) => changed(key, Infinity))
  const seen = new Set<string>()
  const distinct = (keys: readonly Key[]): Key[] =>
    keys
      .toSorted((a, b) => a.cost - b.cost || a.codes.length - b.codes.length)
      .filter(({ bytes }) => {
        const id = Buffer.from(bytes).toString('latin1')
        if (seen.has(id)) return false
        seen.add(id)
        return true
      })
  return {
    likely: distinct([...first, ...inDelivery, ...known, none, ...once]),
    further: () =>
      distinct([
        ...once.flatMap((key) => (key.cost <= pairCost ? changed(key, pairCost) : [])),
        ...known.flatMap((key) => changed(key, pairCost)),
      ]),
  }
}
