import { isAscii, isUtf8 } from 'node:buffer'
import type { Header } from '#contract/models.ts'
import { encodingsLimit, encodingsOf } from '../../deliveries/decode-body.ts'
import { applyEdits } from './edits.ts'
import type { PathRules } from './paths.ts'
import { isPseudonym } from './pseudonyms.ts'
import type { Place } from './redaction-session.ts'
import { type TextRedaction, TooCostly } from './text.ts'
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateRawSync,
  inflateSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'

/** A body may not grow beyond this when its coding is undone, in bytes. */
const readableLimit = 32 * 1024 * 1024

/** A body with its codings undone, and the way back. */
interface Decoded {
  readonly bytes: Uint8Array
  readonly encode: (bytes: Uint8Array) => Uint8Array
}

const options = { maxOutputLength: readableLimit }

/** Undoes codings, the last one first (RFC 9110, 8.4). Null: one is unknown, not true, cut off, or makes too much. */
function decode(bytes: Uint8Array, codings: readonly string[]): Decoded | null {
  let decoded: Decoded = { bytes, encode: (same) => same }
  for (const coding of codings.toReversed()) {
    const before = decoded
    const next = decodeOne(before.bytes, coding)
    if (!next) return null
    decoded = { bytes: next.bytes, encode: (plain) => before.encode(next.encode(plain)) }
  }
  return decoded
}

function decodeOne(bytes: Uint8Array, coding: string): Decoded | null {
  try {
    switch (coding) {
      case 'identity':
        return { bytes, encode: (same) => same }
      case 'gzip':
      case 'x-gzip':
        return { bytes: gunzipSync(bytes, options), encode: (plain) => gzipSync(plain) }
      case 'deflate':
        // By the standard with a zlib frame, in practice often without.
        return isZlib(bytes)
          ? { bytes: inflateSync(bytes, options), encode: (plain) => deflateSync(plain) }
          : { bytes: inflateRawSync(bytes, options), encode: (plain) => deflateRawSync(plain) }
      case 'br':
        return {
          bytes: brotliDecompressSync(bytes, options),
          encode: (plain) =>
            brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
        }
      case 'zstd':
        return {
          bytes: zstdDecompressSync(bytes, options),
          encode: (plain) => zstdCompressSync(plain),
        }
      default:
        return null
    }
  } catch {
    return null
  }
}

function isZlib(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
}

/** The body is a gzip file by its first bytes (RFC 1952, 2.3). */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8
}

/** A body that was looked through. The very same bytes where nothing had to go. */
export interface RedactedBody {
  readonly bytes: Uint8Array
  /** Why it cannot be looked through, as a sentence; null: it was. */
  readonly unreadable: string | null
}

/**
 * Takes out of a body what must go: undoes its coding, reads it as the text that it is, and writes it as it came. `rules`: of paths, for
 * JSON. Never throws: one body that cannot be processed must not end an export, nor leave unredacted.
 */
export function redactBody(
  body: Uint8Array,
  headers: readonly Header[],
  texts: TextRedaction,
  place: Place,
  rules: PathRules | null,
): RedactedBody {
  try {
    return lookThrough(body, headers, texts, place, rules)
  } catch (error) {
    const why = error instanceof TooCostly ? error.message : 'it cannot be processed'
    return left(body, `The body cannot be redacted: ${why}.`)
  }
}

function lookThrough(
  body: Uint8Array,
  headers: readonly Header[],
  texts: TextRedaction,
  place: Place,
  rules: PathRules | null,
): RedactedBody {
  if (body.byteLength === 0) return { bytes: body, unreadable: null }
  if (body.byteLength > readableLimit) {
    return left(body, 'The body is larger than 32 MiB, the limit for redaction.')
  }
  const codings = encodingsOf(headers).filter((coding) => coding !== 'identity')
  if (codings.length > encodingsLimit) {
    return left(body, `The body declares ${codings.length} encodings: it cannot be redacted.`)
  }
  const named = codings.length > 0 ? codings : isGzip(body) ? ['gzip'] : []
  const decoded = decode(body, named)
  if (!decoded) {
    // A header that is not true hides nothing: no coding makes readable text.
    const known = named.every((coding) => compressions.has(coding))
    if (known && isPlainText(body)) return plain(body, texts, place, rules)
    return left(
      body,
      `The body cannot be decoded as ${named.join(', ').slice(0, 60)}, so it cannot be redacted.`,
    )
  }
  const inner = isGzip(decoded.bytes) ? decode(decoded.bytes, ['gzip']) : null
  if (isGzip(decoded.bytes) && !inner) {
    return left(
      body,
      'The body holds a gzip file that cannot be decoded, so it cannot be redacted.',
    )
  }
  const bytes = inner?.bytes ?? decoded.bytes
  const redacted = plain(bytes, texts, place, rules)
  if (redacted.bytes === bytes) return { bytes: body, unreadable: null }
  const packed = inner ? inner.encode(redacted.bytes) : redacted.bytes
  return { bytes: decoded.encode(packed), unreadable: null }
}

const compressions: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd'])

function left(bytes: Uint8Array, unreadable: string): RedactedBody {
  return { bytes, unreadable }
}

function isPlainText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32))
}

function plain(
  body: Uint8Array,
  texts: TextRedaction,
  place: Place,
  rules: PathRules | null,
): RedactedBody {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const { text, write } = textOf(bytes)
  if (isPseudonym(text)) return { bytes: body, unreadable: null }
  const { taking } = texts
  const before = taking.repeated.size
  let redacted = applyEdits(text, texts.edits(text, place, 0, rules))
  // What went by its name in the end may stand at the beginning under another.
  if (taking.repeated.size > before) {
    redacted = applyEdits(redacted, texts.edits(redacted, place, 0, rules))
  }
  return { bytes: redacted === text ? body : write(redacted), unreadable: null }
}

/** Bytes as text, by the first sort that fits, and the way back. What is no text reads as Latin-1: each byte a character. */
function textOf(bytes: Buffer): { text: string; write: (text: string) => Uint8Array } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    const odd = bytes.byteLength % 2
    const end = bytes.byteLength - odd
    return {
      text: bytes.toString('utf16le', 0, end),
      write: (text) => Buffer.concat([Buffer.from(text, 'utf16le'), bytes.subarray(end)]),
    }
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    const end = bytes.byteLength - (bytes.byteLength % 2)
    return {
      text: Buffer.from(bytes.subarray(0, end)).swap16().toString('utf16le'),
      write: (text) => Buffer.concat([Buffer.from(text, 'utf16le').swap16(), bytes.subarray(end)]),
    }
  }
  if (isAscii(bytes)) {
    return { text: bytes.toString('latin1'), write: (text) => Buffer.from(text, 'latin1') }
  }
  const coding = isUtf8(bytes) ? 'utf8' : 'latin1'
  return { text: bytes.toString(coding), write: (text) => Buffer.from(text, coding) }
}
