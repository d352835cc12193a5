import type { TunnelCause, TunnelField } from '#contract/tunnel.ts'

/** Why a tunnel could not be opened, or ended. */
export class TunnelFailure extends Error {
  override readonly name = 'TunnelFailure'
  readonly code: TunnelCause
  /** False: trying again changes nothing, until the user does something. */
  readonly retry: boolean

  /** `message`: a sentence that says what is wrong and what to do. */
  constructor(code: TunnelCause, message: string, options: { retry?: boolean } = {}) {
    super(message)
    this.code = code
    this.retry = options.retry ?? true
  }
}

/** What a provider says while its tunnel is open. */
export interface TunnelSigns {
  /** Something looks wrong: it is looked at once. A sentence. */
  trouble(reason: string): void
  /** How many of its connections to its server are open, of how many. */
  connections(open: number, most: number): void
}

export interface OpenTunnel {
  /** The public origin, without a slash at its end. */
  readonly url: string
  /** The name that was asked for, where it is another one than was assigned; null: it is as asked, or nothing was asked for. */
  readonly asked: string | null
  /** What to ask for the next time to get this address again; null: nothing is to be asked for. */
  readonly again: string | null
  /** Resolves when it is closed and all that it held is let go: after the signal was aborted, or when it ended by itself (then with why). */
  readonly closed: Promise<TunnelFailure | null>
}

export interface OpenOptions {
  /** The local port, on 127.0.0.1, that it leads to. */
  readonly port: number
  /** The provider's own, by the names of its fields; all that are not given are absent. */
  readonly options: Readonly<Record<string, string>>
  /** What `again` was the last time with the same options; null: there is nothing. Asked for when the options ask for nothing. */
  readonly again: string | null
}

/** What a provider may use. */
export interface ProviderDependencies {
  /** The built entry of the localtunnel client's thread. */
  readonly tunnelThread: URL
  /** The environment, for the path on which programs are looked for. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Makes the listener reachable from outside. One file each in `providers/`, with one of these as its default export. */
export interface TunnelProvider {
  readonly id: string
  readonly label: string
  readonly about: string
  readonly fields: readonly TunnelField[]
  readonly notes: readonly string[]
  /**
   * Where it leads. `door`: it opens connections of its own, to the port that it is given: that of the door, which is open for as long as it is
   * wanted. `listener`: the user has wired it to the listener's port, which is what it is given; no door is opened.
   */
  readonly leadsTo: 'door' | 'listener'
  /** The rest of `--tunnel id:rest` as options. Throws `AppError('bad_input')`. */
  parse(rest: string): Record<string, string>
  /** Throws `AppError('bad_input')`, naming the field, for options that cannot be. Returns them as they are used (trimmed, without empty ones). */
  check(options: Readonly<Record<string, string>>): Record<string, string>
  /** The origin of the public server run by volunteers that these options lead to; null: another one. Absent: there is none. */
  publicServer?(options: Readonly<Record<string, string>>): string | null
  /** Whether it can be used here: `missing` says why not. */
  look(world: ProviderDependencies): Promise<{ missing: string | null; program: string | null }>
  /**
   * Opens a tunnel to the port. Aborting the signal gives up at any time, also while it opens; `closed` (or the rejection) then comes when
   * nothing of it is left. Rejects with `TunnelFailure`.
   */
  open(
    wish: OpenOptions,
    world: ProviderDependencies,
    signs: TunnelSigns,
    signal: AbortSignal,
  ): Promise<OpenTunnel>
}
