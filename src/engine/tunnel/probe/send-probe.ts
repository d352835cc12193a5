import { randomBytes } from 'node:crypto'
import type { Header } from '#contract/models.ts'
import { decodeResponse } from '../../platform/http/decode-response.ts'
import { steadyClock } from '../../platform/clock.ts'
import { type HttpResponse, HttpFailure } from '../../platform/http/http.ts'
import type { Network } from '../../platform/http/network.ts'
import { sendRequest } from '../../platform/http/request.ts'
import {
  isEqual,
  type ProbeReply,
  probeHeader,
  probePath,
  proofOf,
  signProbe,
  newNonce,
  sha256Of,
} from './format.ts'
import { z } from 'zod'
import { parseJson } from '#shared/json/object.ts'

const ResponseText = z.object({
  tabscope: z.literal('probe'),
  nonce: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  outcome: z.enum(['whole', 'too_large', 'busy', 'broken']),
  limit: z.int(),
  proof: z.string(),
})

/** `foreign`: another Tabscope signed it, with a different key; null: it is not a probe response. */
export function readResponse(key: Uint8Array, body: Uint8Array): ProbeReply | 'foreign' | null {
  const result = ResponseText.safeParse(parseJson(Buffer.from(body).toString('utf8')))
  if (!result.success) return null
  const { proof, nonce, bytes, sha256, outcome, limit } = result.data
  const response: ProbeReply = { nonce, bytes, sha256, outcome, limit }
  return isEqual(proofOf(key, response), proof) ? response : 'foreign'
}

export type ProbeResponse = { readonly ms: number } & (
  | { readonly kind: 'ours'; readonly status: number; readonly response: ProbeReply }
  | { readonly kind: 'stale'; readonly status: number }
  /** Another Tabscope, or this one without our header, which something in between removed. */
  | { readonly kind: 'tabscope'; readonly status: number }
  | { readonly kind: 'other'; readonly response: HttpResponse; readonly text: string }
  | { readonly kind: 'failure'; readonly failure: HttpFailure }
)

export interface ProbeRequest {
  readonly key: Uint8Array
  readonly url: URL
  readonly body: Uint8Array
  readonly timeout: number
  readonly signal: AbortSignal
  readonly network: Network
}

const responseBytes = 64 * 1024

/** Like a webhook sender. The content type gives proxies no reason to change the body, and the response must not be compressed. */
const headers: readonly Header[] = [
  ['User-Agent', 'Tabscope-Probe'],
  ['Accept', 'application/json'],
  ['Accept-Encoding', 'identity'],
  ['Content-Type', 'application/octet-stream'],
  ['Cache-Control', 'no-store'],
]

/** In the response of Tabscope to a request without an endpoint (`capture/send-response`). */
const recorded = /Tabscope recorded/

export function probeUrl(origin: string): URL | null {
  const text = origin.replace(/(?<!\/)\/+$/, '') + probePath
  return URL.canParse(text) ? new URL(text) : null
}

/** Uses a new connection and follows no redirects. Never rejects for network failures. */
export async function sendProbe(request: ProbeRequest): Promise<ProbeResponse> {
  const { key, url, body, timeout, signal } = request
  const nonce = newNonce(steadyClock.now(), randomBytes(8))
  const startedAt = performance.now()
  const elapsed = (): number => performance.now() - startedAt
  const header = signProbe(key, { nonce, bytes: body.byteLength, sha256: sha256Of(body) })
  let response: HttpResponse
  try {
    response = await sendRequest(
      {
        method: 'POST',
        url,
        headers: [...headers, [probeHeader, header]],
        body,
        timeout,
        maxBytes: responseBytes,
        signal,
      },
      request.network,
    )
  } catch (error) {
    if (error instanceof HttpFailure) return { kind: 'failure', failure: error, ms: elapsed() }
    throw error
  }
  const ms = elapsed()
  const decoded = await decodeResponse(response.body, response.headers, responseBytes)
  const bytes = decoded.state === 'decoded' ? decoded.bytes : response.body
  const { status } = response
  const parsed = readResponse(key, bytes)
  if (parsed === 'foreign') return { kind: 'tabscope', status, ms }
  if (parsed !== null) {
    return parsed.nonce === nonce
      ? { kind: 'ours', status, response: parsed, ms }
      : { kind: 'stale', status, ms }
  }
  const text = Buffer.from(bytes).toString('utf8')
  if (recorded.test(text)) return { kind: 'tabscope', status, ms }
  return { kind: 'other', response, text, ms }
}
