import { createHash, createHmac } from 'node:crypto'
import type { Message } from './subject.ts'
import type { Work } from './time-budget.ts'

interface Running {
  update(bytes: Uint8Array): void
  digest(): Buffer
}

/** A way to compute a signature over a message with a secret. */
export interface Sum {
  /** Departures from HMAC-SHA256; empty: none. */
  readonly codes: readonly string[]
  /** "the HMAC-SHA256" */
  readonly words: string
  /** Bytes of what comes out. */
  readonly size: number
  /** False: the secret has no part in it. */
  readonly keyed: boolean
  readonly begin: (key: Uint8Array) => Running
}

export type Algorithm = 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512'

export const digestSizes: Readonly<Record<Algorithm, number>> = {
  md5: 16,
  sha1: 20,
  sha256: 32,
  sha384: 48,
  sha512: 64,
}

export function hmacOf(algorithm: Algorithm): (key: Uint8Array) => Running {
  return (key) => {
    const hmac = createHmac(algorithm, key)
    return { update: (bytes) => void hmac.update(bytes), digest: () => hmac.digest() }
  }
}

/** A plain hash of the body with the secret before or behind it, or without one. */
export function hashOf(
  algorithm: Algorithm,
  secret: 'none' | 'before' | 'behind',
): (key: Uint8Array) => Running {
  return (key) => {
    const hash = createHash(algorithm)
    if (secret === 'before') hash.update(key)
    return {
      update: (bytes) => void hash.update(bytes),
      digest: () => (secret === 'behind' ? hash.update(key) : hash).digest(),
    }
  }
}

/** What every delivery should carry (SPEC, "Signature verification"). */
export const right: Sum = {
  codes: [],
  words: 'the HMAC-SHA256',
  size: digestSizes.sha256,
  keyed: true,
  begin: hmacOf('sha256'),
}

/** Of a large piece, as much as goes through a hash at once: a few milliseconds. */
const atOnce = 512 * 1024

/**
 * Computes a signature for each key, in one pass over the message: to write a body anew costs more than to hash it. Null: the work was over
 * before it was done.
 */
export async function computeAll(
  sum: Sum,
  keys: readonly Uint8Array[],
  message: Message,
  work: Work,
): Promise<Buffer[] | null> {
  const running = keys.map((key) => sum.begin(key))
  for (const piece of message.pieces()) {
    for (let from = 0; from < piece.byteLength; from += atOnce) {
      const part = piece.byteLength > atOnce ? piece.subarray(from, from + atOnce) : piece
      for (const one of running) {
        one.update(part)
        work.count(part.byteLength)
        if (work.due) await work.breathe()
        if (work.over) return null
      }
    }
  }
  work.tried += keys.length
  return running.map((one) => one.digest())
}

/** Computes one signature. Null: as above. */
export async function compute(
  sum: Sum,
  key: Uint8Array,
  message: Message,
  work: Work,
): Promise<Buffer | null> {
  return (await computeAll(sum, [key], message, work))?.[0] ?? null
}
