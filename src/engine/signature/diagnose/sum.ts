import { createHash, createHmac, createSecretKey } from 'node:crypto'
import type { Message } from './subject.ts'
import type { TimeBudget } from './time-budget.ts'

interface Running {
  update(bytes: Uint8Array): void
  digest(): Buffer
}

export interface Sum {
  /** The causes that it stands for. Empty: HMAC-SHA256. */
  readonly codes: readonly string[]
  /** "the HMAC-SHA256" */
  readonly words: string
  readonly size: number
  /** False: the algorithm uses no secret. */
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
    // Several times as fast as with the bytes: thousands of short messages are tried.
    const hmac = createHmac(algorithm, createSecretKey(key))
    return { update: (bytes) => void hmac.update(bytes), digest: () => hmac.digest() }
  }
}

/** With the secret before or after the body, or without a secret. */
export function hashOf(
  algorithm: Algorithm,
  secret: 'none' | 'before' | 'after',
): (key: Uint8Array) => Running {
  return (key) => {
    const hash = createHash(algorithm)
    if (secret === 'before') hash.update(key)
    return {
      update: (bytes) => void hash.update(bytes),
      digest: () => (secret === 'after' ? hash.update(key) : hash).digest(),
    }
  }
}

/** API documentation, "Signature verification". */
export const right: Sum = {
  codes: [],
  words: 'the HMAC-SHA256',
  size: digestSizes.sha256,
  keyed: true,
  begin: hmacOf('sha256'),
}

/** Hashing this many bytes takes a few milliseconds. */
const chunkBytes = 512 * 1024

/** Signs with all keys in one pass over the message, which costs more to produce than to hash. Null if the budget was used up first. */
export async function computeAll(
  sum: Sum,
  keys: readonly Uint8Array[],
  message: Message,
  budget: TimeBudget,
): Promise<Buffer[] | null> {
  const hashes = keys.map((key) => sum.begin(key))
  for (const piece of message.pieces()) {
    for (let from = 0; from < piece.byteLength; from += chunkBytes) {
      const part = piece.byteLength > chunkBytes ? piece.subarray(from, from + chunkBytes) : piece
      for (const hash of hashes) {
        hash.update(part)
        budget.count(part.byteLength)
        if (budget.due) await budget.yield()
        if (budget.over) return null
      }
    }
  }
  budget.tried += keys.length
  return hashes.map((hash) => hash.digest())
}

export async function compute(
  sum: Sum,
  key: Uint8Array,
  message: Message,
  budget: TimeBudget,
): Promise<Buffer | null> {
  return (await computeAll(sum, [key], message, budget))?.[0] ?? null
}
