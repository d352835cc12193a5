import { createHash, hash as hashOf } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { CauseCode } from '#catalogue/cause-titles.ts'
import { jsonToken } from '#shared/json/tokenizer.ts'
import { formatCount } from '#shared/text/format.ts'
import type { HmacKey } from '../payload/signature/verify.ts'
import type { Base } from './bases.ts'
import {
  asciiOnly,
  asLatin1,
  asNetLatin1,
  asUtf8,
  base64Pieces,
  cesu8Pieces,
  countCharacters,
  hexPieces,
  lowBytes,
  normalizedPieces,
  pythonBytes,
  pythonRepr,
  quotedPieces,
  utf16Pieces,
  withoutPairs,
} from './encodings.ts'
import { textOf } from './json/document.ts'
import { tokenize } from './json/tokens.ts'
import { compute, plainSha256 } from './sums.ts'
import type { Reading } from './subject.ts'
import type { TimeBudget } from './time-budget.ts'

/** What a sender may have done with the text of the body before signing it. */
export interface BodyChange {
  readonly code: CauseCode
  readonly cost: number
  /** Completes "the body …". */
  readonly words: string
  /** Which texts it changes. `wide`: those with characters beyond ASCII; `pairs`: beyond U+FFFF. */
  readonly needs: 'bytes' | 'text' | 'wide' | 'pairs'
  /** Not after another change of the text, which would be too unlikely. */
  readonly alone: boolean
  readonly pieces: (bytes: Buffer) => Iterable<Uint8Array>
}

type Needs = BodyChange['needs']
type Pieces = BodyChange['pieces']

type Row = readonly [cost: number, needs: Needs, words: string, pieces: Pieces]

function all(code: CauseCode, rows: readonly Row[], alone = false): BodyChange[] {
  return rows.map(([cost, needs, words, pieces]) => ({ code, cost, words, needs, alone, pieces }))
}

function* withMark(bytes: readonly number[], pieces: Iterable<Buffer>): Iterable<Buffer> {
  yield Buffer.from(bytes)
  yield* pieces
}

/** Compressing a larger body takes too long. */
const maxCompressed = 1024 * 1024
/** A larger body would be normalized in one go. */
const maxNormalized = 1024 * 1024
/** Larger bodies are not tried as printed text, which a developer would notice. */
const maxPrinted = 256 * 1024

function normalized(bytes: Buffer, form: 'NFC' | 'NFD'): Iterable<Buffer> {
  return bytes.byteLength > maxNormalized ? [] : normalizedPieces(bytes, form)
}

function compressed(level: number): Pieces {
  return (bytes) => (bytes.byteLength > maxCompressed ? [] : [gzipSync(bytes, { level })])
}

function short(print: (bytes: Buffer) => string): Pieces {
  return (bytes) => (bytes.byteLength > maxPrinted ? [] : [Buffer.from(print(bytes))])
}

const asUint8Array = (bytes: Buffer): string => JSON.stringify(new Uint8Array(bytes))
const others = ['[object Promise]', '[object ReadableStream]', '[object ArrayBuffer]', 'undefined']
const object = Buffer.from('[object Object]')
const asNet = 'as .NET writes it, with two question marks for each emoji'

export const bodyChanges: readonly BodyChange[] = [
  ...all('body.newline', [
    [2, 'bytes', 'followed by a line break', (b) => [b, Buffer.from('\n')]],
    [4, 'bytes', 'followed by a line break (CR LF)', (b) => [b, Buffer.from('\r\n')]],
  ]),
  ...all('body.latin1', [
    [3, 'wide', 'in latin1', (b) => asLatin1(b, 'latin1')],
    [3, 'wide', 'in windows-1252', (b) => asLatin1(b, 'windows-1252')],
    [4, 'wide', 'in ASCII, with question marks', (b) => asLatin1(b, 'ascii')],
    [3, 'pairs', `in ASCII ${asNet}`, (b) => asNetLatin1(b, 'ascii')],
    [3, 'pairs', `in latin1 ${asNet}`, (b) => asNetLatin1(b, 'latin1')],
    [5, 'wide', 'in ASCII, with a question mark for each byte', (b) => asciiOnly(b, '?')],
    [5, 'wide', 'without bytes that are not ASCII', (b) => asciiOnly(b, '')],
  ]),
  ...all('body.low_bytes', [[4, 'wide', 'as the low byte of each character', lowBytes]]),
  ...all('body.utf8', [
    [3, 'wide', 'decoded as latin1 and encoded in UTF-8', (b) => asUtf8(b, 'latin1')],
    [3, 'wide', 'decoded as windows-1252 and encoded in UTF-8', (b) => asUtf8(b, 'windows-1252')],
  ]),
  ...all('body.normalized', [
    [4, 'wide', 'in Unicode form NFC', (b) => normalized(b, 'NFC')],
    [4, 'wide', 'in Unicode form NFD', (b) => normalized(b, 'NFD')],
  ]),
  ...all('body.supplementary', [
    [5, 'pairs', 'with a question mark for each emoji', (b) => withoutPairs(b, '?')],
    [5, 'pairs', 'with four question marks for each emoji', (b) => withoutPairs(b, '????')],
    [5, 'pairs', 'with U+FFFD for each emoji', (b) => withoutPairs(b, '\ufffd')],
    [6, 'pairs', 'without emoji', (b) => withoutPairs(b, '')],
    [5, 'pairs', 'with emoji in CESU-8', cesu8Pieces],
  ]),
  ...(['little', 'big'] as const).flatMap((order) => {
    const name = order === 'big' ? 'in big-endian UTF-16' : 'in UTF-16'
    const mark = order === 'big' ? [0xfe, 0xff] : [0xff, 0xfe]
    return all('body.utf16', [
      [5, 'text', name, (b) => utf16Pieces(b, order)],
      [5, 'text', `${name} with a byte order mark`, (b) => withMark(mark, utf16Pieces(b, order))],
    ])
  }),
  ...all('body.bom', [
    [4, 'text', 'with a byte order mark before it', (b) => withMark([0xef, 0xbb, 0xbf], [b])],
  ]),
  ...all(
    'body.empty',
    [
      [2, 'bytes', 'left out, an empty text instead', () => [Buffer.alloc(0)]],
      [3, 'bytes', 'left out, an empty JSON object instead', () => [Buffer.from('{}')]],
    ],
    true,
  ),
  ...all('body.stringified', [[3, 'text', 'as a JSON string', quotedPieces]]),
  ...all('body.base64', [[4, 'bytes', 'as base64 text', base64Pieces]]),
  ...all('body.hex', [[5, 'bytes', 'as hex digits', hexPieces]], true),
  ...all('body.compressed', [
    [5, 'bytes', 'compressed with gzip', compressed(6)],
    [5, 'bytes', 'compressed with gzip, as small as possible', compressed(9)],
    [5, 'bytes', 'compressed with gzip, as fast as possible', compressed(1)],
  ]),
  ...all('body.python_bytes', [[4, 'bytes', 'as Python prints bytes', short(pythonBytes)]], true),
  ...all(
    'body.object_text',
    [
      [3, 'bytes', 'as JavaScript prints an object, “[object Object]”', () => [object]],
      [4, 'bytes', 'as PHP prints an array, “Array”', () => [Buffer.from('Array')]],
      ...others.map((text): Row => {
        const words = `as JavaScript prints another value, “${text}”`
        return [4, 'bytes', words, () => [Buffer.from(text)]]
      }),
    ],
    true,
  ),
  ...all(
    'body.buffer',
    [
      [
        3,
        'bytes',
        'as JSON.stringify writes a Buffer, {"type":"Buffer",…}',
        short((b) => JSON.stringify(b)),
      ],
      [4, 'bytes', 'as JSON.stringify writes a Uint8Array, {"0":…}', short(asUint8Array)],
      [4, 'bytes', 'as the list of its bytes, separated by commas', short((b) => b.join(','))],
    ],
    true,
  ),
]

/** Where a stream of Next.js ends, at the end of a piece. */
const nextLimit = 10 * 1024 * 1024
const pieceLength = 64 * 1024

/** The change of a handler that read only the beginning of the body: its first pieces, or those up to the limit of Next.js. */
export async function cutOf(
  bytes: Buffer,
  key: HmacKey,
  readings: readonly Reading[],
  budget: TimeBudget,
): Promise<{ readonly change: BodyChange; readonly reading: Reading } | null> {
  const digests = new Map(readings.map((each) => [Buffer.from(each.digest).toString('hex'), each]))
  const sum = createHash('sha256').update(key.inner)
  const outer = Buffer.from(key.outer)
  const end = Math.min(bytes.byteLength - 1, nextLimit)
  for (let at = 0; at < end;) {
    if (budget.due) await budget.yield()
    const skipped = at >= pieceLength && at < nextLimit - pieceLength
    if (skipped && bytes.byteLength <= nextLimit) return null
    const length = skipped ? pieceLength : 1
    sum.update(bytes.subarray(at, at + length))
    at += length
    outer.write(sum.copy().digest('hex'), outer.byteLength - 32, 'hex')
    const cut = bytes.subarray(0, at)
    const reading = digests.get(hashOf('sha256', outer, 'hex'))
    if (reading) {
      const words = `cut after ${formatCount(at)} bytes`
      const pieces = (): Buffer[] => [cut]
      const change = {
        code: 'body.cut',
        cost: 5,
        words,
        needs: 'bytes',
        alone: true,
        pieces,
      } as const
      return { change, reading }
    }
  }
  return null
}

/** What a text has: `pairs` are characters beyond U+FFFF, `wide` others beyond ASCII. Null: it is not UTF-8. */
export type Content = 'ascii' | 'wide' | 'pairs' | null

export function contentOf(text: string): Content {
  if (/[\ud800-\udbff]/.test(text)) return 'pairs'
  return /[^\u0000-\u007f]/.test(text) ? 'wide' : 'ascii'
}

/** False: the change would leave such a text as it is, or cannot be applied. */
export function applies({ needs }: BodyChange, content: Content): boolean {
  if (needs === 'bytes') return true
  if (content === null || needs === 'text') return content !== null
  return content === 'pairs' || (needs === 'wide' && content === 'wide')
}

/** Changes that depend on this body: how languages print its JSON, its digest, and its beginning. */
export async function changesOf(base: Base, budget: TimeBudget): Promise<BodyChange[]> {
  const made: BodyChange[] = []
  const add = (code: CauseCode, cost: number, words: string, bytes: Buffer): void => {
    made.push(...all(code, [[cost, 'bytes', words, () => [bytes]]], true))
  }
  if (base.bytes.byteLength <= maxPrinted && base.utf8) {
    const tokens = await tokenize(base.text, budget)
    if (!('fault' in tokens)) {
      for (const dialect of dialects) {
        add('body.object_text', 4, dialect.words, Buffer.from(printed(tokens, dialect)))
      }
    }
  }
  const hash = await compute(plainSha256, new Uint8Array(0), base.bytes, budget)
  if (hash) {
    add('body.digest', 4, 'as the hex digits of its SHA-256', Buffer.from(hash.toString('hex')))
    add('body.digest', 4, 'as its SHA-256', hash)
  }
  if (!base.ascii && base.utf8) {
    const { units, points } = await countCharacters(base.bytes, budget)
    for (const length of new Set([points, units])) {
      const words = 'cut after as many bytes as it has characters'
      add('body.signed_by_characters', 5, words, base.bytes.subarray(0, length))
    }
  }
  return made
}

interface Dialect {
  readonly words: string
  readonly string: (text: string) => string
  readonly colon: string
  readonly literals: Readonly<Record<string, string>>
}

const rubyInspect = (text: string): string => JSON.stringify(text).replaceAll(/#(?=[{$@])/g, '\\#')

const dialects: readonly Dialect[] = [
  {
    words: 'as Python’s str() prints the object',
    string: pythonRepr,
    colon: ': ',
    literals: { true: 'True', false: 'False', null: 'None' },
  },
  {
    words: 'as Ruby prints the object',
    string: rubyInspect,
    colon: '=>',
    literals: { null: 'nil' },
  },
  {
    words: 'as Ruby 3.4 prints the object',
    string: rubyInspect,
    colon: ' => ',
    literals: { null: 'nil' },
  },
  { words: 'as Java prints a map', string: (text) => text, colon: '=', literals: {} },
]

function printed(
  {
    text,
    count,
    kind,
    start,
    end,
  }: Exclude<Awaited<ReturnType<typeof tokenize>>, { fault: string }>,
  dialect: Dialect,
): string {
  const pieces: string[] = []
  let before = -1
  for (let index = 0; index < count; index += 1) {
    const token = kind[index] ?? jsonToken.literal
    const raw = text.slice(start[index], end[index])
    const closes = token === jsonToken.objectClose || token === jsonToken.arrayClose
    const opened =
      before === jsonToken.objectOpen || before === jsonToken.arrayOpen || before === -1
    if (before === jsonToken.key) pieces.push(dialect.colon)
    else if (!opened && !closes) pieces.push(', ')
    if (token === jsonToken.key || token === jsonToken.string) {
      pieces.push(dialect.string(textOf({ raw })))
    } else pieces.push(dialect.literals[raw] ?? raw)
    before = token
  }
  return pieces.join('')
}
