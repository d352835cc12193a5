import type { DiagnosisCause } from '#contract/deliveries.ts'
import type { Arrival, Header } from '#contract/models.ts'
import type { Body } from './body.ts'

/** A secret as it is tried. */
export interface Key {
  readonly bytes: Uint8Array
  /** Departures from "the current secret as it is"; empty: none. */
  readonly codes: readonly string[]
  /** "the current secret", for the sentence that says what matched. Never the secret. */
  readonly words: string
  /** Who has to mend it, where that depends on which way it was changed. */
  readonly where?: DiagnosisCause['where']
}

/** The first of those that are the same bytes. */
export function distinctKeys(keys: readonly Key[]): Key[] {
  const seen = new Map<string, Key>()
  for (const key of keys) {
    const id = Buffer.from(key.bytes).toString('latin1')
    if (!seen.has(id)) seen.set(id, key)
  }
  return [...seen.values()]
}

/** Bytes that may have been signed. */
export interface Message {
  /** Departures from "the body as received"; empty: none. */
  readonly codes: readonly string[]
  /** "the body as received", for the sentence that says what matched. */
  readonly words: string
  /** The bytes in pieces, made as they are asked for: a large body is never held twice. A piece is good until the next is asked for. */
  readonly pieces: () => Iterable<Uint8Array>
}

export function message(codes: readonly string[], words: string, ...bytes: Uint8Array[]): Message {
  return { codes, words, pieces: () => bytes }
}

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
