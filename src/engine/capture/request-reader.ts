import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { heldBytes, nowUs, type ReceivedRequest } from './received-request.ts'
import type { ConnectionState } from './connections.ts'
import type { InspectedEndpoint, CaptureLimits } from './messages.ts'

/** What all requests under way cost until they are on the disk, by whatever way they come: one limit for all. */
export class HeldMemory {
  /** Bodies by the memory set aside for them, heads by what their parsed fields take. */
  bytes = 0
  /** Requests whose body is not whole. */
  readonly unfinished = new Set<RequestReader>()
}

/** Where requests go when they ended, and what is shared by all that are under way. */
export interface RequestReaderContext {
  readonly limits: CaptureLimits
  readonly held: HeldMemory
  endpointOf(path: string): InspectedEndpoint | null
  readonly via: ReceivedRequest['via']
  ownOf(socket: Socket): ReceivedRequest['own']
  done(arrived: ReceivedRequest): void
}

const empty = Buffer.alloc(0)

/** The smallest buffer into which chunks are merged, in bytes. */
const smallestBuffer = 1024

/** Gathers one request: its head, and its body up to the limit. It ends exactly once. */
export class RequestReader {
  readonly #context: RequestReaderContext
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #connection: ConnectionState
  /** Let go at the end: each request would else keep the one before it, as long as the connection lasts. */
  #before: ServerResponse | null
  /** Looked up now: once it has its answer the sender may use the connection for something else. */
  readonly #own: ReceivedRequest['own']
  readonly #receivedUs = nowUs()
  /** What may be kept of this body: all up to the limit, or just the beginning once it is known to be too large. */
  #room: number
  #tooLarge = false
  /**
   * The first chunk itself, which usually is the whole body; from the second on a buffer into which they are merged, since a chunk of one byte
   * costs hundreds of bytes as an object of its own.
   */
  #buffer: Buffer = empty
  #kept = 0
  /** What this request adds to the memory held, in bytes. */
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
    connection.intake = this
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

  /** True when all bytes have come, though they may not have been read yet. */
  get isComplete(): boolean {
    return this.#request.complete
  }

  /** Milliseconds since its head was whole. */
  get elapsedMs(): number {
    return (nowUs() - this.#receivedUs) / 1000
  }

  /** Bytes of body that have come. */
  get bytes(): number {
    return this.#bytes
  }

  /** Reads the body; `done` of the context is called when it ended. */
  read(): void {
    this.#request.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#request.on('end', () => {
      this.#connection.draining = false
      this.#connection.readAtEnd = this.#request.socket.bytesRead
      this.#whole()
    })
    this.#stayInBounds()
  }

  /** Ends without reading the body, before a `100 Continue`: the announced length is over the limit. */
  refuseUnread(): void {
    const { limits } = this.#context
    this.#end('too_large', 413, tooLargeReason(this.#request, limits.bodyBytes))
  }

  /** Ends for an `Expect` that cannot be met (RFC 9110, 10.1.1). */
  refuseExpectation(): void {
    this.#end(
      'malformed',
      417,
      `The sender expects "${this.#request.headers.expect ?? ''}", which no server can meet.`,
    )
  }

  /** The connection broke, timed out or made no sense while the body came. `status` when it can still be answered. */
  cutOff(reason: string, status: number | null): void {
    this.#end('cut_off', status, reason)
  }

  #take(chunk: Buffer): void {
    this.#bytes += chunk.byteLength
    if (this.#ended) return
    const left = this.#room - this.#kept
    const part = chunk.byteLength <= left ? chunk : chunk.subarray(0, left)
    if (part.byteLength > 0) this.#keep(part)
    const { limits } = this.#context
    if (chunk.byteLength > left || (this.#tooLarge && this.#kept === this.#room)) {
      this.#end('too_large', 413, tooLargeReason(this.#request, limits.bodyBytes))
    } else {
      this.#stayInBounds()
    }
  }

  #keep(part: Buffer): void {
    const kept = this.#kept + part.byteLength
    if (this.#kept === 0) {
      this.#buffer = part
      this.#hold(part.byteLength)
    } else {
      if (kept > this.#buffer.byteLength) this.#grow(kept)
      part.copy(this.#buffer, this.#kept)
    }
    this.#kept = kept
  }

  /** Doubles the buffer, so that each byte is copied twice at most. An announced length is believed only as a bound: it costs the sender nothing. */
  #grow(needed: number): void {
    const announced = Number(this.#request.headers['content-length'] ?? Infinity)
    const doubled = Math.max(smallestBuffer, this.#buffer.byteLength * 2)
    const size = Math.max(needed, Math.min(doubled, announced, this.#room))
    const grown = Buffer.allocUnsafeSlow(size)
    this.#buffer.copy(grown, 0, 0, this.#kept)
    this.#hold(size - this.#buffer.byteLength)
    this.#buffer = grown
  }

  #hold(bytes: number): void {
    this.#cost += bytes
    this.#context.held.bytes += bytes
  }

  /** Over the limit the request that holds most gives way, and not the one whose bytes came last: a small delivery gets through. */
  #stayInBounds(): void {
    const { held, limits } = this.#context
    while (held.bytes > limits.heldBytes) {
      let most: RequestReader | null = null
      for (const intake of held.unfinished) {
        if (most === null || intake.#cost > most.#cost) most = intake
      }
      if (most === null) return
      most.#end(
        'too_large',
        503,
        'Too many large bodies were received at the same time; only the start of this one was stored.',
      )
    }
  }

  #whole(): void {
    const found = this.#context.endpointOf(this.#request.url ?? '')
    this.#end('complete', found ? 200 : 404, null)
  }

  #end(arrival: ReceivedRequest['arrival'], status: number | null, reason: string | null): void {
    if (this.#ended) return
    this.#ended = true
    const request = this.#request
    const connection = this.#connection
    if (connection.intake === this) connection.intake = null
    connection.draining = !request.complete
    let body = this.#buffer
    if (body.byteLength > this.#kept) body = body.subarray(0, this.#kept)
    if (arrival === 'too_large' && body.byteLength > this.#context.limits.keptBytes) {
      body = Buffer.from(body.subarray(0, this.#context.limits.keptBytes))
    }
    const before = this.#before
    this.#before = null
    this.#hold(-this.#cost)
    this.#context.held.unfinished.delete(this)
    this.#buffer = empty
    this.#context.done({
      receivedUs: this.#receivedUs,
      method: request.method ?? '',
      path: request.url ?? '',
      httpVersion: request.httpVersion,
      remoteAddress: request.socket.remoteAddress ?? '',
      rawHeaders: request.rawHeaders,
      rawTrailers: request.rawTrailers,
      body,
      bytes: this.#bytes,
      arrival,
      reason,
      endpoint: this.#context.endpointOf(request.url ?? ''),
      own: this.#own,
      via: this.#context.via,
      status,
      answerer:
        status === null
          ? { kind: 'none' }
          : { kind: 'response', response: this.#response, before, connection },
    })
  }
}

function tooLargeReason(request: IncomingMessage, limit: number): string {
  const announced = request.headers['content-length']
  const said = announced ? `The sender announced ${announced} bytes` : 'The body was sent in chunks'
  return `${said}; the limit is ${limit} bytes. Raise it in the settings to keep bodies like this.`
}
