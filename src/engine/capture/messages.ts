import type { MessagePort } from 'node:worker_threads'
import type { ForwardTarget, ResponseRule, RuleUse } from '#contract/answering.ts'
import type { Header } from '#contract/models.ts'
import { compileRules, type EndpointRules } from '../conformance/rules.ts'
import { namedKey, type NamedKey } from '../signature/verify.ts'

/** An endpoint as the capture thread gets it. Secrets stay inside the process. */
export interface EndpointRoute {
  readonly id: number
  readonly name: string
  /** `/hooks/<slug>` */
  readonly path: string
  readonly brand: string
  /** Empty: any. */
  readonly applicationId: string
  /** Configured on the dashboard: every delivery should carry them. */
  readonly customHeaders: readonly Header[]
  /** In the order in which they are tried. */
  readonly secrets: readonly { readonly name: string; readonly secret: string }[]
  /** Enabled response rules, in the order in which they are tried. */
  readonly responses: readonly ResponseRule[]
  /** Enabled forward targets. */
  readonly forwards: readonly ForwardTarget[]
}

export interface CaptureConfig {
  readonly routes: readonly EndpointRoute[]
  /** The brand whose header names apply if no endpoint has the path. */
  readonly fallbackBrand: string
  readonly limits: CaptureLimits
}

export interface CaptureThreadData {
  readonly journalDir: string
  /** Logical position at which the journal ends. */
  readonly journalEnd: number
  readonly firstId: number
  readonly shared: SharedArrayBuffer
  readonly config: CaptureConfig
  /** `OwnPorts`. */
  readonly ownPorts: SharedArrayBuffer
  /** Key with which the listener verifies self-probes of this run. */
  readonly probeKey: Uint8Array
  /** To the sender thread: `PassRequest` out, `PassResponse` in. */
  readonly sender: MessagePort
  /** How often the response rules were used in earlier runs. */
  readonly uses: readonly RuleUse[]
}

/** Events that the capture thread sends on its own. */
export type CaptureEvent =
  | { event: 'failing'; reason: string | null }
  /** At most five times a second. */
  | { event: 'used'; uses: RuleUse[] }

/** The calls of the capture thread. */
export type CaptureApi = {
  /** Listens on the port. Resolves to the actual port. */
  listen: (port: number) => Promise<number>
  /**
   * Opens a second listener for Tabscope's tunnels, on a port that the system assigns, if it is not open. Its idle connections are not closed, and
   * its deliveries are marked. Resolves to its port.
   */
  openTunnelListener: () => Promise<number>
  closeTunnelListener: () => Promise<void>
  /** When the tunnel listener last received a request, in milliseconds since the epoch; 0: never. */
  lastTunnelRequestAt: () => number
  /** Number of connections of the tunnel listener with a response that is delayed or waits for a forward target. */
  tunnelConnectionsWaiting: () => number
  /** Takes effect with the next request. */
  configure: (config: CaptureConfig) => void
  /** Releases the memory that a flood has left behind. */
  releaseMemory: () => void
  /** Stops accepting requests, finishes those in flight, syncs the journal. */
  stop: (input: { graceMs: number; deadlineMs: number }) => Promise<void>
}

/** Limits of the listener, in bytes and milliseconds. */
export interface CaptureLimits {
  /** Largest body that is stored completely. */
  readonly bodyBytes: number
  /** How much is stored of a larger body. */
  readonly keptBytes: number
  /** Memory for all requests that are not on disk yet. Beyond this, the request that takes most is rejected with 503. */
  readonly heldBytes: number
  readonly headBytes: number
  /** Total size of incomplete heads and trailers over all connections. Parsed, they take about ten times as much memory. */
  readonly unfinishedHeadBytes: number
  /** Time limit from the connection, or the end of the last request, to the end of the head. */
  readonly headMs: number
  /** Time limit from the start of the head to the end of the body. */
  readonly bodyMs: number
  /** Time before the minimum transfer rate applies to a body. */
  readonly rateGraceMs: number
  /** Minimum average transfer rate after that time, in bytes per second. */
  readonly bytesPerSecond: number
  /** How long a connection may stay open without a request. */
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

/** An endpoint as the capture thread uses it, prepared once for all its deliveries. */
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
