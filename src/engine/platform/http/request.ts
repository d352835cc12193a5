import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { lookUpAsKnown } from './addresses.ts'
import {
  abortedFault,
  connectionEnded,
  faultOfError,
  timeoutFault,
  type Fault,
} from './failures.ts'
import { HttpFailure, type HttpResponse, type HttpRequest } from './http.ts'
import { Phases } from './phases.ts'
import { faultOf, headerPairs, outgoingHeaders } from './request-head.ts'

/** A body is counted up to this multiple of the bytes to keep; then the connection is closed. */
const countedTimes = 4
const headerBytes = 256 * 1024

/**
 * Sends a request on a new connection. Follows no redirects, decodes nothing and keeps no cookies. Throws `HttpFailure` without a complete response;
 * `partial` is what was received of it.
 */
export async function sendRequest(request: HttpRequest): Promise<HttpResponse> {
  const phases = new Phases()
  const failure = ({ code, message }: Fault, cause?: unknown): HttpFailure =>
    new HttpFailure(code, message, phases.timings(), cause)
  const fault = faultOf(request)
  if (fault) throw failure({ code: 'invalid_request', message: fault })
  if (request.signal?.aborted) throw failure(abortedFault)
  let outgoing: ClientRequest
  try {
    outgoing = open(request)
  } catch (error) {
    throw failure({ code: 'invalid_request', message: 'The request cannot be sent.' }, error)
  }
  return new Promise((resolve, reject) => exchange(request, outgoing, phases, resolve, reject))
}

function open({ method, url, ...request }: HttpRequest): ClientRequest {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const options = {
    host,
    port: url.port === '' ? undefined : Number(url.port),
    path: url.pathname + url.search,
    method,
    headers: outgoingHeaders({ method, url, ...request }).flat(),
    agent: false,
    lookup: lookUpAsKnown,
    maxHeaderSize: headerBytes,
  }
  if (url.protocol === 'http:') return requestHttp(options)
  // An IP address is not a server name (RFC 6066, section 3). Certificates are verified even if the environment disables it.
  return requestHttps({
    ...options,
    servername: isIP(host) === 0 ? host : '',
    rejectUnauthorized: true,
  })
}

interface Received {
  readonly message: IncomingMessage
  readonly chunks: Buffer[]
  kept: number
  bytes: number
}

function exchange(
  request: HttpRequest,
  outgoing: ClientRequest,
  phases: Phases,
  resolve: (response: HttpResponse) => void,
  reject: (failure: HttpFailure) => void,
): void {
  const { url, signal, maxBytes } = request
  let received: Received | null = null
  let settled = false
  const settle = (done: () => void): void => {
    if (settled) return
    settled = true
    clearTimeout(over)
    signal?.removeEventListener('abort', abort)
    // The parser may have buffered more of the body before it found an error. Each call returns one chunk.
    while (received?.message.read()) continue
    done()
    outgoing.destroy()
  }
  const finish = (response: Received): void => settle(() => resolve(responseOf(response, phases)))
  const abandon = ({ code, message }: Fault, cause?: unknown): void =>
    settle(() => {
      const partial = received ? responseOf(received, phases) : undefined
      reject(new HttpFailure(code, message, phases.timings(), cause, partial))
    })
  const fail = (error: Error): void => {
    // The error is after the end of the response.
    if (received?.message.complete) finish(received)
    else abandon(faultOfError(error, url, received !== null), error)
  }
  const over = setTimeout(
    () => abandon(timeoutFault(url, request.timeout, received !== null)),
    request.timeout,
  )
  const abort = (): void => abandon(abortedFault)
  signal?.addEventListener('abort', abort, { once: true })

  outgoing.on('socket', (socket) => phases.watch(socket))
  outgoing.on('finish', () => phases.sent())
  outgoing.on('information', () => phases.interim())
  outgoing.on('error', fail)
  outgoing.on('close', () => abandon(faultOfError(connectionEnded(), url, received !== null)))
  // 101: what follows on the connection is not HTTP.
  outgoing.on('upgrade', (message) => {
    phases.answered()
    finish({ message, chunks: [], kept: 0, bytes: 0 })
  })
  outgoing.on('response', (message) => {
    phases.answered()
    const response: Received = { message, chunks: [], kept: 0, bytes: 0 }
    received = response
    message.on('data', (chunk: Buffer) => {
      const room = maxBytes - response.kept
      if (room > 0) response.chunks.push(chunk.subarray(0, room))
      response.kept += Math.min(chunk.byteLength, Math.max(0, room))
      response.bytes += chunk.byteLength
      if (response.bytes > maxBytes * countedTimes) finish(response)
    })
    message.on('end', () => (message.complete ? finish(response) : fail(connectionEnded())))
    message.on('error', fail)
  })
  outgoing.end(request.body ?? undefined)
}

function responseOf({ message, chunks, kept, bytes }: Received, phases: Phases): HttpResponse {
  return {
    status: message.statusCode ?? 0,
    statusText: message.statusMessage ?? '',
    httpVersion: message.httpVersion,
    headers: headerPairs(message.rawHeaders),
    body: Buffer.concat(chunks),
    bytes,
    truncated: bytes > kept,
    timings: phases.timings(),
  }
}
