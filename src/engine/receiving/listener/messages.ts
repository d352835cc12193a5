import type { MessagePort } from 'node:worker_threads'
import type { RuleUse } from '#contract/endpoint-rules.ts'
import type { Header } from '#contract/models.ts'
import type { EndpointRoute } from '../../payload/endpoint.ts'

export interface CaptureConfig {
  readonly routes: readonly EndpointRoute[]
  /** Its header names apply if no endpoint has the path. */
  readonly fallbackBrand: string
  readonly limits: CaptureLimits
}

export interface CaptureThreadData {
  /** To the writer thread: `ToWriter` out, `FromWriter` in. */
  readonly writer: MessagePort
  readonly shared: SharedArrayBuffer
  readonly config: CaptureConfig
  readonly ownPorts: SharedArrayBuffer
  readonly probeKey: Uint8Array
  /** To the sender thread: `PassRequest` and `AskRequest` out, their responses in. */
  readonly sender: MessagePort
  readonly holding: Holding
}

/** Whether there are rules that hold deliveries before their response, or before they are forwarded. */
export interface Holding {
  readonly response: boolean
  readonly forward: boolean
}

export const notHolding: Holding = { response: false, forward: false }

export type CaptureEvent =
  | { event: 'failing'; reason: string | null }
  /** At most five times a second. */
  | { event: 'used'; uses: RuleUse[] }

export type CaptureApi = {
  listen: (port: number) => Promise<number>
  /** Opens the listener for tunnels, if it is not open, on a port that the system assigns. Resolves to the port. See `TunnelListener`. */
  openTunnelListener: () => Promise<number>
  closeTunnelListener: () => Promise<void>
  lastTunnelRequestAt: () => number
  tunnelConnectionsWaiting: () => number
  /** Takes effect with the next request. */
  configure: (config: CaptureConfig) => void
  /** Takes effect with the next request. */
  hold: (holding: Holding) => void
  releaseMemory: () => void
  /** Resolves when everything received before is on disk, and the writer has the times of the responses. */
  drained: () => Promise<void>
  /** Stops accepting requests, finishes those in flight. */
  stop: (input: { graceMs: number; deadlineMs: number }) => Promise<void>
}

/** In bytes and milliseconds. */
export interface CaptureLimits {
  /** Larger bodies are stored incompletely. */
  readonly bodyBytes: number
  /** How much is stored of a larger body. */
  readonly keptBytes: number
  /** For all requests that are not on disk yet. Beyond this, the request that takes most is rejected with 503. */
  readonly heldBytes: number
  readonly headBytes: number
  /** For incomplete heads and trailers over all connections. Parsed, they take about ten times as much memory. */
  readonly unfinishedHeadBytes: number
  /** From the connection, or the end of the last request, to the end of the head. */
  readonly headMs: number
  /** From the start of the head to the end of the body. */
  readonly bodyMs: number
  /** Before the minimum transfer rate applies to a body. */
  readonly rateGraceMs: number
  /** Minimum average after that time. */
  readonly bytesPerSecond: number
  readonly idleMs: number
  readonly connections: number
}

const KiB = 1024
const MiB = 1024 * KiB

export const defaultLimits: CaptureLimits = {
  bodyBytes: 25 * MiB,
  keptBytes: 64 * KiB,
  heldBytes: 512 * MiB,
  headBytes: 64 * KiB,
  unfinishedHeadBytes: 8 * MiB,
  headMs: 15_000,
  bodyMs: 60_000,
  rateGraceMs: 10_000,
  bytesPerSecond: 256,
  idleMs: 120_000,
  connections: 4096,
}

/** From the capture thread: a durable delivery that should get the response of a target. */
export interface PassRequest {
  readonly kind: 'pass'
  readonly key: number
  readonly deliveryId: number
  readonly forwardId: number
}

/** Without a response, Tabscope responds with 502, and `reason` says why in a sentence. */
export interface PassResponse {
  readonly kind: 'pass'
  readonly key: number
  readonly response: {
    readonly status: number
    /** End-to-end headers without framing, as a flat list: name, value, name, value. */
    readonly rawHeaders: readonly string[]
    readonly body: Uint8Array
  } | null
  readonly reason: string | null
}

/** From the capture thread: whether a durable delivery gets another response than planned. */
export interface AskRequest {
  readonly kind: 'ask'
  readonly key: number
  readonly deliveryId: number
  /** Of the response rule whose script computes the response; null: none. */
  readonly ruleId: number | null
  /** The response will come from a forward target. */
  readonly passes: boolean
}

export interface AskResponse {
  readonly kind: 'ask'
  readonly key: number
  /** Null: as planned. */
  readonly response: OtherResponse | null
}

export interface OtherResponse {
  readonly by: 'rule' | 'hold'
  /** Null: the connection is dropped. */
  readonly status: number | null
  readonly headers: readonly Header[]
  readonly body: string
  readonly delayMs: number
}

export type OwnSender = 'forward' | 'send'

/**
 * The local ports from which our sender connects to our listener, one byte each. Shared memory, because the capture thread must know before the
 * request arrives, and the request itself must not tell.
 */
export class OwnPorts {
  readonly buffer: SharedArrayBuffer
  readonly #ports: Uint8Array

  constructor(buffer = new SharedArrayBuffer(65_536)) {
    this.buffer = buffer
    this.#ports = new Uint8Array(buffer)
  }

  mark(localPort: number, as: OwnSender | null): void {
    Atomics.store(this.#ports, localPort, as === null ? 0 : as === 'forward' ? 1 : 2)
  }

  of(remotePort: number | undefined): OwnSender | null {
    const mark = remotePort === undefined ? 0 : Atomics.load(this.#ports, remotePort)
    return mark === 0 ? null : mark === 1 ? 'forward' : 'send'
  }
}
