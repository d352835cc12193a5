import type { TunnelCause } from '#contract/tunnel.ts'
import type { OpenTunnel, ProviderDependencies } from '#engine/receiving/tunnel/provider.ts'

type Options = Readonly<Record<string, string>>

export interface OpenOptions {
  readonly world: ProviderDependencies
  readonly options: Options
}

/** A local replacement for the remote side of a tunnel. */
export interface FarSide extends AsyncDisposable {
  towards(port: number): Promise<OpenOptions>
  /** Names of processes that the provider has started and that are still running. */
  left(): readonly string[]
  /** Null if the remote side cannot be controlled. */
  readonly held: {
    absent(): Promise<OpenOptions>
    silent(): Promise<OpenOptions>
    end(open: OpenTunnel): Promise<void>
  } | null
}

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
