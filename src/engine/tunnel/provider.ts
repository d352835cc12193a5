import type { TunnelCause, TunnelField } from '#contract/tunnel.ts'

/** Why a tunnel could not be opened, or why it closed. */
export class TunnelFailure extends Error {
  override readonly name = 'TunnelFailure'
  readonly code: TunnelCause
  /** False: a retry cannot succeed until the user changes something. */
  readonly retry: boolean

  /** `message`: a sentence that says what happened and what to do. */
  constructor(code: TunnelCause, message: string, options: { retry?: boolean } = {}) {
    super(message)
    this.code = code
    this.retry = options.retry ?? true
  }
}

/** What a provider reports while its tunnel is open. */
export interface ProviderEvents {
  /** A suspected problem, as a sentence. The tunnel is probed immediately. */
  trouble(reason: string): void
  /** How many connections to the tunnel's server are open, of how many. */
  connections(open: number, most: number): void
}

export interface OpenTunnel {
  /** The public origin, without a trailing slash. */
  readonly url: string
  /** The requested name, if another one was assigned; null if the name is as requested, or none was requested. */
  readonly requestedName: string | null
  /** The name to request the next time to get the same URL; null if there is none. */
  readonly nextName: string | null
  /** Resolves when the tunnel is closed and its resources are released: to null after the signal was aborted, or to the reason if it closed by itself. */
  readonly closed: Promise<TunnelFailure | null>
}

export interface OpenOptions {
  /** The local port on 127.0.0.1 that the tunnel leads to. */
  readonly port: number
  /** The provider's options by field name. Options without a value are absent. */
  readonly options: Readonly<Record<string, string>>
  /** `OpenTunnel.nextName` of the last tunnel with the same options, or null. Requested if the options name nothing. */
  readonly previousName: string | null
}

/** What a provider needs from its environment. */
export interface ProviderDependencies {
  /** The built entry point of the localtunnel client's thread. */
  readonly tunnelThread: URL
  /** The environment variables, with the path on which programs are searched. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Makes the listener publicly reachable. Each file in `providers/` has one as its default export. */
export interface TunnelProvider {
  readonly id: string
  readonly label: string
  readonly about: string
  readonly fields: readonly TunnelField[]
  readonly notes: readonly string[]
  /**
   * Where the tunnel leads. `tunnel-listener`: the provider connects to the given port, which is that of the tunnel listener. `listener`: the user
   * has connected it to the main listener's port, and no tunnel listener is opened.
   */
  readonly leadsTo: 'tunnel-listener' | 'listener'
  /** Parses the rest of `--tunnel id:rest` as options. Throws `AppError('bad_input')`. */
  parse(rest: string): Record<string, string>
  /** Returns the normalized options: trimmed, without empty ones. Throws `AppError('bad_input')` that names the field if an option is invalid. */
  check(options: Readonly<Record<string, string>>): Record<string, string>
  /** The origin of the public, volunteer-run server that these options use; null if they use another one. Absent if the provider has none. */
  publicServer?(options: Readonly<Record<string, string>>): string | null
  /** Checks whether the provider can be used here. `missing`: why not. */
  look(
    dependencies: ProviderDependencies,
  ): Promise<{ missing: string | null; program: string | null }>
  /**
   * Opens a tunnel to the port. Aborting the signal closes it at any time, also while it opens. `closed` resolves, or the promise rejects, once
   * everything is closed. Rejects with `TunnelFailure`.
   */
  open(
    options: OpenOptions,
    dependencies: ProviderDependencies,
    events: ProviderEvents,
    signal: AbortSignal,
  ): Promise<OpenTunnel>
}
