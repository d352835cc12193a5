import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import type { Header } from '#contract/models.ts'
import type { TunnelProbe } from '#contract/tunnel.ts'
import { parseJson } from '#shared/json/object.ts'
import { steadyClock } from '../../../platform/clock.ts'
import { decodeResponse } from '../../../platform/http/decode-response.ts'
import { authorityOf } from '../../../platform/http/failures.ts'
import {
  type HttpResponse,
  HttpFailure,
  type HttpFailureCode,
} from '../../../platform/http/http.ts'
import type { Network } from '../../../platform/http/network.ts'
import { sendRequest } from '../../../platform/http/request.ts'
import {
  isEqual,
  newNonce,
  type ProbeReply,
  probeHeader,
  probePath,
  proofOf,
  sha256Of,
  signProbe,
} from './format.ts'

/** Says whether something other than this Tabscope responded. */
export interface ProbeResult extends TunnelProbe {
  readonly code: 'probe_ok' | 'probe_failed' | 'other_answer'
}

/** Sends requests to the public URL as a sender would, and recognizes responses of this Tabscope. */
export type Prober = ReturnType<typeof createProber>

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

const bodyBytes = 200
const responseBytes = 64 * 1024

/** Like a webhook sender. The content type gives proxies no reason to change the body, and the response must not be compressed. */
const headers: readonly Header[] = [
  ['User-Agent', 'Tabscope-Probe'],
  ['Accept', 'application/json'],
  ['Accept-Encoding', 'identity'],
  ['Content-Type', 'application/octet-stream'],
  ['Cache-Control', 'no-store'],
]

/** In the response of Tabscope to a request without an endpoint (`listener/send-response`). */
const recorded = /Tabscope recorded/

function probeUrl(origin: string): URL | null {
  const text = origin.replace(/(?<!\/)\/+$/, '') + probePath
  return URL.canParse(text) ? new URL(text) : null
}

/** `key`: the same as in the capture thread. */
export function createProber(key: Uint8Array, network: Network) {
  return {
    /** Sends one signed request to `<origin>/hooks/_probe` over a new connection. Never rejects. */
    probe: async (origin: string, timeout: number, signal: AbortSignal) => {
      const at = Date.now()
      const url = probeUrl(origin)
      if (url === null) {
        return { at, durationMs: 0, ...failed('The public URL is invalid. Check it.') }
      }
      const body = randomBytes(bodyBytes)
      const nonce = newNonce(steadyClock.now(), randomBytes(8))
      const startedAt = performance.now()
      const header = signProbe(key, { nonce, bytes: bodyBytes, sha256: sha256Of(body) })
      const signed: Header = [probeHeader, header]
      const request = {
        method: 'POST',
        url,
        headers: [...headers, signed],
        body,
        timeout,
        maxBytes: responseBytes,
        signal,
      }
      // Over a new connection, and without following redirects.
      const sent = await sendRequest(request, network).catch((error: unknown) => {
        if (error instanceof HttpFailure) return error
        throw error
      })
      const durationMs = performance.now() - startedAt
      const verdict =
        sent instanceof HttpFailure
          ? failed(failureSentence(sent, url))
          : await verdictOf(sent, { key, nonce, body, url })
      return { at, durationMs, ...verdict }
    },
  }
}

interface Sent {
  readonly key: Uint8Array
  readonly nonce: string
  readonly body: Uint8Array
  readonly url: URL
}

type Verdict = Pick<ProbeResult, 'ok' | 'code' | 'reason'>

const passed: Verdict = { ok: true, code: 'probe_ok', reason: null }

function failed(reason: string): Verdict {
  return { ok: false, code: 'probe_failed', reason }
}

function answeredByOther(reason: string): Verdict {
  return { ok: false, code: 'other_answer', reason }
}

async function verdictOf(response: HttpResponse, sent: Sent): Promise<Verdict> {
  const decoded = await decodeResponse(response.body, response.headers, responseBytes)
  const bytes = decoded.state === 'decoded' ? decoded.bytes : response.body
  const reply = readResponse(sent.key, bytes)
  const text = Buffer.from(bytes).toString('utf8')
  if (reply === 'foreign' || (reply === null && recorded.test(text))) {
    return answeredByOther(
      'Another Tabscope responds at this URL, or something in between removes headers. Reopen the tunnel, under another name if necessary.',
    )
  }
  if (reply === null) {
    const isSuccess = response.status >= 200 && response.status < 300
    const reason = foreignResponseSentence(sent.url, response, text)
    return isSuccess && !isPage(response, text) ? answeredByOther(reason) : failed(reason)
  }
  if (reply.nonce !== sent.nonce) {
    return failed(
      'The response belongs to an earlier probe, so something in between caches responses. Disable caching for /hooks/.',
    )
  }
  return verdictOfReply(reply, sent.body)
}

function verdictOfReply(response: ProbeReply, sent: Uint8Array): Verdict {
  const { byteLength } = sent
  switch (response.outcome) {
    case 'whole':
      return response.sha256 === sha256Of(sent) && response.bytes === byteLength
        ? passed
        : failed(changedSentence(byteLength, response.bytes))
    case 'too_large':
      return failed(
        'The request reached Tabscope, whose body limit rejected it. Raise it under Settings > Listener.',
      )
    case 'busy':
      return failed(
        'The request reached Tabscope, which was busy with too many large bodies. Try again later.',
      )
    case 'broken':
      return failed(
        `Only ${response.bytes} of ${byteLength} bytes were received: something in between truncates bodies.`,
      )
  }
}

function changedSentence(sent: number, received: number): string {
  const how =
    sent === received
      ? `${received} bytes were received, but not the ones that were sent`
      : `${sent} bytes were sent and ${received} received`
  return `The body was changed in transit: ${how}. Signatures would not match. Something in between rewrites bodies (compresses, filters or decodes them): disable that for /hooks/.`
}

/** What a missing or incomplete response means, and what to do. Follows the sentence that reports the failure. */
const afterFailure: Readonly<Record<HttpFailureCode, string>> = {
  unresolved: 'Check the network connection. A new host name can take a minute to resolve.',
  refused: "The tunnel's server or the reverse proxy is not running there. Check it.",
  proxy: 'Senders do not use this proxy, so the URL may still be reachable for them.',
  reset: "The tunnel's server has probably lost its connection to Tabscope.",
  tls: 'Senders reject such a URL. Fix its certificate, or use another URL.',
  timeout: 'The tunnel hangs or is too slow for senders.',
  unreachable: 'Check the network connection.',
  malformed: 'Something other than an HTTP tunnel listens there. Check the URL.',
  invalid_request: 'Check the URL.',
  aborted: '',
}

function failureSentence({ code, message }: HttpFailure, url: URL): string {
  if (code === 'aborted') return 'The check was cancelled before a response was received.'
  const subject = message.startsWith(authorityOf(url)) ? 'The address ' : ''
  return `${subject}${message} ${afterFailure[code]}`
}

function foreignResponseSentence(url: URL, response: HttpResponse, text: string): string {
  const { status } = response
  const at = `The address ${authorityOf(url)}`
  if (status >= 300 && status < 400) {
    return `${at} responded with a redirect. Senders do not follow redirects: use a URL that responds directly, with https if the server requires it.`
  }
  if (status < 200 || status >= 300) return `${at} responded with ${status}: ${meaningOf(status)}`
  return isPage(response, text)
    ? `${at} responded with an HTML page instead of Tabscope's response. The page belongs to the tunnel's server or to a network that requires a login. Open ${url.origin} in a browser to check.`
    : `${at} responded with ${status}, but not from Tabscope: something else uses this URL. Reopen the tunnel, or check where the URL leads.`
}

function isPage(response: HttpResponse, text: string): boolean {
  return (
    response.headers.some(
      ([name, value]) =>
        name.toLowerCase() === 'content-type' &&
        /^(text\/html|application\/xhtml\+xml)\b/i.test(value),
    ) || /^\s*(<!doctype html|<html\b)/i.test(text)
  )
}

function meaningOf(status: number): string {
  switch (status) {
    case 401:
    case 403:
    case 407:
    case 511:
      return 'something in between requires a login. Exempt /hooks/ from it.'
    case 404:
    case 410:
      return "its server does not know this tunnel, or does not forward /hooks/_probe. Reopen the tunnel, or check the reverse proxy's paths."
    case 502:
    case 503:
    case 504:
      return 'its server runs, but cannot reach Tabscope. Wait, or reopen the tunnel.'
    default:
      return 'something in front of Tabscope responds instead. Check where the URL leads.'
  }
}
