import type { Arrival, Header } from '#contract/models.ts'
import type { Body } from './body.ts'
import type { Key } from './key.ts'

/** What a received value means, if it is written in this way. */
export interface Reading {
  readonly digest: Uint8Array
  /** Departures from "in hex, under the right name"; empty: none. */
  readonly codes: readonly string[]
  /** "written in base64" */
  readonly words: string
  /** The name of the header, where it is another than expected. */
  readonly header: string | null
}

/** How a secret of the endpoint stands. */
export type SecretState = 'none' | 'set' | 'unavailable'

/** What the engine knows of the endpoint that the delivery came to. */
export interface KnownEndpoint {
  readonly name: string
  /** Expected application id; empty: any. */
  readonly applicationId: string
  readonly current: SecretState
  readonly previous: SecretState
}

/** A secret with what it is called. */
export interface NamedSecret {
  /** "the current secret of the endpoint “Bar”" */
  readonly words: string
  readonly secret: string
}

/** All that may have signed. Lives for one diagnosis, in memory only. */
export interface Keyring {
  /** Null: the path belongs to no endpoint. `deleted`: it belonged to one that is gone. */
  readonly endpoint: KnownEndpoint | 'deleted' | null
  readonly current: string | null
  readonly previous: string | null
  /** Secrets of other endpoints. */
  readonly others: readonly NamedSecret[]
  /** API access secrets. */
  readonly access: readonly NamedSecret[]
  /** Access ids and application ids: no secrets, but somebody may have signed with one. */
  readonly identifiers: readonly NamedSecret[]
  /** Application ids of the other endpoints. */
  readonly applications: readonly { readonly endpoint: string; readonly id: string }[]
}

/** The request as it was captured. */
export interface Captured {
  readonly method: string
  /** The request target as it came. */
  readonly path: string
  readonly headers: readonly Header[]
  readonly trailers: readonly Header[]
  readonly brand: string
  readonly arrival: Arrival
  /** Bytes of body that arrived; more than are kept where `arrival` says so. */
  readonly bytes: number
  readonly body: Uint8Array
}

/** What a diagnosis is about: the request, and all that was read from it once. */
export interface Subject {
  readonly captured: Captured
  readonly keyring: Keyring
  readonly body: Body
  /** The name of the header that should carry the signature. */
  readonly headerName: string
  /** Values that came under that name. */
  readonly received: readonly string[]
  /** Headers of other names that may carry one. */
  readonly elsewhere: readonly Header[]
  /** Everything that the values may mean. */
  readonly readings: readonly Reading[]
  /** Secrets that are tried with every change: the endpoint's own, or the candidate. */
  readonly own: readonly (Key & { readonly text: string })[]
}
