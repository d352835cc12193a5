import type { MessagePort } from 'node:worker_threads'
import type { ForwardTarget, ResponseRule, RuleUse } from '#contract/endpoint-rules.ts'
import type { Header } from '#contract/models.ts'
import { compileRules, type EndpointRules } from '../../payload/conformance/rules.ts'
import { namedKey, type NamedKey } from '../../payload/signature/verify.ts'

/** Secrets stay inside the process. */
export interface EndpointRoute {
  readonly id: number
  readonly name: string
  /** `/hooks/<slug>` */
  readonly path: string
  readonly brand: string
  readonly applicationId: string
  /** Configured on the dashboard: every delivery should carry them. */
  readonly customHeaders: readonly Header[]
  /** In the order in which they are tried. */
  readonly secrets: readonly { readonly name: string; readonly secret: string }[]
  /** Enabled ones, in the order in which they are tried. */
  readonly responses: readonly ResponseRule[]
  readonly forwards: readonly ForwardTarget[]
}

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

/** Prepared once for all deliveries of the endpoint. */
export interface InspectedEndpoint {
  readonly id: number
  readonly name: string
  readonly brand: string
  readonly keys: readonly NamedKey[]
  readonly rules: EndpointRules
}

export function inspectedEndpoint(
  route: Omit<EndpointRoute, 'path' | 'responses' | 'forwards'>,
): InspectedEndpoint {
  const { id, name, brand, secrets } = route
  return {
    id,
    name,
    brand,
    keys: secrets.map((secret) => namedKey(secret.name, secret.secret)),
    rules: compileRules(route),
  }
}
