import { createHash, createHmac, createSecretKey } from 'node:crypto'
import type { CauseCode } from '#catalogue/cause-titles.ts'
import type { TimeBudget } from './time-budget.ts'

interface Running {
  update(bytes: Uint8Array): void
  digest(): Buffer
}

export interface Sum {
  /** Null: HMAC-SHA256, as documented. */
  readonly code: CauseCode | null
  readonly cost: number
  /** "the HMAC-SHA256" */
  readonly words: string
  readonly size: number
  /** False: the algorithm uses no secret. */
  readonly keyed: boolean
  readonly begin: (key: Uint8Array) => Running
}

type Algorithm = 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512'

const algorithms: Readonly<Record<Algorithm, { readonly name: string; readonly size: number }>> = {
  sha256: { name: 'SHA-256', size: 32 },
  sha1: { name: 'SHA-1', size: 20 },
  sha512: { name: 'SHA-512', size: 64 },
  md5: { name: 'MD5', size: 16 },
  sha384: { name: 'SHA-384', size: 48 },
}
const names: readonly Algorithm[] = ['sha256', 'sha1', 'sha512', 'md5', 'sha384']

function hmacOf(algorithm: Algorithm): Sum['begin'] {
  return (key) => {
    // Several times as fast as with the bytes: thousands of short messages are tried.
    const hmac = createHmac(algorithm, createSecretKey(key))
    return { update: (bytes) => void hmac.update(bytes), digest: () => hmac.digest() }
  }
}

function hashOf(algorithm: Algorithm, secret: 'none' | 'before' | 'after'): Sum['begin'] {
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
  code: null,
  cost: 0,
  words: 'the HMAC-SHA256',
  size: algorithms.sha256.size,
  keyed: true,
  begin: hmacOf('sha256'),
}

export const plainSha256: Sum = hashed('sha256', 'none')

const hmacCosts = { sha1: 2, sha512: 2, sha384: 3, md5: 3 } as const

function hashed(algorithm: Algorithm, secret: 'none' | 'before' | 'after'): Sum {
  const { name, size } = algorithms[algorithm]
  const keyed = secret !== 'none'
  return {
    code: keyed ? 'algorithm.concatenated' : 'algorithm.plain',
    cost: 3,
    words: `the plain ${name}${keyed ? ` with the secret ${secret}` : ', without a secret,'}`,
    size,
    keyed,
    begin: hashOf(algorithm, secret),
  }
}

/** HMAC hashes a key that is longer than its block (RFC 2104, 2), so the body need not be kept in memory. */
const block = 64
const swapped: Sum = {
  code: 'secret.swapped',
  cost: 3,
  words: 'the HMAC-SHA256 of the secret with the message as its key:',
  size: algorithms.sha256.size,
  keyed: true,
  begin: (secret) => {
    const hash = createHash('sha256')
    let head = Buffer.alloc(0)
    let length = 0
    return {
      update: (bytes) => {
        if (length < block) head = Buffer.concat([head, bytes.subarray(0, block - length)])
        length += bytes.byteLength
        hash.update(bytes)
      },
      digest: () =>
        createHmac('sha256', length > block ? hash.digest() : head)
          .update(secret)
          .digest(),
    }
  },
}

export const otherSums: readonly Sum[] = [
  ...(['sha1', 'sha512', 'sha384', 'md5'] as const).map((algorithm): Sum => ({
    code: `algorithm.${algorithm}`,
    cost: hmacCosts[algorithm],
    words: `the HMAC-${algorithms[algorithm].name}`,
    size: algorithms[algorithm].size,
    keyed: true,
    begin: hmacOf(algorithm),
  })),
  ...names.map((algorithm) => hashed(algorithm, 'none')),
  ...names.flatMap((algorithm) => [hashed(algorithm, 'before'), hashed(algorithm, 'after')]),
  swapped,
]

/** Hashing this many bytes takes a few milliseconds. */
const chunkBytes = 512 * 1024

/** Signs with all keys in one pass over the message, whose pieces are valid until the next one is requested. Null if the budget was used up first. */
export async function computeAll(
  sum: Sum,
  keys: readonly Uint8Array[],
  pieces: Iterable<Uint8Array>,
  budget: TimeBudget,
): Promise<Buffer[] | null> {
  const hashes = keys.map((key) => sum.begin(key))
  for (const piece of pieces) {
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
  bytes: Uint8Array,
  budget: TimeBudget,
): Promise<Buffer | null> {
  return (await computeAll(sum, [key], [bytes], budget))?.[0] ?? null
}
