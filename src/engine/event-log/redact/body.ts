import { isAscii, isUtf8 } from 'node:buffer'
import type { Header } from '#contract/models.ts'
import { encodingsOf, encodingsLimit } from '../../store/decode-body.ts'
import { decode, isGzip, readableLimit } from './codings.ts'
import { applyEdits } from './edits.ts'
import type { PathRules } from './paths.ts'
import { isPseudonym } from './pseudonyms.ts'
import type { Place } from './taking.ts'
import { TooCostly, type TextRedaction } from './text.ts'

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
    return left(body, 'The body is larger than 32 MiB, more than is looked through to redact it.')
  }
  const codings = encodingsOf(headers).filter((coding) => coding !== 'identity')
  if (codings.length > encodingsLimit) {
    return left(
      body,
      `The body is said to be encoded ${codings.length} times: it cannot be redacted.`,
    )
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
