import type { TunnelCause } from '#contract/tunnel.ts'
import type { OpenTunnel, ProviderDependencies } from '#engine/tunnel/provider.ts'

type Options = Readonly<Record<string, string>>

/** Options for opening a tunnel. */
export interface OpenOptions {
  readonly world: ProviderDependencies
  readonly options: Options
}

/** A local replacement for the remote side of a tunnel. */
export interface FarSide extends AsyncDisposable {
  /** Opens a tunnel to this port. */
  towards(port: number): Promise<OpenOptions>
  /** Names of processes that the provider has started and that are still running. */
  left(): readonly string[]
  /** Null if the remote side cannot be controlled. */
  readonly held: {
    /** Makes the remote side unreachable. */
    absent(): Promise<OpenOptions>
    /** Makes the remote side unresponsive. */
    silent(): Promise<OpenOptions>
    /** Ends the tunnel from the remote side. */
    end(open: OpenTunnel): Promise<void>
  } | null
}

/** Provider-specific data for the conformance suite. */
export interface TunnelRig {
  /** Name of the replacement for the remote side, for test titles. */
  readonly label: string
  /** Why the provider cannot be tested on this computer; null: it can. */
  readonly notHere: string | null
  /** False for a provider that opens nothing itself, so that nothing can be missing, hang, or end. */
  readonly holds: boolean
  /** Failure code when the remote side is not reachable. */
  readonly absence: readonly TunnelCause[]
  /** Text after the name in `--tunnel`, and the resulting options. */
  readonly written: readonly (readonly [rest: string, options: Options])[]
  /** Invalid text, and the field that causes the error. */
  readonly refusedWritten: readonly (readonly [rest: string, field: string])[]
  readonly refused: readonly (readonly [options: Options, field: string])[]
  start(): Promise<FarSide>
}
