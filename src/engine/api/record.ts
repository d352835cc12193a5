import { isUtf8 } from 'node:buffer'
import { maskPattern } from '#contract/masks.ts'
import type { ApiHop, ApiRequest } from '#contract/api.ts'
import type { ReceivedAnswer } from '#contract/http.ts'
import { outgoingHeaders } from '../http/request-head.ts'
import type { HttpAnswer } from '../http/http.ts'
import type { Masker } from '../records/masker.ts'
import { maskHeaders, maskQuery, maskSecretFields } from '../records/secret-fields.ts'
import type { ExchangeFields } from '../store/exchanges.ts'
import { bytesOf, keptOf, learnBody, nothing, plainOf, type Kept, type Plain } from './kept-body.ts'
import type { KnownSecret } from './known-secrets.ts'
import { headersOf, holds } from './outgoing.ts'
import { maskRequest } from './masked-request.ts'
import { RecordMasker } from './record-masker.ts'
import type { Sent } from './send.ts'

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
