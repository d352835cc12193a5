import { withoutPartialCharacter } from '#shared/bytes/text.ts'
import { isUtf8 } from 'node:buffer'
import { eventOf, idsOf } from '#catalogue/ids.ts'
import { parseBody } from '../payload/parse-body.ts'
import { decodeSmall, encodingsOf } from '../payload/decode-body.ts'
import { toHeaders } from './rows.ts'
import { hash } from 'node:crypto'

/** Bodies that decode to more are not decoded, so that one delivery does not block the writer. */
export const searchedBytes = 1024 * 1024

/** `delivery_ref.id` is `delivery_id * refSlots + slot`. */
export const refSlots = 16

/** A range of rows of `delivery_text`. Without the casts, the text index reads all rows, because JavaScript's numbers are no integers for it. */
export function rowidBetween(lo: string, hi: string): string {
  return `rowid BETWEEN CAST(${lo} AS INTEGER) AND CAST(${hi} AS INTEGER)`
}

/** Slots of a delivery: its body, its event, then its IDs. */
export const bodySlot = 0
export const eventSlot = 1
export const firstIdSlot = 2

export interface Content {
  /** As stored: names and values alternately, joined by line feeds. */
  readonly headers: string
  readonly trailers: string
  /** The first `searchedBytes` of the stored body. */
  readonly body: Uint8Array
  readonly size: number
  /** Of the complete body, as hex. */
  readonly sha256: string
  readonly complete: boolean
  /** Finds deliveries whose body is too large to be read here. */
  readonly target: string | null
}

export interface Ref {
  readonly slot: number
  readonly hash: number
}

export interface Searchable {
  /** A line for each: "name: value". */
  readonly headers: string
  /** Empty if the body is not text. */
  readonly body: string
  readonly refs: readonly Ref[]
}

/**
 * Pure, never throws. The body is text if it is UTF-8, after decoding if the result is small. Partial and empty bodies get no body and event refs, since
 * they would count as repetitions. No IDs are read from bodies over `searchedBytes`.
 */
export function searchableOf(content: Content): Searchable {
  const { headers, bytes: body, body: text } = searchedText(content)
  const cut = content.size > searchedBytes
  return {
    headers,
    body: text,
    refs: [...bodyRef(content), ...payloadRefs(body === null || cut ? null : body, content)],
  }
}

/** `bytes`: of the body, or null if it is not text. */
export function searchedText(
  content: Pick<Content, 'headers' | 'trailers' | 'body' | 'size'>,
): Pick<Searchable, 'headers' | 'body'> & { bytes: Uint8Array | null } {
  const headers = toHeaders(content.headers)
  const lines = [...headers, ...toHeaders(content.trailers)].map(
    ([name, value]) => `${name}: ${value}`,
  )
  const bytes = textBytes(content, headers)
  return {
    headers: lines.join('\n'),
    body:
      bytes === null ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(),
    bytes,
  }
}

function textBytes(
  { body, size }: Pick<Content, 'body' | 'size'>,
  headers: ReturnType<typeof toHeaders>,
): Uint8Array | null {
  const encoded = encodingsOf(headers).length > 0
  if (encoded && size > searchedBytes) return null
  const decoded = encoded ? decodeSmall(body, headers, searchedBytes) : body
  if (decoded === null) return null
  const bytes = size > searchedBytes ? withoutPartialCharacter(decoded) : decoded
  return isUtf8(bytes) ? bytes : null
}

function bodyRef({ size, sha256, complete }: Content): Ref[] {
  return complete && size > 0 ? [{ slot: bodySlot, hash: refHash('body', sha256) }] : []
}

function payloadRefs(body: Uint8Array | null, { complete, target }: Content): Ref[] {
  const parsed = body && parseBody(body)
  const payload = parsed?.kind === 'object' ? parsed.payload : null
  const event = complete && payload ? eventOf(payload) : null
  const mentioned = payload ? idsOf(payload).map(({ id }) => id) : []
  const ids = new Set(target === null ? mentioned : [target, ...mentioned])
  return [
    ...(event === null ? [] : [{ slot: eventSlot, hash: refHash('event', event) }]),
    ...[...ids]
      .slice(0, refSlots - firstIdSlot)
      .map((id, index) => ({ slot: firstIdSlot + index, hash: refHash('id', id) })),
  ]
}

/** `body`: SHA-256 of the stored bytes as hex. `event`: the result of `eventOf`. `id`: an ID from `idsOf`. */
export type RefKind = 'body' | 'event' | 'id'

/** 52 bits, an integer that both JavaScript and SQLite represent exactly. */
const digits = 13

/** Pure. Among a million texts, the chance of a collision is about one in ten thousand, so compare the results if you must be certain. */
export function refHash(kind: RefKind, text: string): number {
  return Number.parseInt(hash('sha256', `${kind}:${text}`, 'hex').slice(0, digits), 16)
}
