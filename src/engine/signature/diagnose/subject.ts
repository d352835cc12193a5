import type { DiagnosisCause } from '#contract/deliveries.ts'
import type { Arrival, Header } from '#contract/models.ts'
import type { Body } from './body.ts'

/** A secret to try. */
export interface Key {
  readonly bytes: Uint8Array
  /** The causes that this secret stands for. Empty: the current secret, unchanged. */
  readonly codes: readonly string[]
  /** Names the secret in messages, for example "the current secret". Never the secret itself. */
  readonly words: string
  /** The side that has to fix it, if that depends on the direction of the change. */
  readonly where?: DiagnosisCause['where']
}

/** Removes keys whose bytes are equal to those of an earlier one. */
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
  /** The causes that these bytes stand for. Empty: the body as received. */
  readonly codes: readonly string[]
  /** Names the bytes in messages, for example "the body as received". */
  readonly words: string
  /** The bytes in pieces, created on demand so that a large body is never in memory twice. A piece is valid until the next one is requested. */
  readonly pieces: () => Iterable<Uint8Array>
}

export function message(codes: readonly string[], words: string, ...bytes: Uint8Array[]): Message {
  return { codes, words, pieces: () => bytes }
}

/** The bytes of a received value, interpreted in one way. */
export interface Reading {
  readonly digest: Uint8Array
  /** The causes that this interpretation stands for. Empty: hex in the expected header. */
  readonly codes: readonly string[]
  /** "written in base64" */
  readonly words: string
  /** The name of the header if it is not the expected one. */
  readonly header: string | null
}

/** Whether the endpoint has a secret, and whether it can be decrypted. */
export type SecretState = 'none' | 'set' | 'unavailable'

/** The endpoint that received the delivery. */
export interface KnownEndpoint {
  readonly name: string
  /** Expected application id; empty: any. */
  readonly applicationId: string
  readonly current: SecretState
  readonly previous: SecretState
}

/** A secret with its name for messages. */
export interface NamedSecret {
  /** "the current secret of the endpoint “Bar”" */
  readonly words: string
  readonly secret: string
}

/** All secrets that may have signed the delivery. Only in memory, for one diagnosis. */
export interface Keyring {
  /** Null: the path belongs to no endpoint. `deleted`: its endpoint was deleted. */
  readonly endpoint: KnownEndpoint | 'deleted' | null
  readonly current: string | null
  readonly previous: string | null
  /** Secrets of other endpoints. */
  readonly others: readonly NamedSecret[]
  /** API access secrets. */
  readonly access: readonly NamedSecret[]
  /** Access IDs and application IDs: not secrets, but a sender may use one by mistake. */
  readonly identifiers: readonly NamedSecret[]
  /** Application IDs of the other endpoints. */
  readonly applications: readonly { readonly endpoint: string; readonly id: string }[]
}

/** The captured request. */
export interface Captured {
  readonly method: string
  readonly path: string
  readonly headers: readonly Header[]
  readonly trailers: readonly Header[]
  readonly brand: string
  readonly arrival: Arrival
  /** Received bytes of the body, which may be more than were stored (see `arrival`). */
  readonly bytes: number
  readonly body: Uint8Array
}

/** The subject of a diagnosis: the request and everything derived from it. */
export interface Subject {
  readonly captured: Captured
  readonly keyring: Keyring
  readonly body: Body
  /** The name of the header that should carry the signature. */
  readonly headerName: string
  /** Values received with that name. */
  readonly received: readonly string[]
  /** Headers with other names that may contain a signature. */
  readonly elsewhere: readonly Header[]
  /** All interpretations of the values. */
  readonly readings: readonly Reading[]
  /** Secrets that are tried with every change: the endpoint's own, or the candidate. */
  readonly own: readonly (Key & { readonly text: string })[]
}
