import { isUtf8 } from 'node:buffer'
import { eventOf, idsOf } from '#catalogue/ids.ts'
import { parseBody } from '../../capture/parse-body.ts'
import { encodingsOf } from '../../deliveries/decode-body.ts'
import { toHeaders } from '../../deliveries/rows.ts'
import { decodeSmall } from './decode-small.ts'
import { bodySlot, eventSlot, firstIdSlot, refSlots, searchedBytes } from './limits.ts'
import { hash } from 'node:crypto'

export interface Content {
  /** As the store has them: names and values in turn, joined by line feeds. */
  readonly headers: string
  readonly trailers: string
  /** The first `searchedBytes` of the body as kept. */
  readonly body: Uint8Array
  /** How long the body is, in bytes. */
  readonly size: number
  /** Hex SHA-256 of all of it. */
  readonly sha256: string
  /** It came whole. */
  readonly whole: boolean
  /** As its row has it: by it a delivery is found whose body is too large to be read here. */
  readonly target: string | null
}

export interface Ref {
  readonly slot: number
  readonly hash: number
}

/** What a delivery is found by. */
export interface Searchable {
  /** A line for each header: "name: value". */
  readonly headers: string
  /** Empty when the body is no text. */
  readonly body: string
  readonly refs: readonly Ref[]
}

/**
 * What there is to search in a delivery. Pure, never throws. The body is text when it is UTF-8, after its encoding is undone where that
 * stays small. Its bytes and its event are compared only where it came whole and is not empty: a part may begin like another, and
 * nothing is the same as nothing. Of a body over `searchedBytes` no ids are read.
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

/** The text of a delivery that is searched; `bytes`: those of its body, null where that is no text. */
export function searchedText(
  content: Pick<Content, 'headers' | 'trailers' | 'body' | 'size'>,
): Pick<Searchable, 'headers' | 'body'> & { readonly bytes: Uint8Array | null } {
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
  const whole = size > searchedBytes ? withoutTornEnd(decoded) : decoded
  return isUtf8(whole) ? whole : null
}

/** Without the character that the end of the slice has cut in two: its first byte is at most three before the end. */
function withoutTornEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes.at(-back) ?? 0
    if (byte >= 0xc0) return bytes.subarray(0, -back)
    if (byte < 0x80) break
  }
  return bytes
}

function bodyRef({ size, sha256, whole }: Content): Ref[] {
  return whole && size > 0 ? [{ slot: bodySlot, hash: refHash('body', sha256) }] : []
}

function payloadRefs(body: Uint8Array | null, { whole, target }: Content): Ref[] {
  const parsed = body && parseBody(body)
  const payload = parsed?.kind === 'object' ? parsed.payload : null
  const event = whole && payload ? eventOf(payload) : null
  const mentioned = payload ? idsOf(payload).map(({ id }) => id) : []
  const ids = new Set(target === null ? mentioned : [target, ...mentioned])
  return [
    ...(event === null ? [] : [{ slot: eventSlot, hash: refHash('event', event) }]),
    ...[...ids]
      .slice(0, refSlots - firstIdSlot)
      .map((id, index) => ({ slot: firstIdSlot + index, hash: refHash('id', id) })),
  ]
}

/** `body`: hex SHA-256 of the bytes kept. `event`: what `eventOf` says. `id`: an id as `idsOf` says it. */
export type RefKind = 'body' | 'event' | 'id'

/** Hex digits of 52 bits: a whole number that JavaScript and SQLite both hold exactly. */
const digits = 13

/**
 * By what `delivery_ref` finds deliveries: the first 52 bits of the SHA-256 of kind and text. Pure. Two texts in a million share theirs
 * with a chance of one in ten thousand, so whoever must be sure compares what was found.
 */
export function refHash(kind: RefKind, text: string): number {
  return Number.parseInt(hash('sha256', `${kind}:${text}`, 'hex').slice(0, digits), 16)
}
