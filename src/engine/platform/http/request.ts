import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { Dial, type DialOptions } from './dial.ts'
import {
  abortedFault,
  authorityOf,
  ConnectFailure,
  connectionEnded,
  faultOfError,
  timeoutFault,
  type Fault,
} from './failures.ts'
import { HttpFailure, type HttpResponse, type HttpRequest } from './http.ts'
import type { Network } from './network.ts'
import { Phases } from './phases.ts'
import { proxyFault, responderOf, type Proxy } from './proxy.ts'
import { faultOf, headerPairs, outgoingHeaders } from './request-head.ts'

/** A body is counted up to this multiple of the bytes to keep; then the connection is closed. */
const countedTimes = 4
const headerBytes = 256 * 1024

/**
 * Sends a request on a new connection. Follows no redirects, decodes nothing and keeps no cookies. Throws `HttpFailure` without a complete response;
 * `partial` is what was received of it.
 */
export async function sendRequest(request: HttpRequest, network: Network): Promise<HttpResponse> {
  const phases = new Phases()
  const failure = ({ code, message }: Fault, cause?: unknown): HttpFailure =>
    new HttpFailure(code, message, phases.timings(), cause)
  const fault = faultOf(request)
  if (fault) throw failure({ code: 'invalid_request', message: fault })
  let proxy: Proxy | null
  try {
    proxy = await network.proxyFor(request.url)
  } catch (error) {
    throw error instanceof ConnectFailure ? failure(error.fault, error) : error
  }
  if (request.signal?.aborted) throw failure(abortedFault)
  let opened: Opened
  try {
    opened = open(request, { proxy, network, verifyTls: true }, phases)
  } catch (error) {
    throw failure({ code: 'invalid_request', message: 'The request cannot be sent.' }, error)
  }
  return new Promise((resolve, reject) =>
    exchange(request, { ...opened, proxy }, phases, resolve, reject),
  )
}

interface Opened {
  readonly outgoing: ClientRequest
  /** Of the connection, while it is not open. */
  readonly cancel: () => void
}

function open(
  { method, url, ...request }: HttpRequest,
  options: DialOptions,
  phases: Phases,
): Opened {
  const { proxy } = options
  // RFC 9112, 3.2.2
  const isForProxy = proxy !== null && url.protocol === 'http:'
  const headers = outgoingHeaders({ method, url, ...request })
  if (isForProxy && proxy.authorization) {
    headers.push(['Proxy-Authorization', proxy.authorization])
  }
  let dial: Dial | null = null
  const outgoing = requestHttp({
    path: (isForProxy ? url.origin : '') + url.pathname + url.search,
    method,
    headers: headers.flat(),
    maxHeaderSize: headerBytes,
    createConnection: (_, done) => {
      dial = new Dial(url, options, phases, {
        ready: (socket) => done(null, socket),
        failed: (fault, cause) => void outgoing.emit('error', new ConnectFailure(fault, cause)),
      })
      return undefined
    },
  })
  return { outgoing, cancel: () => dial?.cancel() }
}

interface Received {
  readonly message: IncomingMessage
  readonly chunks: Buffer[]
  kept: number
  bytes: number
}

function exchange(
  request: HttpRequest,
  { outgoing, cancel, proxy }: Opened & { proxy: Proxy | null },
  phases: Phases,
  resolve: (response: HttpResponse) => void,
  reject: (failure: HttpFailure) => void,
): void {
  const { url, signal, maxBytes } = request
  const responder = responderOf(url, proxy)
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
    cancel()
    outgoing.destroy()
  }
  const result = (response: Received): HttpResponse => responseOf(response, phases, proxy)
  const finish = (response: Received): void => settle(() => resolve(result(response)))
  const abandon = ({ code, message }: Fault, cause?: unknown): void =>
    settle(() => {
      const partial = received ? result(received) : undefined
      const through =
        proxy && code !== 'aborted' && !message.includes(proxy.name)
          ? ` The request was sent through the proxy ${proxy.name}.`
          : ''
      reject(new HttpFailure(code, message + through, phases.timings(), cause, partial))
    })
  const fail = (error: Error): void => {
    // The error is after the end of the response.
    if (received?.message.complete) finish(received)
    else if (error instanceof ConnectFailure) abandon(error.fault, error.cause)
    else abandon(faultOfError(error, responder, received !== null), error)
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
  outgoing.on('close', () => abandon(faultOfError(connectionEnded(), responder, received !== null)))
  // 101: what follows on the connection is not HTTP.
  outgoing.on('upgrade', (message) => {
    phases.answered()
    finish({ message, chunks: [], kept: 0, bytes: 0 })
  })
  outgoing.on('response', (message) => {
    phases.answered()
    if (proxy && url.protocol === 'http:' && message.statusCode === 407) {
      abandon(proxyFault(proxy, 407, authorityOf(url)))
      return
    }
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

function responseOf(
  { message, chunks, kept, bytes }: Received,
  phases: Phases,
  proxy: Proxy | null,
): HttpResponse {
  return {
    status: message.statusCode ?? 0,
    statusText: message.statusMessage ?? '',
    httpVersion: message.httpVersion,
    headers: headerPairs(message.rawHeaders),
    body: Buffer.concat(chunks),
    bytes,
    truncated: bytes > kept,
    timings: phases.timings(),
    ...(proxy && { proxy: proxy.name }),
  }
}
