import type { CauseCode } from '#catalogue/cause-titles.ts'
import type { Header } from '#contract/models.ts'
import { base64Bytes, decodedPercent, hexBytes } from './encodings.ts'
import type { Reading } from './subject.ts'

/** Shorter values could match by chance. */
const minBytes = 8

/** A header has room for thousands of values. */
const maxLength = 4096
const maxTexts = 64
const maxReadings = 160
const maxListItems = 20
const hexLength = 64

interface Text {
  readonly text: string
  readonly codes: readonly CauseCode[]
}

/** All texts that the header values may stand for, decoded: as documented first, then those with few changes. */
export function readingsOf(received: readonly string[], elsewhere: readonly Header[]): Reading[] {
  const found = [
    ...received.flatMap((value) => meanings(value, null)),
    ...elsewhere.flatMap(([name, value]) => meanings(value, name)),
  ]
  const readings = new Map<string, Reading>()
  for (const reading of found.toSorted((a, b) => a.codes.length - b.codes.length)) {
    const id = Buffer.from(reading.digest).toString('hex')
    if (!readings.has(id) && readings.size < maxReadings) readings.set(id, reading)
  }
  return [...readings.values()]
}

function meanings(value: string, header: string | null): Reading[] {
  return unwrapped(value.slice(0, maxLength)).flatMap(({ text, codes }) =>
    decoders.flatMap(([code, words, read]) => {
      const digest = read(text)
      if (digest === null || digest.byteLength < minBytes) return []
      const own = code === null ? codes : [...codes, code]
      const all = header === null ? own : (['header.other_name', ...own] as const)
      return [{ digest, codes: all, words, header }]
    }),
  )
}

/** The value, also without what surrounds it: names, brackets, quotes, white space and the other items of a list. */
function unwrapped(value: string): Text[] {
  const texts: Text[] = [{ text: value, codes: [] }]
  // The list grows during the loop: a result may be unwrapped again.
  for (const { text, codes } of texts) {
    for (const [code, unwrap] of unwrappers) {
      if (codes.includes(code)) continue
      for (const inner of unwrap(text)) {
        const known = texts.length >= maxTexts || texts.some((other) => other.text === inner)
        if (!known && inner !== '') texts.push({ text: inner, codes: [...codes, code] })
      }
    }
  }
  return texts
}

type Unwrap = (text: string) => readonly string[]

const matching =
  (pattern: RegExp): Unwrap =>
  (text) => {
    const inner = pattern.exec(text)?.[1]
    return inner === undefined ? [] : [inner]
  }

const unwrappers: readonly (readonly [CauseCode, Unwrap])[] = [
  ['encoding.prefix', matching(/^(?:hmac[-_]?)?(?:md5|sha-?\d{1,3})[=:]\s*([^]*)$/i)],
  ['encoding.version_prefix', matching(/^v\d{1,2}[=,:]\s*([^]*)$/i)],
  ['encoding.key_id', matching(/^[\w.-]{1,80}\/(?:hmac[-_]?)?(?:md5|sha-?\d{1,3})\/([^]*)$/i)],
  ['encoding.name', matching(/^[a-z][\w-]{0,40}(?:[=:]\s{0,4}|\s{1,4})(?=\S)([^]*)$/i)],
  ['encoding.quotes', matching(/^["'`“‘](.+)["'`”’]$/)],
  ['encoding.brackets', matching(/^[[({<](.+)[\])}>]$/)],
  ['encoding.json', jsonTexts],
  [
    'encoding.white_space',
    (text) => [text.replaceAll(/[\u0000-\u0020\u007f-\u00a0\u200b\ufeff]/g, '')],
  ],
  ['encoding.hex_prefix', matching(/^0x([0-9a-f]{16}[^]*)$/i)],
  [
    'encoding.python_bytes',
    (text) => {
      const inside = /^b(["'])(.+)\1$/.exec(text)?.[2]
      if (inside === undefined) return []
      return inside.includes('\\') ? [pythonBytesRead(inside).toString('hex')] : [inside]
    },
  ],
  ['encoding.percent', decodedPercent],
  [
    'encoding.appended',
    (text) =>
      text.length > hexLength && /^[0-9a-f]+$/i.test(text) ? [text.slice(-hexLength)] : [],
  ],
  [
    'encoding.list',
    (text) =>
      [/[,;]\s*/, /\s+/, '/'].flatMap((separator) => {
        const items = text.split(separator, maxListItems)
        return items.length > 1 ? items : []
      }),
  ],
]

function jsonTexts(text: string): string[] {
  if (!/^\s*[{["]/.test(text)) return []
  try {
    const value: unknown = JSON.parse(text)
    const inside = typeof value === 'object' && value !== null ? Object.values(value) : [value]
    return inside.filter((each) => typeof each === 'string').slice(0, maxListItems)
  } catch {
    return []
  }
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

const separated = (text: string): Buffer | null =>
  /^[0-9a-f]{2}(?:[-: ][0-9a-f]{2})+$/i.test(text) ? hexBytes(text.replaceAll(/[-: ]/g, '')) : null
const padded = (text: string): Buffer | null =>
  /^[0-9a-f]{58,63}$/i.test(text) ? hexBytes(text.padStart(hexLength, '0')) : null
const isUrlSafe = (text: string): boolean => text.length % 4 !== 0 || /[-_]/.test(text)
const hexIn = (bytes: Buffer | null): Buffer | null => bytes && hexBytes(bytes.toString('latin1'))
const long = (bytes: Buffer | null): Buffer | null =>
  bytes && bytes.byteLength >= 32 ? bytes : null

/** A code that is null stands for the documented encoding. */
const decoders: readonly (readonly [
  code: CauseCode | null,
  words: string,
  read: (text: string) => Buffer | null,
])[] = [
  [null, 'encoded in hex', hexBytes],
  ['encoding.base64', 'encoded in base64', (s) => (isUrlSafe(s) ? null : base64Bytes(s))],
  ['encoding.base64url', 'encoded in base64url', (s) => (isUrlSafe(s) ? base64Bytes(s) : null)],
  ['encoding.base64_of_hex', 'encoded in hex, then in base64', (s) => hexIn(base64Bytes(s))],
  ['encoding.separated', 'encoded in hex with separators', separated],
  ['encoding.double_hex', 'encoded in hex twice', (s) => hexIn(long(hexBytes(s)))],
  ['encoding.leading_zeros', 'encoded in hex without leading zeros', padded],
  ['encoding.numbers', 'listed as numbers', listedBytes],
  ['encoding.raw', 'sent as raw bytes', (s) => rawBytes(s) ?? rawBytes(utf8Of(s))],
]

const utf8Of = (text: string): string => Buffer.from(text, 'latin1').toString('utf8')

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

/** `digest` in hex, as computed. */
export function matchOfDigest(digest: string, reading: string): 'complete' | 'prefix' | null {
  if (!digest.startsWith(reading)) return null
  return digest.length === reading.length ? 'complete' : 'prefix'
}
