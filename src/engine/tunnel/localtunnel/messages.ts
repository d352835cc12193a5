import type { TunnelCause } from '#contract/tunnel.ts'

/** What the thread of the client is started with. */
export interface ClientData {
  /** The origin of its server. */
  readonly host: string
  /** The name to ask for; null: any. */
  readonly name: string | null
  /** Whether the user asked for that name, and not only Tabscope, because it was ours the last time. */
  readonly byUser: boolean
  /** The local port that it leads to. */
  readonly port: number
}

/** Why there is no tunnel, as it crosses the thread. */
export interface ClientFault {
  readonly code: TunnelCause
  readonly message: string
  readonly retry: boolean
}

/** What the thread says. `failed` and `ended` are its last word, and so is `closed`, which answers `close`. */
export type ClientEvent =
  | { readonly event: 'opened'; readonly id: string; readonly url: string }
  | { readonly event: 'failed'; readonly fault: ClientFault }
  | { readonly event: 'connections'; readonly open: number; readonly most: number }
  | { readonly event: 'trouble'; readonly reason: string }
  | { readonly event: 'ended'; readonly reason: string }
  | { readonly event: 'closed' }

/** All that it is told. */
export type ClientOrder = 'close'
