import type { TunnelCause, TunnelField, TunnelProviderView } from '#contract/tunnel.ts'
import type { Network } from '../../platform/http/network.ts'
import type { Why } from './messages.ts'

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

export function failureOf({ cause, reason }: Why): TunnelFailure {
  return new TunnelFailure(cause, reason)
}

export interface ProviderEvents {
  /** A suspected problem, as a sentence. The tunnel is probed immediately. */
  trouble(reason: string): void
  /** Open connections to the tunnel's server, of how many. */
  connections(open: number, most: number): void
}

export interface OpenTunnel {
  /** The public origin, without a trailing slash. */
  readonly url: string
  /** Set if another name than the requested one was assigned. */
  readonly requestedName: string | null
  /** Request it the next time to get the same URL. */
  readonly nextName: string | null
  /** Resolves when everything is released: to null after the signal was aborted, or to the reason if the tunnel closed by itself. */
  readonly closed: Promise<TunnelFailure | null>
}

export interface OpenOptions {
  readonly port: number
  /** By field name. Options without a value are absent. */
  readonly options: Readonly<Record<string, string>>
  /** `OpenTunnel.nextName` of the last tunnel with the same options. Requested if the options name nothing. */
  readonly previousName: string | null
}

export interface ProviderDependencies {
  readonly tunnelThread: URL
  /** Absent: connects as the environment says. */
  readonly network?: Pick<Network, 'link'>
  /** Has the path on which programs are searched. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Makes the listener publicly reachable. Each file in `providers/` has one as its default export. */
export interface TunnelProvider {
  readonly id: string
  readonly label: string
  readonly about: string
  readonly fields: readonly TunnelField[]
  readonly notes: readonly string[]
  /** `tunnel-listener`: the provider connects to the port that it is given. `listener`: the user has connected it to the port of the main listener. */
  readonly target: 'tunnel-listener' | 'listener'
  /** Parses the rest of `--tunnel id:rest`. Throws `AppError('bad_input')`. */
  parse(rest: string): Record<string, string>
  /** Returns trimmed options without empty ones. Throws `AppError('bad_input')` that names the field. */
  check(options: Readonly<Record<string, string>>): Record<string, string>
  /** The origin of the public, volunteer-run server that these options use; null if they use another one. Absent if the provider has none. */
  publicServer?(options: Readonly<Record<string, string>>): string | null
  /** `missing`: why the provider cannot be used here. */
  detect(
    dependencies: ProviderDependencies,
  ): Promise<{ missing: string | null; program: string | null }>
  /** Aborting the signal closes the tunnel at any time, also while it opens. Rejects with `TunnelFailure`, once everything is closed. */
  open(
    options: OpenOptions,
    dependencies: ProviderDependencies,
    events: ProviderEvents,
    signal: AbortSignal,
  ): Promise<OpenTunnel>
}

export function detectProviders(
  providers: readonly TunnelProvider[],
  dependencies: ProviderDependencies,
): Promise<TunnelProviderView[]> {
  return Promise.all(
    providers.map(async (provider) => {
      const { id, label, about: description, fields, notes } = provider
      const found = await provider.detect(dependencies)
      return { id, label, description, fields: [...fields], notes: [...notes], ...found }
    }),
  )
}
