import { isUtf8 } from 'node:buffer'
import { maskPattern } from '#contract/masks.ts'
import type { ApiHop, ApiRequest } from '#contract/api.ts'
import type { ReceivedResponse } from '#contract/http.ts'
import { outgoingHeaders } from '../../platform/http/request-head.ts'
import type { HttpResponse } from '../../platform/http/http.ts'
import { type Masker, unmaskable } from '../../platform/masking/masker.ts'
import { maskHeaders, maskQuery, maskSecretFields } from '../../platform/masking/secret-fields.ts'
import type { ExchangeFields } from './store.ts'
import { type KnownSecret, maskRequest, RecordMasker } from './masking.ts'
import { headersOf, containsSecret, type Sent, type Hop } from './request-runner.ts'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { decodeResponse } from '../../platform/http/decode-response.ts'

/** Texts up to this size are searched for secret fields. Known secrets are searched in texts of any size. */
const fieldSearchLimit = 1024 * 1024

const chunkBytes = 256 * 1024

interface DecodedHop {
  readonly hop: Hop
  /** The response body, decoded, or as received if it is not encoded as its header says; null: it cannot be searched. */
  readonly text: Uint8Array | null
  readonly note?: string
}

async function decodeHop(hop: Hop): Promise<DecodedHop> {
  if (!hop.response) return { hop, text: null }
  const { body, headers } = hop.response
  const result = await decodeResponse(body, headers)
  switch (result.state) {
    case 'plain':
      return { hop, text: body }
    case 'broken':
      return {
        hop,
        text: body,
        note: 'The body is stored as received, because it does not match its Content-Encoding.',
      }
    case 'decoded':
      return { hop, text: result.bytes }
    case 'over_limit':
      return {
        hop,
        text: null,
        note: 'The body was not stored: decoded, it is larger than 64 MiB and cannot be searched for secrets.',
      }
  }
}

function addSecretsOfBody(masker: Masker, { text }: DecodedHop): void {
  if (text && text.byteLength <= fieldSearchLimit) maskBody(text, masker)
}

/** Searches text for secret fields, too. Returns the same bytes if there is nothing to mask. */
function maskBody(body: Uint8Array, masker: Masker): Uint8Array {
  if (!isUtf8(body)) return masker.maskBytes(body)
  const text = bytesOf(body).toString()
  const masked = maskSecretFields(masker, text)
  return masked === text ? body : Buffer.from(masked)
}

/** Searches in chunks first, so that other tasks are not blocked if there is nothing to mask. */
async function maskLarge(body: Uint8Array, masker: Masker): Promise<Uint8Array> {
  // Chunks overlap, so that no value is split.
  const overlap = masker.longestForm
  for (let at = 0; at < body.byteLength; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes + overlap)
    if (masker.maskBytes(chunk) !== chunk) return masker.maskBytes(body)
    await yieldToOthers()
  }
  return body
}

/** Decoded, with markers for secrets. */
interface StoredBody {
  readonly body: Uint8Array
  readonly masked: boolean
  readonly note?: string | undefined
}

const noBody: StoredBody = { body: new Uint8Array(), masked: false }

function bytesOf(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

async function maskedBodyOf({ text, note }: DecodedHop, masker: Masker): Promise<StoredBody> {
  if (!text) return { ...noBody, note }
  const body =
    text.byteLength > fieldSearchLimit ? await maskLarge(text, masker) : maskBody(text, masker)
  if (bytesOf(body).equals(Buffer.from(unmaskable))) {
    return {
      ...noBody,
      note: 'The body was not stored: it contains so many prefixes of secrets that it cannot be searched for them.',
    }
  }
  return { body, masked: body !== text, note }
}

const hopBytes = 64 * 1024
export interface Recorded {
  readonly fields: Omit<ExchangeFields, 'sealed'>
  /** To be encrypted. Tokens and access secrets are not copied. */
  readonly secrets: { readonly name: string; readonly value: string }[]
}

/** Contains no secrets. Times in milliseconds since the epoch. */
export async function recordOf(
  request: ApiRequest,
  sent: Sent,
  { at: sentAt, endedAt }: { at: number; endedAt: number },
): Promise<Recorded> {
  const decoded = await Promise.all(sent.hops.map(decodeHop))
  const masker = new RecordMasker(sent.known)
  // The request is masked twice, because a secret found later may also occur in an earlier text.
  maskRequest(request, masker)
  for (const hop of decoded) addSecrets(masker, hop, sent.known)

  const bodies: StoredBody[] = []
  for (const hop of decoded) bodies.push(await maskedBodyOf(hop, masker))
  const lastBody = bodies.at(-1) ?? noBody
  const hops = decoded.map((hop, index) => {
    const body = bodies[index]
    return hopOf(hop, masker, sent.known, !body || body === lastBody ? null : textOf(body.body))
  })
  const last = decoded.at(-1)
  const [first] = hops
  const record = {
    request: maskRequest(request, masker),
    hops,
    error: sent.error === null ? null : masker.mask(sent.error),
    advice: sent.advice && { ...sent.advice, message: masker.mask(sent.advice.message) },
    storedBytes: lastBody.body.byteLength,
    ...(lastBody.note === undefined ? {} : { bodyNote: lastBody.note }),
  }
  const found = new Set(markersIn(JSON.stringify(record)))
  if (lastBody.masked)
    for (const name of markersIn(bytesOf(lastBody.body).toString())) found.add(name)
  return {
    fields: {
      integrationId: request.integrationId,
      tokenId: request.tokenId,
      sentAt,
      method: request.method,
      url: first?.request.url ?? '',
      status: last?.hop.response?.status ?? null,
      durationMs: sent.hops.reduce((sum, { timings }) => sum + timings.totalMs, 0),
      bytes: last?.hop.response?.bytes ?? 0,
      record: {
        ...record,
        maskedValues: masker.maskedValues().filter(({ name }) => found.has(name)),
      },
      own: { endedAt },
      body: lastBody.body,
    },
    secrets: masker
      .values()
      .filter(({ name }) => found.has(name) && !masker.isStoredElsewhere(name)),
  }
}

function markersIn(text: string): string[] {
  return Array.from(text.matchAll(maskPattern), ([, name = '']) => name)
}

function addSecrets(masker: Masker, hop: DecodedHop, known: readonly KnownSecret[]): void {
  hopOf(hop, masker, known, null)
  addSecretsOfBody(masker, hop)
}

function hopOf(
  { hop }: DecodedHop,
  masker: Masker,
  known: readonly KnownSecret[],
  body: string | null,
): ApiHop {
  const { outgoing, response, timings, reason } = hop
  const sent = { ...outgoing, headers: headersOf(outgoing) }
  return {
    request: {
      method: outgoing.method,
      url: maskQuery(masker, outgoing.url.href),
      headers: maskHeaders(masker, outgoingHeaders(sent)),
      body: outgoing.body && maskSecretFields(masker, bytesOf(outgoing.body).toString()),
    },
    response: response && responseOf(response, masker, body),
    timings,
    ...(response?.proxy !== undefined && { proxy: response.proxy }),
    reason,
    withToken:
      outgoing.bearer !== null ||
      outgoing.headers.some(([, value]) =>
        known.some((secret) => containsSecret(value, secret.value)),
      ),
  }
}

function responseOf(response: HttpResponse, masker: Masker, body: string | null): ReceivedResponse {
  const { status, statusText, httpVersion, headers, bytes, truncated } = response
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
