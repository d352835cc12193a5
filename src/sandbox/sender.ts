import { lookup } from 'node:dns'
import { Agent as HttpAgent, type ClientRequest, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { formatLimit } from '#shared/text/format.ts'
import { systemClock, type Clock } from './clock.ts'
import { SandboxError } from './errors.ts'
import type { DeliveryRequest } from './request.ts'
import { systemCodeOf } from '#shared/text/errors.ts'

/** The result of one delivery. Both errors are null when `ok` is true. */
export interface Outcome {
  readonly ok: boolean
  readonly status: number | null
  readonly error: string | null
  /** `status`: a response with a status other than 2xx. */
  readonly errorCode: OutcomeErrorCode | null
  /** Milliseconds from sending the request to the end of the response. */
  readonly ms: number
  readonly bytes: number
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

/** IPv4 first, because most local servers listen there. */
const loopbackAddresses = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Resolves `localhost` and all names below it to this computer (RFC 6761, 6.3): tunnels whose server runs here have such names. */
const resolveHost: LookupFunction = (hostname, options, done) => {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  if (name !== 'localhost' && !name.endsWith('.localhost')) {
    lookup(hostname, options, done)
    return
  }
  // A real lookup calls back asynchronously.
  setImmediate(() => (options.all ? done(null, loopbackAddresses) : done(null, '127.0.0.1', 4)))
}

export interface SenderOptions {
  readonly clock?: Clock
  /** Milliseconds for one delivery, to the end of the response. The API documentation names no timeout. */
  readonly timeout?: number
  /** Trusted certificates in PEM format, for https targets with a self-signed certificate. */
  readonly ca?: string
}

function describeError(error: Error, { host, hostname }: URL): Failure {
  const code = systemCodeOf(error)
  switch (code) {
    case 'ECONNREFUSED':
      return {
        code: 'refused',
        message: `Connection to ${host} refused. Start the listener, or check the port.`,
      }
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        code: 'unresolved',
        message: `The host ${hostname} could not be found. Check the URL.`,
      }
    case 'ECONNRESET':
    case 'EPIPE':
    case 'HPE_INVALID_EOF_STATE':
      return { code: 'reset', message: `${host} closed the connection without a response.` }
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return { code: 'unreachable', message: `${host} is not reachable from this computer.` }
    default:
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code))
    return { code: 'tls', message: `The certificate of ${host} is not trusted (${code}).` }
  if (code.startsWith('HPE_'))
    return { code: 'malformed', message: `The response from ${host} is not valid HTTP (${code}).` }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return { code: 'tls', message: `${host} does not use TLS. Try http:// instead of https://.` }
  return { code: 'unreachable', message: `${host} could not be reached: ${error.message}` }
}

/** Reuses connections. Does not follow redirects. */
export class Sender implements AsyncDisposable {
  readonly #clock: Clock
  readonly #timeout: number
  readonly #http: HttpAgent
  readonly #https: HttpsAgent

  constructor({ clock = systemClock, timeout = 30_000, ca }: SenderOptions = {}) {
    this.#clock = clock
    this.#timeout = timeout
    // Close idle connections before servers commonly do (5 s): a request on a connection that is being closed
    // would look like a failure, and a retry could deliver twice.
    const settings = { keepAlive: true, timeout: 4000, maxFreeSockets: 64 }
    this.#http = new HttpAgent(settings)
    this.#https = new HttpsAgent({ ...settings, ...(ca === undefined ? {} : { ca }) })
  }

  /** Waits for the complete response. Never rejects: errors are in the outcome. */
  async deliver(delivery: DeliveryRequest, signal?: AbortSignal): Promise<Outcome> {
    const startedAt = this.#clock.now()
    const { status, failure } = await this.#exchange(delivery, signal)
    return {
      ok: failure === null,
      status,
      error: failure?.message ?? null,
      errorCode: failure?.code ?? null,
      ms: this.#clock.now() - startedAt,
      bytes: delivery.body.length,
      sha256: delivery.sha256,
    }
  }

  /** Closes connections in use, too. */
  close(): void {
    this.#http.destroy()
    this.#https.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close()
  }

  async #exchange({ url, headers, body }: DeliveryRequest, signal?: AbortSignal): Promise<Result> {
    const secure = url.protocol === 'https:'
    const request = (secure ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      agent: secure ? this.#https : this.#http,
      headers: headers.flat(),
      lookup: resolveHost,
    })
    const { promise, resolve } = Promise.withResolvers<Result>()
    const fail = (failure: Failure) => {
      resolve({ status: null, failure })
      request.destroy()
    }
    const abort = () =>
      fail({ code: 'aborted', message: 'Stopped before the response was received.' })
    const cancelTimeout = this.#clock.after(this.#timeout, () =>
      fail({
        code: 'timeout',
        message: `No response from ${url.host} within ${formatLimit(this.#timeout)}.`,
      }),
    )
    void readResponse(request, url).then(resolve)
    if (signal?.aborted) abort()
    else {
      signal?.addEventListener('abort', abort, { once: true })
      request.end(body)
    }
    const result = await promise
    cancelTimeout()
    signal?.removeEventListener('abort', abort)
    return result
  }
}

interface Result {
  readonly status: number | null
  readonly failure: Failure | null
}

function readResponse(request: ClientRequest, url: URL): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<Result>()
  let status: number | null = null
  const endedEarly = () =>
    resolve({
      status,
      failure: {
        code: 'reset',
        message:
          status === null
            ? `${url.host} closed the connection without a response.`
            : `The response from ${url.host} ended too early (status ${status}).`,
      },
    })
  request.on('error', (error) =>
    status === null ? resolve({ status, failure: describeError(error, url) }) : endedEarly(),
  )
  request.on('close', endedEarly)
  request.on('response', (response) => {
    status = response.statusCode ?? null
    const ok = status !== null && status >= 200 && status < 300
    const failure: Failure | null = ok
      ? null
      : { code: 'status', message: `${url.host} responded with ${status}.` }
    response.on('error', endedEarly)
    response.on('end', () => resolve({ status, failure }))
    response.resume()
  })
  return promise
}

/** Accepts any status. Throws `SandboxError` (`unreachable`) without a response. */
export function requireResponse(outcome: Outcome): Outcome {
  if (outcome.status === null)
    throw new SandboxError('unreachable', outcome.error ?? 'No response was received.')
  return outcome
}
