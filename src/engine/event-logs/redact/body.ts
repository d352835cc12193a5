import { isAscii, isUtf8 } from 'node:buffer'
import type { Header } from '#contract/models.ts'
import { encodingsLimit, encodingsOf } from '../../deliveries/decode-body.ts'
import { applyEdits } from './edits.ts'
import type { PathRules } from './path-rules.ts'
import { isPseudonym } from './pseudonyms.ts'
import type { Place } from './redaction-session.ts'
import { TooCostly } from '../../platform/masking/matcher.ts'
import type { TextRedaction } from './text.ts'
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

const maxDecodedBytes = 32 * 1024 * 1024

interface Decoded {
  readonly bytes: Uint8Array
  readonly encode: (bytes: Uint8Array) => Uint8Array
}

const decodeOptions = { maxOutputLength: maxDecodedBytes }

/** Last coding first (RFC 9110, 8.4). Returns null for an unknown or wrong coding, or if the body is truncated or becomes too large. */
function decode(bytes: Uint8Array, codings: readonly string[]): Decoded | null {
  let decoded: Decoded = { bytes, encode: (unchanged) => unchanged }
  for (const coding of codings.toReversed()) {
    const outer = decoded
    const next = decodeOne(outer.bytes, coding)
    if (!next) return null
    decoded = { bytes: next.bytes, encode: (plain) => outer.encode(next.encode(plain)) }
  }
  return decoded
}

function decodeOne(bytes: Uint8Array, coding: string): Decoded | null {
  try {
    switch (coding) {
      case 'identity':
        return { bytes, encode: (unchanged) => unchanged }
      case 'gzip':
      case 'x-gzip':
        return { bytes: gunzipSync(bytes, decodeOptions), encode: (plain) => gzipSync(plain) }
      case 'deflate':
        // The standard requires a zlib frame, but senders often omit it.
        return isZlib(bytes)
          ? { bytes: inflateSync(bytes, decodeOptions), encode: (plain) => deflateSync(plain) }
          : {
              bytes: inflateRawSync(bytes, decodeOptions),
              encode: (plain) => deflateRawSync(plain),
            }
      case 'br':
        return {
          bytes: brotliDecompressSync(bytes, decodeOptions),
          encode: (plain) =>
            brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
        }
      case 'zstd':
        return {
          bytes: zstdDecompressSync(bytes, decodeOptions),
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

/** RFC 1952, 2.3. */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8
}

/** `bytes` is the same object if nothing was redacted. */
export interface RedactedBody {
  readonly bytes: Uint8Array
  /** Why the body cannot be redacted, as a sentence. Null: it was redacted. */
  readonly unreadable: string | null
}

/** `rules`: path rules for JSON. Never throws: one body must neither end an export nor be exported without redaction. */
export function redactBody(
  body: Uint8Array,
  headers: readonly Header[],
  textRedaction: TextRedaction,
  place: Place,
  rules: PathRules | null,
): RedactedBody {
  try {
    return redactDecoded(body, headers, textRedaction, place, rules)
  } catch (error) {
    const reason = error instanceof TooCostly ? error.message : 'it cannot be processed'
    return notRedactable(body, `The body cannot be redacted: ${reason}.`)
  }
}

function redactDecoded(
  body: Uint8Array,
  headers: readonly Header[],
  textRedaction: TextRedaction,
  place: Place,
  rules: PathRules | null,
): RedactedBody {
  if (body.byteLength === 0) return { bytes: body, unreadable: null }
  if (body.byteLength > maxDecodedBytes) {
    return notRedactable(body, 'The body is larger than 32 MiB, the limit for redaction.')
  }
  const codings = encodingsOf(headers).filter((coding) => coding !== 'identity')
  if (codings.length > encodingsLimit) {
    return notRedactable(
      body,
      `The body declares ${codings.length} encodings: it cannot be redacted.`,
    )
  }
  const appliedCodings = codings.length > 0 ? codings : isGzip(body) ? ['gzip'] : []
  const decoded = decode(body, appliedCodings)
  if (!decoded) {
    // The header is wrong: a compressed body is never readable text. So redact the text.
    const areKnown = appliedCodings.every((coding) => compressions.has(coding))
    if (areKnown && isPlainText(body)) return redactPlain(body, textRedaction, place, rules)
    return notRedactable(
      body,
      `The body cannot be decoded as ${appliedCodings.join(', ').slice(0, 60)}, so it cannot be redacted.`,
    )
  }
  const inner = isGzip(decoded.bytes) ? decode(decoded.bytes, ['gzip']) : null
  if (isGzip(decoded.bytes) && !inner) {
    return notRedactable(
      body,
      'The body holds a gzip file that cannot be decoded, so it cannot be redacted.',
    )
  }
  const bytes = inner?.bytes ?? decoded.bytes
  const redacted = redactPlain(bytes, textRedaction, place, rules)
  if (redacted.bytes === bytes) return { bytes: body, unreadable: null }
  const packed = inner ? inner.encode(redacted.bytes) : redacted.bytes
  return { bytes: decoded.encode(packed), unreadable: null }
}

const compressions: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd'])

function notRedactable(bytes: Uint8Array, unreadable: string): RedactedBody {
  return { bytes, unreadable }
}

function isPlainText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32))
}

function redactPlain(
  body: Uint8Array,
  textRedaction: TextRedaction,
  place: Place,
  rules: PathRules | null,
): RedactedBody {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const { text, write } = textOf(bytes)
  if (isPseudonym(text)) return { bytes: body, unreadable: null }
  const { session } = textRedaction
  const previousCount = session.repeated.size
  let redacted = applyEdits(text, textRedaction.edits(text, place, 0, rules))
  // A value found late, by its name, may occur earlier in the body under another name.
  if (session.repeated.size > previousCount) {
    redacted = applyEdits(redacted, textRedaction.edits(redacted, place, 0, rules))
  }
  return { bytes: redacted === text ? body : write(redacted), unreadable: null }
}

/** The first encoding that fits, and the function that encodes again. Binary data is read as Latin-1. */
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
