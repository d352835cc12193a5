import { isUtf8 } from 'node:buffer'
import { maskPattern } from '#contract/masks.ts'
import type { ApiHop, ApiRequest } from '#contract/api.ts'
import type { ReceivedAnswer } from '#contract/http.ts'
import { outgoingHeaders } from '../platform/http/request-head.ts'
import type { HttpAnswer } from '../platform/http/http.ts'
import { type Masker, unmaskable } from '../platform/masking/masker.ts'
import { maskHeaders, maskQuery, maskSecretFields } from '../platform/masking/secret-fields.ts'
import type { ExchangeFields } from './store.ts'
import { type KnownSecret, maskRequest, RecordMasker } from './masking.ts'
import { headersOf, holds, type Sent, type Hop } from './request-runner.ts'
import { setImmediate as turn } from 'node:timers/promises'
import { undo } from './undo-encoding.ts'

/** A text longer than this is not looked through for fields, in bytes; known secrets are found in any. */
const fieldsWithin = 1024 * 1024

/** A larger body is looked through in pieces of so many bytes. */
const pieceBytes = 256 * 1024

/** A hop, its answer's body ready to be looked through. */
interface Plain {
  readonly hop: Hop
  /** The answer's body to look through; null: it cannot be. */
  readonly text: Uint8Array | null
  readonly coded: boolean
}

async function plainOf(hop: Hop): Promise<Plain> {
  if (!hop.answer) return { hop, text: null, coded: false }
  const undone = await undo(hop.answer.body, hop.answer.headers)
  switch (undone.state) {
    case 'plain':
      return { hop, text: hop.answer.body, coded: false }
    case 'decoded':
      return { hop, text: undone.bytes, coded: true }
    case 'unsearchable':
      return { hop, text: null, coded: true }
  }
}

/** Takes in what the body says is a secret, by the names of its fields. */
function learnBody(masker: Masker, { text }: Plain): void {
  if (text && text.byteLength <= fieldsWithin) maskBody(text, masker)
}

/** The same bytes when there is nothing to hold back. What is text is looked through for fields by their names as well. */
function maskBody(body: Uint8Array, masker: Masker): Uint8Array {
  if (!isUtf8(body)) return masker.maskBytes(body)
  const text = bytesOf(body).toString()
  const masked = maskSecretFields(masker, text)
  return masked === text ? body : Buffer.from(masked)
}

/** The same for a large one: in pieces, so that nothing waits for it as long as there is nothing to be found. */
async function maskLarge(body: Uint8Array, masker: Masker): Promise<Uint8Array> {
  // A piece reaches so far into the next that no value is cut in two.
  const overlap = masker.longestForm
  for (let at = 0; at < body.byteLength; at += pieceBytes) {
    const piece = body.subarray(at, at + pieceBytes + overlap)
    if (masker.maskBytes(piece) !== piece) return masker.maskBytes(body)
    await turn()
  }
  return body
}

/** What is kept of a body, secrets as markers. */
interface Kept {
  readonly body: Uint8Array
  /** Whether it is still encoded as its header says. */
  readonly coded: boolean
  /** Whether there are markers in it. */
  readonly masked: boolean
  readonly note?: string
}

const nothing: Kept = { body: new Uint8Array(), coded: false, masked: false }

/** The same bytes, not a copy. */
function bytesOf(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

async function keptOf({ hop, text, coded }: Plain, masker: Masker): Promise<Kept> {
  if (!hop.answer) return nothing
  if (!text) {
    return {
      ...nothing,
      note: 'The body was not stored: decoded, it is larger than 64 MiB and cannot be searched for secrets.',
    }
  }
  const body =
    text.byteLength > fieldsWithin ? await maskLarge(text, masker) : maskBody(text, masker)
  if (bytesOf(body).equals(Buffer.from(unmaskable))) {
    return {
      ...nothing,
      note: 'The body was not stored: it repeats prefixes of secrets so often that it cannot be searched for them.',
    }
  }
  const masked = body !== text
  if (!coded) return { body, coded: true, masked }
  if (!masked) return { body: hop.answer.body, coded: true, masked }
  return {
    body,
    coded: false,
    masked,
    note: 'The body is stored decoded: it contained an encoded secret, which was masked.',
  }
}

/** Of the answers on the way this much is kept, in bytes. */
const hopBytes = 64 * 1024
/** What is stored of one send, secrets as markers, but for the sealing. */
export interface Recorded {
  readonly fields: Omit<ExchangeFields, 'sealed'>
  /** The values that were learnt here and live nowhere else. Those of tokens and access secrets are not copied. */
  readonly secrets: { readonly name: string; readonly value: string }[]
}

/** Writes down what was sent and what came, with nothing in it that is a secret. Times in milliseconds since the epoch. */
export async function recordOf(
  request: ApiRequest,
  sent: Sent,
  { at, endedAt }: { at: number; endedAt: number },
): Promise<Recorded> {
  const plain = await Promise.all(sent.hops.map(plainOf))
  const masker = new RecordMasker(sent.known)
  // Twice: what is found out last may stand in what came first.
  maskRequest(request, masker)
  for (const each of plain) learn(masker, each, sent.known)

  const bodies: Kept[] = []
  for (const each of plain) bodies.push(await keptOf(each, masker))
  const kept = bodies.at(-1) ?? nothing
  const hops = plain.map((each, at) => {
    const body = bodies[at]
    return hopOf(each, masker, sent.known, !body || body === kept ? null : textOf(body.body))
  })
  const last = plain.at(-1)
  const [first] = hops
  const record = {
    request: maskRequest(request, masker),
    hops,
    error: sent.error === null ? null : masker.mask(sent.error),
    advice: sent.advice && { ...sent.advice, message: masker.mask(sent.advice.message) },
    bytesKept: kept.body.byteLength,
    ...(kept.note === undefined ? {} : { bodyNote: kept.note }),
  }
  const found = new Set(markersIn(JSON.stringify(record)))
  if (kept.masked) for (const name of markersIn(bytesOf(kept.body).toString())) found.add(name)
  return {
    fields: {
      integrationId: request.integrationId,
      tokenId: request.tokenId,
      at,
      method: request.method,
      url: first?.request.url ?? '',
      status: last?.hop.answer?.status ?? null,
      took: sent.hops.reduce((sum, { timings }) => sum + timings.total, 0),
      bytes: last?.hop.answer?.bytes ?? 0,
      record: { ...record, heldBack: masker.heldBack().filter(({ name }) => found.has(name)) },
      own: { coded: kept.coded, endedAt },
      body: kept.body,
    },
    secrets: masker.values().filter(({ name }) => found.has(name) && !masker.lives(name)),
  }
}

function markersIn(text: string): string[] {
  return Array.from(text.matchAll(maskPattern), ([, name = '']) => name)
}

function learn(masker: Masker, plain: Plain, known: readonly KnownSecret[]): void {
  hopOf(plain, masker, known, null)
  learnBody(masker, plain)
}

function hopOf(
  { hop }: Plain,
  masker: Masker,
  known: readonly KnownSecret[],
  body: string | null,
): ApiHop {
  const { outgoing, answer, timings, reason } = hop
  const sent = { ...outgoing, headers: headersOf(outgoing) }
  return {
    request: {
      method: outgoing.method,
      url: maskQuery(masker, outgoing.url.href),
      headers: maskHeaders(masker, outgoingHeaders(sent)),
      body: outgoing.body && maskSecretFields(masker, bytesOf(outgoing.body).toString()),
    },
    answer: answer && answerOf(answer, masker, body),
    timings,
    reason,
    withToken:
      outgoing.bearer !== null ||
      outgoing.headers.some(([, value]) => known.some((secret) => holds(value, secret.value))),
  }
}

function answerOf(answer: HttpAnswer, masker: Masker, body: string | null): ReceivedAnswer {
  const { status, statusText, httpVersion, headers, bytes, truncated } = answer
  return {
    status,
    statusText: masker.mask(statusText),
    httpVersion,
    headers: maskHeaders(masker, headers),
    body,
    bytes,
    truncated,
  }
}

function textOf(body: Uint8Array): string | null {
  if (!isUtf8(body)) return null
  return bytesOf(body.subarray(0, hopBytes)).toString().replace(/�$/, '')
}
