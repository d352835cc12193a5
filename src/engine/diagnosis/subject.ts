import type { CauseCode } from '#catalogue/cause-titles.ts'
import type { Arrival, Cause, Header } from '#contract/models.ts'

export type CauseValues = NonNullable<Cause['values']>

/** `unavailable`: it cannot be decrypted. */
export type SecretState = 'none' | 'set' | 'unavailable'

export interface KnownEndpoint {
  readonly name: string
  readonly applicationId: string
  readonly current: SecretState
  readonly previous: SecretState
}

export interface NamedSecret {
  /** "the current secret of the endpoint “Bar”" */
  readonly words: string
  readonly secret: string
}

/** Secrets that may have signed the delivery. Only in memory, for one diagnosis. */
export interface Keyring {
  /** Null: the path belongs to no endpoint. `file`: the delivery is in a file, whose endpoints are not of this Tabscope. */
  readonly endpoint: KnownEndpoint | 'deleted' | 'file' | null
  /** The current one of the integration. Absent: no endpoint of this Tabscope. */
  readonly brand?: string | undefined
  readonly current: string | null
  readonly previous: string | null
  readonly others: readonly NamedSecret[]
  readonly access: readonly NamedSecret[]
  /** Access IDs and application IDs are no secrets, but a sender may use one by mistake. */
  readonly identifiers: readonly NamedSecret[]
  readonly applications: readonly { readonly endpoint: string; readonly id: string }[]
}

export interface Captured {
  readonly method: string
  readonly path: string
  readonly headers: readonly Header[]
  readonly trailers: readonly Header[]
  readonly brand: string
  readonly arrival: Arrival
  readonly reason?: string | null
  /** Received, which may be more than were stored (see `arrival`). */
  readonly bytes: number
  readonly body: Uint8Array
}

/** A text of the header, decoded to bytes. */
export interface Reading {
  readonly digest: Uint8Array
  /** The causes that it stands for. Empty: hex in the expected header. */
  readonly codes: readonly CauseCode[]
  /** "encoded in base64" */
  readonly words: string
  readonly header: string | null
}

export interface Subject {
  readonly captured: Captured
  readonly keyring: Keyring
  readonly headerName: string
  readonly received: readonly string[]
  /** Headers with other names that may contain a signature. */
  readonly elsewhere: readonly Header[]
  readonly readings: readonly Reading[]
  /** Tried with every change: the endpoint's own secret, or the candidate; null if there is none. */
  readonly own: NamedSecret | null
}
