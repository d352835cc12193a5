import type { MessagePort } from 'node:worker_threads'
import type { ForwardTarget, ResponseRule, RuleUse } from '#contract/answering.ts'
import type { Header } from '#contract/models.ts'
import type { CaptureLimits } from './limits.ts'

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
  /** To the sender thread: `PassQuestion` out, `PassAnswer` in. */
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
