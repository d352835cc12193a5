import type { Arrival, Cause, Header } from '#contract/models.ts'
import type { Body } from './body.ts'

export interface Key {
  readonly bytes: Uint8Array
  /** The causes that it stands for. Empty: the current secret, unchanged. */
  readonly codes: readonly string[]
  /** For messages, such as "the current secret". Never the secret itself. */
  readonly words: string
  /** The side that has to fix it, if that depends on the direction of the change. */
  readonly where?: Cause['where']
}

/** Compares the bytes of the keys and keeps the first. */
export function distinctKeys(keys: readonly Key[]): Key[] {
  const seen = new Map<string, Key>()
  for (const key of keys) {
    const id = Buffer.from(key.bytes).toString('latin1')
    if (!seen.has(id)) seen.set(id, key)
  }
  return [...seen.values()]
}

export interface Message {
  /** The causes that it stands for. Empty: the body as received. */
  readonly codes: readonly string[]
  /** For messages, such as "the body as received". */
  readonly words: string
  /** Created on demand, so that a large body is never in memory twice. A piece is valid until the next one is requested. */
  readonly pieces: () => Iterable<Uint8Array>
}

export function message(codes: readonly string[], words: string, ...bytes: Uint8Array[]): Message {
  return { codes, words, pieces: () => bytes }
}

/** `pieces`: see `Message`. */
export function converted(code: string, words: string, pieces: Message['pieces']): Message {
  return { codes: [code], words, pieces }
}

export interface Reading {
  readonly digest: Uint8Array
  /** The causes that it stands for. Empty: hex in the expected header. */
  readonly codes: readonly string[]
  /** "written in base64" */
  readonly words: string
  readonly header: string | null
}

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
  /** Null: the path belongs to no endpoint. */
  readonly endpoint: KnownEndpoint | 'deleted' | null
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
  /** Received, which may be more than were stored (see `arrival`). */
  readonly bytes: number
  readonly body: Uint8Array
}

export interface Subject {
  readonly captured: Captured
  readonly keyring: Keyring
  readonly body: Body
  readonly headerName: string
  readonly received: readonly string[]
  /** Headers with other names that may contain a signature. */
  readonly elsewhere: readonly Header[]
  readonly readings: readonly Reading[]
  /** Tried with every change: the endpoint's own secrets, or the candidate. */
  readonly own: readonly (Key & { readonly text: string })[]
}
