import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { quoteForeign } from '#shared/text/format.ts'
import { heldBytes, nowUs, type ReceivedRequest } from './received-request.ts'
import type { ConnectionState } from './connections.ts'
import type { CaptureLimits } from './messages.ts'
import type { InspectedEndpoint } from '../../payload/endpoint.ts'

/** While more bytes wait for the writer, bodies are not read on. */
const maxWaitingBytes = 64 * 1024 * 1024

/** Memory of all requests from all listeners until they are on disk. */
export class HeldMemory {
  /** Allocated memory of bodies, and memory of the parsed fields of heads. */
  bytes = 0
  readonly unfinished = new Set<RequestReader>()
  #waiting = 0
  readonly #paused = new Set<IncomingMessage>()

  /** Negative: they are on disk. */
  addWaiting(bytes: number): void {
    this.bytes += bytes
    this.#waiting += bytes
    if (this.#waiting > maxWaitingBytes || this.#paused.size === 0) return
    for (const request of this.#paused) request.resume()
    this.#paused.clear()
  }

  /** Pauses a body while too much waits, so that its sender slows down. */
  pauseIfFull(request: IncomingMessage): void {
    if (this.#waiting <= maxWaitingBytes) return
    request.pause()
    this.#paused.add(request)
  }
}

export interface RequestReaderContext {
  readonly limits: CaptureLimits
  readonly held: HeldMemory
  endpointOf(target: string): InspectedEndpoint | null
  nearPath(target: string): string | null
  readonly via: ReceivedRequest['via']
  ownOf(socket: Socket): ReceivedRequest['own']
  done(request: ReceivedRequest): void
}

const empty = Buffer.alloc(0)

const smallestBuffer = 1024

/** Reads one request with its body up to the limit. It ends exactly once. */
export class RequestReader {
  readonly #context: RequestReaderContext
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #connection: ConnectionState
  /** Cleared at the end. Otherwise each request would keep the previous one in memory as long as the connection is open. */
  #before: ServerResponse | null
  /** Determined at the start: after the response, the sender may use the connection for something else. */
  readonly #own: ReceivedRequest['own']
  readonly #receivedUs = nowUs()
  readonly #startedAt = performance.now()
  /** Bytes to store: the limit, or less if the body is known to be too large. */
  #room: number
  #tooLarge = false
  /**
   * The first chunk, which is usually the complete body. From the second one on, a buffer into which they are merged, because a chunk of one byte would
   * take hundreds of bytes as a separate object.
   */
  #buffer: Buffer = empty
  #stored = 0
  #cost = 0
  #bytes = 0
  #ended = false

  constructor(
    context: RequestReaderContext,
    request: IncomingMessage,
    response: ServerResponse,
    connection: ConnectionState,
  ) {
    this.#context = context
    this.#connection = connection
    connection.reader = this
    connection.unanswered += 1
    this.#before = connection.newest
    connection.newest = response
    this.#own = context.ownOf(connection.socket)
    this.#request = request
    this.#response = response
    this.#room = context.limits.bodyBytes
    const announced = Number(request.headers['content-length'] ?? 0)
    if (announced > context.limits.bodyBytes) {
      this.#tooLarge = true
      this.#room = context.limits.keptBytes
    }
    this.#hold(heldBytes(request.rawHeaders, 0))
    context.held.unfinished.add(this)
  }

  /** True once all bytes were received, even if they are not read yet. */
  get isComplete(): boolean {
    return this.#request.complete
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Calls `done` of the context at the end. */
  read(): void {
    this.#request.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#request.on('end', () => {
      this.#connection.draining = false
      this.#connection.readAtEnd = this.#request.socket.bytesRead
      this.#finish()
    })
    this.#stayInBounds()
  }

  /** Ends without reading the body and without `100 Continue`, because the announced length is over the limit. */
  refuseUnread(): void {
    const { limits } = this.#context
    this.#end('too_large', 413, tooLargeReason(this.#request, limits.bodyBytes))
  }

  /** For an unsupported `Expect` header (RFC 9110, section 10.1.1). */
  refuseExpectation(): void {
    this.#end(
      'malformed',
      417,
      `The sender expects ${quoteForeign(this.#request.headers.expect ?? '')}, which Tabscope does not support.`,
    )
  }

  /** The connection was lost, timed out or sent invalid bytes. `status`: the response, if one is possible. */
  cutOff(reason: string, status: number | null): void {
    this.#end('cut_off', status, reason)
  }

  #take(chunk: Buffer): void {
    this.#bytes += chunk.byteLength
    if (this.#ended) return
    const left = this.#room - this.#stored
    const part = chunk.byteLength <= left ? chunk : chunk.subarray(0, left)
    if (part.byteLength > 0) this.#store(part)
    const { limits } = this.#context
    if (chunk.byteLength > left || (this.#tooLarge && this.#stored === this.#room)) {
      this.#end('too_large', 413, tooLargeReason(this.#request, limits.bodyBytes))
    } else {
      this.#stayInBounds()
      this.#context.held.pauseIfFull(this.#request)
    }
  }

  #store(part: Buffer): void {
    const stored = this.#stored + part.byteLength
    if (this.#stored === 0) {
      this.#buffer = part
      this.#hold(part.byteLength)
    } else {
      if (stored > this.#buffer.byteLength) this.#grow(stored)
      part.copy(this.#buffer, this.#stored)
    }
    this.#stored = stored
  }

  /** Doubles the buffer, so that each byte is copied at most twice. The announced length is only an upper bound, because it may be false. */
  #grow(needed: number): void {
    const announced = Number(this.#request.headers['content-length'] ?? Infinity)
    const doubled = Math.max(smallestBuffer, this.#buffer.byteLength * 2)
    const size = Math.max(needed, Math.min(doubled, announced, this.#room))
    const grown = Buffer.allocUnsafeSlow(size)
    this.#buffer.copy(grown, 0, 0, this.#stored)
    this.#hold(size - this.#buffer.byteLength)
    this.#buffer = grown
  }

  #hold(bytes: number): void {
    this.#cost += bytes
    this.#context.held.bytes += bytes
  }

  /** Over the memory limit, ends the request that takes the most memory, so that small deliveries get through. */
  #stayInBounds(): void {
    const { held, limits } = this.#context
    while (held.bytes > limits.heldBytes) {
      let largest: RequestReader | null = null
      for (const reader of held.unfinished) {
        if (largest === null || reader.#cost > largest.#cost) largest = reader
      }
      if (largest === null) return
      largest.#end(
        'too_large',
        503,
        'Too many large bodies were received at the same time; only the start of this one was stored.',
      )
    }
  }

  #finish(): void {
    this.#end('complete', this.#context.endpointOf(this.#request.url ?? '') ? 200 : 404, null)
  }

  #end(arrival: ReceivedRequest['arrival'], status: number | null, reason: string | null): void {
    if (this.#ended) return
    this.#ended = true
    const request = this.#request
    const connection = this.#connection
    if (connection.reader === this) connection.reader = null
    connection.draining = !request.complete
    let body = this.#buffer
    if (body.byteLength > this.#stored) body = body.subarray(0, this.#stored)
    if (arrival === 'too_large' && body.byteLength > this.#context.limits.keptBytes) {
      body = Buffer.from(body.subarray(0, this.#context.limits.keptBytes))
    }
    const target = request.url ?? ''
    const endpoint = this.#context.endpointOf(target)
    const before = this.#before
    this.#before = null
    this.#hold(-this.#cost)
    this.#context.held.unfinished.delete(this)
    this.#buffer = empty
    this.#context.done({
      receivedUs: this.#receivedUs,
      method: request.method ?? '',
      path: target,
      httpVersion: request.httpVersion,
      remoteAddress: request.socket.remoteAddress ?? '',
      rawHeaders: request.rawHeaders,
      rawTrailers: request.rawTrailers,
      body,
      bodyBytes: body.byteLength,
      bytes: this.#bytes,
      arrival,
      reason,
      endpoint,
      nearPath: endpoint ? null : this.#context.nearPath(target),
      own: this.#own,
      via: this.#context.via,
      status,
      channel:
        status === null
          ? { kind: 'none' }
          : { kind: 'response', response: this.#response, before, connection },
    })
  }
}

function tooLargeReason(request: IncomingMessage, limit: number): string {
  const announced = request.headers['content-length']
  const size = announced ? `The sender announced ${announced} bytes` : 'The body was sent in chunks'
  return `${size}; the limit is ${limit} bytes. Raise it in the settings to store bodies of this size.`
}
