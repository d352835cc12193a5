import { isAscii, isUtf8 } from 'node:buffer'
import type { CauseCode } from '#catalogue/cause-titles.ts'
import type { Header } from '#contract/models.ts'
import { jsonToken } from '#shared/json/tokenizer.ts'
import { decodeBody } from '../payload/decode-body.ts'
import { asUtf8, base64Bytes, crlfToLf, lfToCrlf, replacedPieces } from './encodings.ts'
import { textOf } from './json/document.ts'
import { tokenize, type JsonTokens } from './json/tokens.ts'
import type { Captured } from './subject.ts'
import type { TimeBudget } from './time-budget.ts'

/** What was signed before the body was wrapped, encoded or changed in transit. The first is the body as received. */
export interface Base {
  readonly bytes: Buffer
  readonly ascii: boolean
  readonly utf8: boolean
  /** In UTF-8; otherwise one character per byte. */
  readonly text: string
  readonly codes: readonly CauseCode[]
  /** "the body as received" */
  readonly words: string
  readonly cost: number
}

function baseOf(bytes: Buffer, from: Pick<Base, 'codes' | 'words' | 'cost'>): Base {
  const utf8 = isUtf8(bytes)
  const { codes, words, cost } = from
  let text: string | null = null
  return {
    bytes,
    ascii: isAscii(bytes),
    utf8,
    get text() {
      return (text ??= bytes.toString(utf8 ? 'utf8' : 'latin1'))
    },
    codes,
    words,
    cost,
  }
}

export function receivedBase({ body }: Captured): Base {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return baseOf(bytes, { codes: [], words: 'the body as received', cost: 0 })
}

interface Found {
  readonly code: CauseCode
  readonly cost: number
  readonly words: string
  readonly bytes: Buffer
}

const maxBases = 24
const maxDepth = 2
const maxCost = 4

/** Everything that the body may have been before. Only with evidence in the body. */
export async function basesOf(captured: Captured, budget: TimeBudget): Promise<Base[]> {
  const bases = [receivedBase(captured)]
  let level = bases.slice()
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const next: Base[] = []
    for (const from of level) {
      for (const found of await insideOf(from, captured, budget)) {
        const cost = from.cost + found.cost
        const known = bases.some(({ bytes }) => bytes.equals(found.bytes))
        if (cost > maxCost || known || bases.length >= maxBases) continue
        const base = baseOf(found.bytes, {
          codes: [...from.codes, found.code],
          words: from.codes.length === 0 ? found.words : `${found.words}, from ${from.words}`,
          cost,
        })
        bases.push(base)
        next.push(base)
      }
    }
    level = next
  }
  return bases.toSorted((a, b) => a.cost - b.cost)
}

async function insideOf(
  base: Base,
  { headers, arrival }: Captured,
  budget: TimeBudget,
): Promise<Found[]> {
  const { bytes, text, utf8, ascii } = base
  const found: Found[] = []
  const add = (code: CauseCode, cost: number, words: string, inside: Buffer | null): void => {
    if (inside && inside.byteLength > 0) found.push({ code, cost, words, bytes: inside })
  }
  if (hasMark(bytes)) add('body.bom', 1, 'the body without its byte order mark', bytes.subarray(3))
  if (base.codes.length === 0)
    add('body.decoded', 1, 'the uncompressed body', decoded(bytes, headers))
  const [from, to] = trimmed(bytes)
  if (to < bytes.byteLength) {
    add('body.newline', 1, 'the body without trailing white space', bytes.subarray(0, to))
  }
  if (from > 0) {
    const words = 'the body without leading and trailing white space'
    add('body.newline', 1, words, bytes.subarray(from, to))
  }
  if (bytes.includes('\r\n')) {
    add('body.line_ends', 2, 'the body with LF instead of CR LF', joined(crlfToLf(bytes)))
  } else if (bytes.includes('\n')) {
    add('body.line_ends', 2, 'the body with CR LF instead of LF', joined(lfToCrlf(bytes)))
  }
  if (!utf8) {
    add(
      'body.utf8',
      1,
      'the body decoded as latin1 and encoded in UTF-8',
      joined(asUtf8(bytes, 'latin1')),
    )
    add(
      'body.utf8',
      2,
      'the body decoded as windows-1252 and encoded in UTF-8',
      joined(asUtf8(bytes, 'windows-1252')),
    )
    const words = 'the body with U+FFFD in place of bytes that are not UTF-8'
    add('body.replaced', 1, words, joined(replacedPieces(bytes)))
  } else if (!ascii && !/[^\u0000-\u00ff]/.test(text)) {
    const once = Buffer.from(text, 'latin1')
    if (isUtf8(once)) add('body.utf8', 1, 'the body with UTF-8 decoded again', once)
  }
  if (text.length > maxWrapped || !utf8) return found
  const tokens = await tokenize(hasMark(bytes) ? text.slice(1) : text, budget)
  if ('fault' in tokens) {
    if (tokens.fault === 'open' && arrival === 'complete') {
      const words = 'the body with the missing end of its JSON'
      const closed = text + tokens.closers
      add('body.length_in_characters', 1, words, Buffer.from(closed))
      add('body.length_in_characters', 2, words, Buffer.from(`${closed}\n`))
    }
    for (const inside of encodedIn(text)) add(inside.code, 2, inside.words, inside.bytes)
    return found
  }
  for (const each of membersOf(tokens)) {
    if (each.isData) add('body.data_only', 3, 'the value of “data”', Buffer.from(each.raw))
    const words = each.isMember ? 'the text in a member of the JSON' : 'the JSON in the JSON string'
    for (const inside of jsonIn(each.raw)) add('body.wrapped', 2, words, inside)
  }
  return found
}

/** Larger bodies are not searched for JSON in texts. */
const maxWrapped = 16 * 1024 * 1024
const maxFields = 8

function* encodedIn(text: string): Iterable<Pick<Found, 'code' | 'words' | 'bytes'>> {
  const compact = text.trim()
  const bytes = compact.length >= 8 ? base64Bytes(compact) : null
  if (bytes) yield { code: 'body.wrapped', words: 'the content of the base64 text', bytes }
  if (/^[^=&\s{[]{1,100}=/.test(compact)) {
    for (const [, value] of [...new URLSearchParams(compact)].slice(0, maxFields)) {
      yield { code: 'body.form', words: 'the value of a form field', bytes: Buffer.from(value) }
      const inner = base64Bytes(value)
      if (inner && value.length >= 8) {
        yield { code: 'body.form', words: 'the base64 value of a form field', bytes: inner }
      }
    }
  }
  if (/%[0-9a-f]{2}/i.test(compact)) {
    for (const form of [compact, compact.replaceAll('+', ' ')]) {
      try {
        const bytes = Buffer.from(decodeURIComponent(form))
        yield { code: 'body.form', words: 'the percent-decoded body', bytes }
      } catch {
        // Not percent-encoded.
      }
    }
  }
}

interface RawMember {
  /** False: the whole text. */
  readonly isMember: boolean
  readonly raw: string
  readonly isData: boolean
}

function* membersOf({ text, kind, start, end, close, count }: JsonTokens): Iterable<RawMember> {
  if (kind[0] === jsonToken.string) {
    yield { isMember: false, raw: text.slice(start[0], end[0]), isData: false }
  }
  if (kind[0] !== jsonToken.objectOpen) return
  let texts = 0
  for (let key = 1; key < count - 1;) {
    const value = key + 1
    const opens = kind[value] === jsonToken.objectOpen || kind[value] === jsonToken.arrayOpen
    const last = opens ? (close[value] ?? value) : value
    const name = text.slice((start[key] ?? 0) + 1, (end[key] ?? 0) - 1)
    const isText = kind[value] === jsonToken.string && texts < maxFields
    if (isText) texts += 1
    if (isText || name === 'data') {
      yield { isMember: true, raw: text.slice(start[value], end[last]), isData: name === 'data' }
    }
    key = last + 1
  }
}

function* jsonIn(raw: string): Iterable<Buffer> {
  if (!raw.startsWith('"') || raw.length < 4) return
  const text = textOf({ raw })
  if (/^\s*[{[]/.test(text)) yield Buffer.from(text)
  const bytes = base64Bytes(text)
  if (bytes && (bytes[0] === 0x7b || bytes[0] === 0x5b)) yield bytes
}

const mark = Buffer.from('\ufeff', 'utf8')

function hasMark(bytes: Buffer): boolean {
  return bytes.subarray(0, 3).equals(mark)
}

function decoded(bytes: Buffer, headers: readonly Header[]): Buffer | null {
  const named = headers.some(
    ([name, value]) => name.toLowerCase() === 'content-encoding' && value.trim() !== '',
  )
  const looksZipped = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!named && !looksZipped) return null
  try {
    const plain = decodeBody(bytes, named ? headers : [['Content-Encoding', 'gzip']])
    const result = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength)
    return result.equals(bytes) ? null : result
  } catch {
    return null
  }
}

function joined(pieces: Iterable<Uint8Array>): Buffer {
  return Buffer.concat([...pieces])
}

const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function trimmed(bytes: Uint8Array): [from: number, to: number] {
  let to = bytes.byteLength
  while (to > 0 && isBlank(bytes[to - 1])) to -= 1
  let from = 0
  while (from < to && isBlank(bytes[from])) from += 1
  return [from, to]
}
