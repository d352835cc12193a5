import { isUtf8 } from 'node:buffer'
import { maskMarker } from '#contract/masks.ts'
import type { ApiHop, ApiRequest } from '#contract/api.ts'
import type { ReceivedAnswer } from '#contract/http.ts'
import { outgoingHeaders } from '../http/request-head.ts'
import type { HttpAnswer } from '../http/http.ts'
import { Masker } from '../records/masker.ts'
import type { ExchangeFields } from '../store/exchanges.ts'
import { undo } from './kept-body.ts'
import { livingName, type KnownSecret } from './known-secrets.ts'
import { learnFields, learnQuery, maskHeader } from './masking.ts'
import { headersOf, holds } from './outgoing.ts'
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
  const masker = new Masker()
  for (const { name, label, value } of sent.known) masker.hold(name, label, value)
  maskRequest(request, masker)
  for (const { hop, text } of plain) learnHop(masker, hop, text)

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
    advice: sent.advice,
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
    secrets: masker
      .values()
      .filter(({ name, value }) => found.has(name) && !lives(name, value, sent.known)),
  }
}

/** Tokens and access secrets are asked for where they live: a copy here would outlive a token that was forgotten. */
function lives(name: string, value: string, known: readonly KnownSecret[]): boolean {
  return (
    livingName.test(name.replace(/^((?:refresh_)?token_\d+|access_secret_\d+)_\d+$/, '$1')) &&
    known.some((secret) => secret.value === value)
  )
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

function learnHop(masker: Masker, { outgoing, answer }: Hop, text: Uint8Array | null): void {
  for (const header of headersOf(outgoing)) maskHeader(masker, header)
  learnQuery(masker, outgoing.url.searchParams)
  if (outgoing.body) learnFields(masker, bytesOf(outgoing.body).toString())
  for (const header of answer?.headers ?? []) {
    maskHeader(masker, header)
    const [name, value] = header
    if (/^(content-)?location$/i.test(name) && URL.canParse(value, outgoing.url.href)) {
      learnQuery(masker, new URL(value, outgoing.url).searchParams)
    }
  }
  if (text && text.byteLength <= fieldsWithin) learnFields(masker, bytesOf(text).toString())
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
  const body = masker.maskBytes(text)
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
      url: masker.mask(outgoing.url.href),
      headers: outgoingHeaders(sent).map((header) => maskHeader(masker, header)),
      body: outgoing.body && masker.mask(bytesOf(outgoing.body).toString()),
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
    headers: headers.map((header) => maskHeader(masker, header)),
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
  learnFields(masker, request.body)
  learnQuery(masker, queryOf(request.path))
  learnQuery(
    masker,
    request.query.map(({ name, value }): [string, string] => [name, value]),
  )
  for (const { name, value } of request.headers) maskHeader(masker, [name, value])
  return {
    integrationId: request.integrationId,
    tokenId: request.tokenId,
    method: request.method,
    path: masker.mask(request.path),
    query: request.query.map(({ name, value, on }) => ({
      name: masker.mask(name),
      value: masker.mask(value),
      on,
    })),
    headers: request.headers.map(({ name, value, on }) => {
      const [masked, held] = maskHeader(masker, [name, value])
      return { name: masked, value: held, on }
    }),
    body: masker.mask(request.body),
  }
}

function queryOf(path: string): URLSearchParams {
  const at = path.indexOf('?')
  return new URLSearchParams(at === -1 ? '' : path.slice(at + 1))
}
