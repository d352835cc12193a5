import type { TunnelCause } from '#contract/tunnel.ts'
import type { OpenTunnel, ProviderDependencies } from '#engine/tunnel/provider.ts'

type Options = Readonly<Record<string, string>>

/** With what a tunnel is opened. */
export interface Circumstances {
  readonly world: ProviderDependencies
  readonly options: Options
}

/** What is on the other side of a tunnel, as far as it can be had on this machine. */
export interface FarSide extends AsyncDisposable {
  /** To lead to this port. */
  towards(port: number): Promise<Circumstances>
  /** Of what the provider has started outside this process: what is still there, a word for each. */
  left(): readonly string[]
  /** Null where the rig does not hold anything. */
  readonly held: {
    /** The far side is not there. */
    absent(): Promise<Circumstances>
    /** It is there, and says nothing. */
    silent(): Promise<Circumstances>
    /** Ends the tunnel from there. */
    end(open: OpenTunnel): Promise<void>
  } | null
}

/** What the conformance suite needs to know of a provider to ask of it what it asks of all. */
export interface TunnelRig {
  /** What answers in place of the real far side, for the titles. */
  readonly standsFor: string
  /** Why it cannot be tried on this machine; null: it can. */
  readonly notHere: string | null
  /** False for a provider that opens nothing itself: there is nothing that could be missing, last for ever, or end. */
  readonly holds: boolean
  /** Of the failures where the far side is not there. */
  readonly absence: readonly TunnelCause[]
  /** What follows the name behind `--tunnel`, and the options that it means. */
  readonly written: readonly (readonly [rest: string, options: Options])[]
  /** The same, refused, and the field that is to blame. */
  readonly refusedWritten: readonly (readonly [rest: string, field: string])[]
  readonly refused: readonly (readonly [options: Options, field: string])[]
  start(): Promise<FarSide>
}
