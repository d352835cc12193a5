import { createHash, createHmac } from 'node:crypto'
import type { SumCause } from '../cause.ts'
import { digestSizes, hashOf, hmacOf, type Algorithm, type Sum } from '../sum.ts'

const names: Readonly<Record<Algorithm, string>> = {
  md5: 'MD5',
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
}
const all: readonly Algorithm[] = ['sha256', 'sha1', 'sha512', 'md5', 'sha384']

function hmacCause(algorithm: Exclude<Algorithm, 'sha256'>): SumCause {
  const code = `algorithm.${algorithm}` as const
  return {
    code,
    tries: `HMAC-${names[algorithm]} was computed.`,
    sums: [
      {
        codes: [code],
        words: `the HMAC-${names[algorithm]}`,
        size: digestSizes[algorithm],
        keyed: true,
        begin: hmacOf(algorithm),
      },
    ],
  }
}

const plain = (algorithm: Algorithm): Sum => ({
  codes: ['algorithm.plain'],
  words: `the plain ${names[algorithm]}, without a secret,`,
  size: digestSizes[algorithm],
  keyed: false,
  begin: hashOf(algorithm, 'none'),
})

const concatenated = (algorithm: Algorithm, place: 'before' | 'after'): Sum => ({
  codes: ['algorithm.concatenated'],
  words: `the plain ${names[algorithm]} with the secret ${place}`,
  size: digestSizes[algorithm],
  keyed: true,
  begin: hashOf(algorithm, place),
})

/** HMAC hashes a key that is longer than its block (RFC 2104, 2), so the body need not be kept in memory. */
const block = 64
const swapped: Sum = {
  codes: ['secret.swapped'],
  words: 'the HMAC-SHA256 of the secret with the message as its key:',
  size: digestSizes.sha256,
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

export const algorithmCauses: readonly SumCause[] = [
  hmacCause('sha1'),
  hmacCause('sha512'),
  hmacCause('sha384'),
  hmacCause('md5'),
  {
    code: 'algorithm.plain',
    tries: 'The body’s SHA-256, SHA-1, SHA-512, SHA-384 and MD5 were computed.',
    sums: all.map(plain),
  },
  {
    code: 'algorithm.concatenated',
    tries: 'Plain hashes were computed with the secret before the body and after it.',
    sums: all.flatMap((algorithm) => [
      concatenated(algorithm, 'before'),
      concatenated(algorithm, 'after'),
    ]),
  },
  {
    code: 'secret.swapped',
    tries: 'The body was used as the key, and the secret as the message.',
    sums: [swapped],
  },
]
