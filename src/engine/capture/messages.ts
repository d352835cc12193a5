import type { MessagePort } from 'node:worker_threads'
import type { ForwardTarget, ResponseRule, RuleUse } from '#contract/answering.ts'
import type { Header } from '#contract/models.ts'
import { compileRules, type EndpointRules } from '../conformance/rules.ts'
import { namedKey, type NamedKey } from '../signature/verify.ts'

/** An endpoint as the engine hands it to the capture thread. Secrets stay inside the process. */
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
  /** Those that are on, in the order in which they are tried. */
  readonly responses: readonly ResponseRule[]
  /** Those that are on. */
  readonly forwards: readonly ForwardTarget[]
}

export interface CaptureConfig {
  readonly routes: readonly EndpointRoute[]
  /** The brand whose header names count where no endpoint has the path. */
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
  /** By which the listener knows the self-probes of this run. */
  readonly probeKey: Uint8Array
  /** To the sender thread: `PassRequest` out, `PassResponse` in. */
  readonly sender: MessagePort
  /** How often the response rules came up in earlier runs. */
  readonly uses: readonly RuleUse[]
}

/** What the thread says unasked. */
export type CaptureEvent =
  | { event: 'failing'; reason: string | null }
  /** At most five times a second. */
  | { event: 'used'; uses: RuleUse[] }

/** What the engine may ask of the capture thread. */
export type CaptureApi = {
  /** Listens on the port; resolves to the port that it got. */
  listen: (port: number) => Promise<number>
  /**
   * A second way in, on a port that the system chooses, for a tunnel of ours: its idle connections are not closed, and what comes in there is
   * marked. Open already: as it is. Resolves to its port.
   */
  openDoor: () => Promise<number>
  closeDoor: () => Promise<void>
  /** When something last came in by the door, in milliseconds since the epoch; 0: nothing has. */
  lastThroughDoor: () => number
  /** Connections of the door whose answer waits by our own will: for a delay, or for a target. */
  doorHolding: () => number
  /** Takes effect from the next request on. */
  configure: (config: CaptureConfig) => void
  /** Stops accepting, answers what is in flight, syncs. */
  stop: (input: { graceMs: number; deadlineMs: number }) => Promise<void>
}

/** What the listener bears. Bytes and milliseconds. */
export interface CaptureLimits {
  /** Largest body kept whole. */
  readonly bodyBytes: number
  /** Of a larger body, this much is kept. */
  readonly keptBytes: number
  /** Memory held at once by all requests that are not on the disk yet; over it the one that holds most is refused with 503. */
  readonly heldBytes: number
  readonly headBytes: number
  /** Bytes of heads and trailers that are not whole, over all connections: parsed they take some ten times as much. */
  readonly unfinishedHeadBytes: number
  /** From the connection, or the end of the last request, to the end of the head. */
  readonly headMs: number
  /** From the beginning of the head to the end of the body. */
  readonly bodyMs: number
  /** For this long a body may come as slowly as it likes. */
  readonly rateGraceMs: number
  /** After that, so many bytes a second are required, on average. */
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

/** What the capture thread knows of an endpoint, made ready once for all its deliveries. */
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
