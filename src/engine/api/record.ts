import { isUtf8 } from 'node:buffer'
import { maskMarker } from '#contract/masks.ts'
import type { ApiHop, ApiRequest } from '#contract/api.ts'
import type { ReceivedAnswer } from '#contract/http.ts'
import { outgoingHeaders } from '../http/request-head.ts'
import type { HttpAnswer } from '../http/http.ts'
import type { Masker } from '../records/masker.ts'
import { maskHeaders, maskQuery, maskSecretFields } from '../records/secret-fields.ts'
import type { ExchangeFields } from '../store/exchanges.ts'
import { undo } from './kept-body.ts'
import type { KnownSecret } from './known-secrets.ts'
import { headersOf, holds } from './outgoing.ts'
import { RecordMasker } from './record-masker.ts'
import type { Hop, Sent } from './send.ts'

/** Of the answers on the way this much is kept, in bytes. */
const hopBytes = 64 * 1024
/** A text longer than this is not looked through for fields, in bytes; known secrets are found in any. */
const fieldsWithin = 4 * 1024 * 1024

/** What is stored of one send, secrets as markers, but for the sealing. */
export interface Recorded {
  readonly fields: Omit<ExchangeFields, 'sealed'>
  /** The values that were learnt here and live nowhere else. Those of tokens and access secrets are not copied. */
  readonly secrets: { readonly name: string; readonly value: string }[]
}

interface Plain {
  readonly hop: Hop
  /** The answer's body to look through; null: it cannot be. */
  readonly text: Uint8Array | null
  readonly coded: boolean
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

  const last = plain.at(-1)
  const kept = last ? keptOf(last, masker) : nothing
  const hops = plain.map((each) =>
    hopOf(each, masker, sent.known, each === last ? null : textOf(keptOf(each, masker).body)),
  )
  const [first] = hops
  const record = {
    request: maskRequest(request, masker),
    hops,
    error: sent.error === null ? null : masker.mask(sent.error),
    advice: sent.advice && { ...sent.advice, message: masker.mask(sent.advice.message) },
    bytesKept: kept.body.byteLength,
    ...(kept.note === undefined ? {} : { bodyNote: kept.note }),
  }
  const written = JSON.stringify(record)
  const found = new Set(
    masker
      .values()
      .map(({ name }) => name)
      .filter(
        (name) =>
          written.includes(maskMarker(name)) ||
          (kept.masked && bytesOf(kept.body).includes(maskMarker(name))),
      ),
  )
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

function learn(masker: Masker, plain: Plain, known: readonly KnownSecret[]): void {
  hopOf(plain, masker, known, null)
  if (plain.text && plain.text.byteLength <= fieldsWithin) maskBody(plain.text, masker)
}

/** The same bytes when there is nothing to hold back. What is text is looked through for fields by their names as well. */
function maskBody(body: Uint8Array, masker: Masker): Uint8Array {
  if (body.byteLength > fieldsWithin || !isUtf8(body)) return masker.maskBytes(body)
  const text = bytesOf(body).toString()
  const masked = maskSecretFields(masker, text)
  return masked === text ? body : Buffer.from(masked)
}

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

function keptOf({ hop, text, coded }: Plain, masker: Masker): Kept {
  if (!hop.answer) return nothing
  if (!text) {
    return {
      ...nothing,
      note: 'The body is not kept: decoded it is larger than 64 MiB, and could not be looked through for secrets.',
    }
  }
  const body = maskBody(text, masker)
  const masked = body !== text
  if (!coded) return { body, coded: true, masked }
  if (!masked) return { body: hop.answer.body, coded: true, masked }
  return {
    body,
    coded: false,
    masked,
    note: 'The body is kept decoded: under its encoding it held a secret, which is a marker now.',
  }
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

/** The request as the user wrote it, to be stored: what is a secret in it is a marker, which is filled in again where it is known. */
export function maskRequest(request: ApiRequest, masker: Masker): ApiRequest {
  return {
    integrationId: request.integrationId,
    tokenId: request.tokenId,
    method: request.method,
    path: maskQuery(masker, request.path),
    query: request.query.map(({ name, value, on }) => ({
      name: masker.mask(name),
      value: parameterOf(masker, name, value),
      on,
    })),
    headers: request.headers.map(({ name, value, on }) => {
      const [masked] = maskHeaders(masker, [[name.trim(), value]])
      return { name: masker.mask(name), value: masked?.[1] ?? '', on }
    }),
    body: maskSecretFields(masker, request.body),
  }
}

/** The value of a parameter, judged by its name as it would be in an address. */
function parameterOf(masker: Masker, name: string, value: string): string {
  const written = `?${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  const masked = maskQuery(masker, written)
  if (masked === written) return masker.mask(value)
  return decodeURIComponent(masked.slice(masked.indexOf('=') + 1))
}
