import { randomBytes } from 'node:crypto'
import type { TunnelProbe } from '#contract/tunnel.ts'
import { type ProbeResponse, probeUrl, sendProbe } from './send-probe.ts'
import { sha256Of } from './format.ts'
import { authorityOf } from '../../platform/http/failures.ts'
import type { HttpResponse, HttpFailure, HttpFailureCode } from '../../platform/http/http.ts'
import type { Network } from '../../platform/http/network.ts'
import { shownName } from '../../sending/prepare/header-list.ts'

/** Says whether something other than this Tabscope responded. */
export interface ProbeResult extends TunnelProbe {
  readonly code: 'probe_ok' | 'probe_failed' | 'other_answer'
}

/** Sends requests to the public URL as a sender would, and recognizes responses of this Tabscope. */
export interface Prober {
  /** Sends one signed request to `<origin>/hooks/_probe` over a new connection. Never rejects. */
  probe(origin: string, timeoutMs: number, signal: AbortSignal): Promise<ProbeResult>
}

const bodyBytes = 200

/** `key`: the same as in the capture thread. */
export function createProber(key: Uint8Array, network: Network): Prober {
  return {
    probe: async (origin, timeout, signal) => {
      const at = Date.now()
      const url = probeUrl(origin)
      if (url === null) {
        const reason = 'The public URL is invalid. Check it.'
        return { at, ok: false, durationMs: 0, reason, code: 'probe_failed' }
      }
      const body = randomBytes(bodyBytes)
      const response = await sendProbe({ key, url, body, timeout, signal, network })
      return { at, durationMs: response.ms, ...verdictOf(response, body, url) }
    },
  }
}

type Verdict = Pick<ProbeResult, 'ok' | 'code' | 'reason'>

const passed: Verdict = { ok: true, code: 'probe_ok', reason: null }

function failed(reason: string): Verdict {
  return { ok: false, code: 'probe_failed', reason }
}

function answeredByOther(reason: string): Verdict {
  return { ok: false, code: 'other_answer', reason }
}

function verdictOf(response: ProbeResponse, sent: Uint8Array, url: URL): Verdict {
  switch (response.kind) {
    case 'ours':
      return verdictOfOurs(response, sent)
    case 'stale':
      return failed(
        'The response belongs to an earlier probe, so something in between caches responses. Disable caching for /hooks/.',
      )
    case 'tabscope':
      return answeredByOther(
        'Another Tabscope responds at this URL, or something in between removes headers. Reopen the tunnel, under another name if necessary.',
      )
    case 'other': {
      const { response: received, text } = response
      const isSuccess = received.status >= 200 && received.status < 300
      const reason = foreignResponseSentence(url, received, text)
      return isSuccess && !isPage(received, text) ? answeredByOther(reason) : failed(reason)
    }
    case 'failure':
      return failed(failureSentence(response.failure, url))
  }
}

function verdictOfOurs(
  { response }: Extract<ProbeResponse, { kind: 'ours' }>,
  sent: Uint8Array,
): Verdict {
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

/** Contains nothing that the other side sent. */
function failureSentence({ code, message }: HttpFailure, url: URL): string {
  if (code === 'aborted') return 'The check was cancelled before a response was received.'
  const subject = message.startsWith(authorityOf(url)) ? 'The address ' : ''
  return `${subject}${message} ${afterFailure[code]}`
}

/** For a response that Tabscope did not send. Text from the other side is truncated and escaped. */
function foreignResponseSentence(url: URL, response: HttpResponse, text: string): string {
  const { status } = response
  const at = `The address ${authorityOf(url)}`
  const location = headerOf(response, 'location')
  if (status >= 300 && status < 400 && location !== null) return redirectSentence(url, location)
  const title = titleOf(text)
  if (status < 200 || status >= 300) {
    return `${at} responded with ${status}${title}: ${meaningOf(status)}${ngrokCode(response)}`
  }
  return isPage(response, text)
    ? `${at} responded with an HTML page${title} instead of Tabscope's response. The page belongs to the tunnel's server or to a network that requires a login. Open ${url.origin} in a browser to check.`
    : `${at} responded with ${status}, but not from Tabscope: something else uses this URL. Reopen the tunnel, or check where the URL leads.`
}

/** By the content type or the beginning of the body. */
function isPage(response: HttpResponse, text: string): boolean {
  return (
    /^(text\/html|application\/xhtml\+xml)\b/i.test(headerOf(response, 'content-type') ?? '') ||
    /^\s*(<!doctype html|<html\b)/i.test(text)
  )
}

function redirectSentence(url: URL, location: string): string {
  if (!URL.canParse(location, url.href)) {
    return `The address ${authorityOf(url)} responded with a redirect without a target. Senders do not follow redirects: use a URL that responds directly.`
  }
  const to = new URL(location, url)
  const advice =
    to.hostname === url.hostname && to.protocol === 'https:' && url.protocol === 'http:'
      ? 'Use the URL with https.'
      : 'Use a URL that responds directly.'
  return `The address ${authorityOf(url)} responded with a redirect to ${shownName(to.origin)}. Senders do not follow redirects. ${advice}`
}

function meaningOf(status: number): string {
  switch (status) {
    case 401:
    case 403:
    case 407:
      return 'something in front of Tabscope requires authentication. Exempt /hooks/ from it.'
    case 404:
    case 410:
      return "its server does not know this tunnel, or does not forward /hooks/_probe. Reopen the tunnel, or check the reverse proxy's paths."
    case 405:
      return 'something in front of Tabscope blocks POST. Allow it for /hooks/.'
    case 408:
    case 504:
    case 522:
    case 524:
      return 'its server reached Tabscope, but got no response in time. The tunnel hangs, or is too slow.'
    case 413:
      return 'something in front of Tabscope rejects bodies of this size.'
    case 429:
      return 'its server limits the request rate. Wait a while, or use another server.'
    case 502:
    case 521:
    case 523:
    case 530:
      return 'its server runs, but has lost its connection to Tabscope.'
    case 503:
      return 'its server has no free connection to Tabscope. Wait, or reopen the tunnel.'
    case 511:
      return 'a network in between requires a login. Log in with a browser.'
    default:
      return status >= 500
        ? "its server failed or cannot reach Tabscope. Wait, or check the server's log."
        : 'something in front of Tabscope responds instead. Check where the URL leads.'
  }
}

/** ngrok reports what is wrong as an error code in its own response header. */
function ngrokCode(response: HttpResponse): string {
  const code = headerOf(response, 'ngrok-error-code')
  return code === null ? '' : ` ngrok error code: ${shownName(code)}.`
}

function titleOf(text: string): string {
  const title = /<title[^>]{0,200}>([^<]{1,300})/i.exec(text)?.[1]?.trim() ?? ''
  return title === '' ? '' : ` (${shownName(title.replaceAll(/\s+/g, ' '))})`
}

function headerOf({ headers }: HttpResponse, name: string): string | null {
  return headers.find(([found]) => found.toLowerCase() === name)?.[1] ?? null
}
