import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Payload } from '#catalogue/payload.ts'
import { formatLimit } from '#shared/text/format.ts'
import { systemClock } from './clock.ts'
import type { Clock } from './clock.ts'
import { SandboxError } from './errors.ts'
import { lookUp } from './lookup.ts'
import { compose } from './request.ts'
import type { DeliveryRequest, Target } from './request.ts'

/** What became of one delivery. */
export interface Outcome {
  /** True for an answer of 200 to 299. */
  readonly ok: boolean
  /** Null: there was no response. */
  readonly status: number | null
  /** A sentence that says what went wrong; null when it is ok. */
  readonly error: string | null
  /** The kind of error; `status`: a response with another status than 2xx. Null when it is ok. */
  readonly errorCode: OutcomeErrorCode | null
  /** Milliseconds from the sending to the end of the answer. */
  readonly ms: number
  /** Bytes of body sent. */
  readonly bytes: number
  /** Hex SHA-256 of the body. */
  readonly sha256: string
}

export type OutcomeErrorCode =
  | 'status'
  | 'refused'
  | 'unresolved'
  | 'reset'
  | 'tls'
  | 'timeout'
  | 'aborted'
  | 'malformed'
  | 'unreachable'

interface Failure {
  readonly code: OutcomeErrorCode
  readonly message: string
}

export interface Sender extends AsyncDisposable {
  /** Sends and waits for the whole answer. Never rejects: what goes wrong is in the outcome. */
  deliver(request: DeliveryRequest, signal?: AbortSignal): Promise<Outcome>
  /** Ends all connections, those in use included. */
  close(): void
}

export interface SenderOptions {
  readonly clock?: Clock
  /** Milliseconds for one delivery from sending to the end of the answer. The document names no timeout. */
  readonly timeout?: number
  /** Certificates to trust in addition, PEM, for https targets with one of their own making. */
  readonly ca?: string
}

/** What a connection error means. */
function failureOf(error: Error, { host, hostname }: URL): Failure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  switch (code) {
    case 'ECONNREFUSED':
      return {
        code: 'refused',
        message: `Nothing listens at ${host}. Start the listener, or check the port.`,
      }
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        code: 'unresolved',
        message: `No host is known by the name ${hostname}. Check the address.`,
      }
    case 'ECONNRESET':
    case 'EPIPE':
    case 'HPE_INVALID_EOF_STATE':
      return { code: 'reset', message: `${host} closed the connection without a response.` }
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return { code: 'unreachable', message: `${host} cannot be reached from here.` }
    default:
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code))
    return { code: 'tls', message: `The certificate of ${host} is not trusted (${code}).` }
  if (code.startsWith('HPE_'))
    return { code: 'malformed', message: `The response of ${host} is not HTTP (${code}).` }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return { code: 'tls', message: `${host} does not speak TLS. Is it http?` }
  return { code: 'unreachable', message: `${host} could not be reached: ${error.message}` }
}

/** A sender over HTTP and HTTPS that keeps its connections. Redirects are not followed. */
export function createSender(options: SenderOptions = {}): Sender {
  const { clock = systemClock, timeout = 30_000, ca } = options
  // An idle connection goes before servers commonly close theirs (5 s): to send into one that is closing
  // would look like a failure, and to send again could deliver twice.
  const settings = { keepAlive: true, timeout: 4000, maxFreeSockets: 64 }
  const http = new HttpAgent(settings)
  const https = new HttpsAgent({ ...settings, ...(ca === undefined ? {} : { ca }) })

  const deliver = (delivery: DeliveryRequest, signal?: AbortSignal) =>
    new Promise<Outcome>((resolve) => {
      const { url, headers, body, sha256 } = delivery
      const secure = url.protocol === 'https:'
      const begun = clock.now()
      let settled = false
      const request = (secure ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        agent: secure ? https : http,
        headers: headers.flat(),
        lookup: lookUp,
      })
      const settle = (status: number | null, failure: Failure | null) => {
        if (settled) return
        settled = true
        cancel()
        signal?.removeEventListener('abort', abort)
        const ms = clock.now() - begun
        resolve({
          ok: failure === null,
          status,
          error: failure?.message ?? null,
          errorCode: failure?.code ?? null,
          ms,
          bytes: body.length,
          sha256,
        })
      }
      const giveUp = (failure: Failure) => {
        settle(null, failure)
        request.destroy()
      }
      const abort = () =>
        giveUp({ code: 'aborted', message: 'Stopped before the response was received.' })
      const cancel = clock.after(timeout, () =>
        giveUp({
          code: 'timeout',
          message: `No response from ${url.host} within ${formatLimit(timeout)}.`,
        }),
      )
      request.on('error', (error) =>
        status === null ? settle(null, failureOf(error, url)) : cutOff(),
      )
      let status: number | null = null
      const cutOff = () =>
        settle(status, {
          code: 'reset',
          message:
            status === null
              ? `${url.host} closed the connection without a response.`
              : `The response of ${url.host} is cut off (status ${status}).`,
        })
      request.on('close', cutOff)
      request.on('response', (response) => {
        status = response.statusCode ?? null
        const ok = status !== null && status >= 200 && status < 300
        response.on('error', cutOff)
        response.on('end', () =>
          settle(
            status,
            ok ? null : { code: 'status', message: `${url.host} responded with ${status}.` },
          ),
        )
        response.resume()
      })
      if (signal?.aborted) return abort()
      signal?.addEventListener('abort', abort, { once: true })
      request.end(body)
    })

  const close = () => {
    http.destroy()
    https.destroy()
  }
  return { deliver, close, [Symbol.asyncDispose]: async () => close() }
}

/**
 * Sends one payload and says what became of it; a delivery that nobody takes is an outcome, not a throw.
 * Throws `SandboxError` (`bad_target`) when the request cannot be made at all.
 */
export async function sendOnce(
  target: Target,
  payload: Payload,
  options: SenderOptions = {},
): Promise<Outcome> {
  const request = compose(target, payload)
  const sender = createSender(options)
  try {
    return await sender.deliver(request)
  } finally {
    sender.close()
  }
}

/** The outcome when an answer came, whatever its status. Throws `SandboxError` (`unreachable`). */
export function answered(outcome: Outcome): Outcome {
  if (outcome.status === null)
    throw new SandboxError('unreachable', outcome.error ?? 'No response was received.')
  return outcome
}
