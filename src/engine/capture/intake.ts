import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { nowUs, type Arrived } from './arrived.ts'
import type { ConnectionState } from './connections.ts'
import type { InspectedEndpoint } from './inspected-endpoint.ts'
import type { CaptureLimits } from './limits.ts'

/** What all requests under way hold of their bodies, by whatever way they come: one limit for all. */
export interface HeldBodies {
  bytes: number
}

/** Where requests go when they ended, and what is shared by all that are under way. */
export interface IntakeContext {
  readonly limits: CaptureLimits
  readonly held: HeldBodies
  endpointOf(path: string): InspectedEndpoint | null
  readonly via: Arrived['via']
  ownOf(socket: Socket): Arrived['own']
  done(arrived: Arrived): void
}

const empty = Buffer.alloc(0)

/** Gathers one request: its head, and its body up to the limit. It ends exactly once. */
export class Intake {
  readonly #context: IntakeContext
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #connection: ConnectionState
  /** Let go at the end: each request would else keep the one before it, as long as the connection lasts. */
  #before: ServerResponse | null
  /** Looked up now: once it has its answer the sender may use the connection for something else. */
  readonly #own: Arrived['own']
  readonly #receivedUs = nowUs()
  /** What may be kept of this body: all up to the limit, or just the beginning once it is known to be too large. */
  #room: number
  #tooLarge = false
  #first: Buffer | null = null
  #more: Buffer[] | null = null
  #kept = 0
  #bytes = 0
  #ended = false

  constructor(
    context: IntakeContext,
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
  }

  /** True when all bytes have come, though they may not have been read yet. */
  get isComplete(): boolean {
    return this.#request.complete
  }

  /** Reads the body; `done` of the context is called when it ended. */
  read(): void {
    this.#request.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#request.on('end', () => {
      this.#connection.draining = false
      this.#connection.readAtEnd = this.#request.socket.bytesRead
      this.#whole()
    })
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
    if (part.byteLength > 0) {
      if (this.#first === null) this.#first = part
      else (this.#more ??= [this.#first]).push(part)
      this.#kept += part.byteLength
      this.#context.held.bytes += part.byteLength
    }
    const { limits } = this.#context
    if (chunk.byteLength > left || (this.#tooLarge && this.#kept === this.#room)) {
      this.#end('too_large', 413, tooLargeReason(this.#request, limits.bodyBytes))
    } else if (this.#context.held.bytes > limits.heldBytes) {
      this.#end(
        'too_large',
        503,
        'Too many large bodies came at once; only the beginning of this one was kept.',
      )
    }
  }

  #whole(): void {
    const found = this.#context.endpointOf(this.#request.url ?? '')
    this.#end('complete', found ? 200 : 404, null)
  }

  #end(arrival: Arrived['arrival'], status: number | null, reason: string | null): void {
    if (this.#ended) return
    this.#ended = true
    const request = this.#request
    const connection = this.#connection
    if (connection.intake === this) connection.intake = null
    connection.draining = !request.complete
    let body = this.#more ? Buffer.concat(this.#more) : (this.#first ?? empty)
    if (arrival === 'too_large' && body.byteLength > this.#context.limits.keptBytes) {
      body = Buffer.from(body.subarray(0, this.#context.limits.keptBytes))
    }
    const before = this.#before
    this.#before = null
    this.#context.held.bytes -= this.#kept
    this.#more = null
    this.#first = null
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
  const said = announced ? `The sender announced ${announced} bytes` : 'The body came in chunks'
  return `${said}; the limit is ${limit} bytes. Raise it in the settings to keep bodies like this.`
}
