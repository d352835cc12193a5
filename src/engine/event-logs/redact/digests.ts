import { hash } from 'node:crypto'
import type { Edit } from './edits.ts'

/**
 * Digests (RFC 1864, RFC 3230, RFC 9530), validators, which are mostly digests (RFC 9110, 8.8.3), checksums and lengths: each would allow others to
 * test guesses of a redacted value.
 */
const bodyHeader =
  /^(?:content-range|if-(?:match|none-match|range))$|(?:^|-)(?:digest|checksum|hash|etag|md5|sha-?[0-9]{1,3}|crc-?[0-9]{0,3}c?|length|size|bytes)(?:-|$)/

/** `name` must be in lower case. */
export function isBodyDigestHeader(name: string): boolean {
  return bodyHeader.test(name)
}

/** By digest length in bytes. */
const algorithms: ReadonlyMap<number, string> = new Map([
  [16, 'md5'],
  [20, 'sha1'],
  [28, 'sha224'],
  [32, 'sha256'],
  [48, 'sha384'],
  [64, 'sha512'],
])
const base64Lengths = new Set([...algorithms.keys()].map((bytes) => Math.ceil((bytes * 4) / 3)))

/** By length modulo 4. Encoders set the unused bits to zero (RFC 4648, 3.5); in most names of such a length, as `x-service-event-target-uuid`, they are not. */
const base64Ends: readonly string[] = ['', '', 'AQgw', 'AEIMQUYcgkosw048']

/** Without padding. */
function mayBeBase64(text: string): boolean {
  const rest = text.length % 4
  if (!base64Lengths.has(text.length)) return false
  return rest === 0 || (base64Ends[rest]?.includes(text.charAt(text.length - 1)) ?? false)
}

/** With more candidates, the delivery is always redacted a second time. */
const maxRuns = 1000
const maxValues = 1000

// `x{32}x*` instead of `x{32,}`, so that long runs do not need a deep stack.
const hexRun = /[0-9a-fA-F]{32}[0-9a-fA-F]*/g
/** As in fingerprints: at least as many bytes as the shortest digest has. */
const spelledRun =
  /(?<![0-9a-fA-F])[0-9a-fA-F]{2}(?:([: -])[0-9a-fA-F]{2})(?:\1[0-9a-fA-F]{2}){14,62}(?![0-9a-fA-F])/g
const base64Run = /[A-Za-z0-9+/_-]{22}[A-Za-z0-9+/_-]*/g

/** With a digest, others could test guesses of the value. Values are found in any order, so candidates are compared once all values are known. */
export class Digests {
  #bodies: Uint8Array[] = []
  #values = new Set<string>()
  /** In hex. */
  #candidates = new Set<string>()
  #overflowed = false
  #knownDigests = new Set<string>()

  /** It is stored until the next `startDelivery`. */
  addBody(body: Uint8Array): void {
    this.#bodies.push(body)
  }

  addValue(value: string): void {
    if (this.#values.size < maxValues) this.#values.add(value)
  }

  startDelivery(): void {
    if (this.#bodies.length > 0) this.#bodies = []
    if (this.#values.size > 0) this.#values = new Set()
    if (this.#candidates.size > 0) this.#candidates = new Set()
    if (this.#knownDigests.size > 0) this.#knownDigests = new Set()
    this.#overflowed = false
  }

  /** True if a candidate is the digest of a redacted value. From then on, `find` returns it. */
  resolve(): boolean {
    if (this.#candidates.size === 0 && !this.#overflowed) return false
    const sizes = new Set([...this.#candidates].map((run) => run.length / 2))
    const data = [...this.#bodies, ...[...this.#values].flatMap(spellings)]
    for (const [size, algorithm] of algorithms) {
      if (!sizes.has(size) && !this.#overflowed) continue
      for (const value of data) this.#knownDigests.add(hash(algorithm, value, 'hex'))
    }
    return this.#overflowed || [...this.#candidates].some((run) => this.#knownDigests.has(run))
  }

  /** Null: the text contains no possible digest at all. */
  find(text: string): Pick<Edit, 'from' | 'to'>[] | null {
    let hasCandidate = false
    const found: Pick<Edit, 'from' | 'to'>[] = []
    const check = (from: number, run: string, coding: 'hex' | 'base64'): void => {
      const hex =
        coding === 'hex'
          ? run.replaceAll(/[: -]/g, '').toLowerCase()
          : Buffer.from(run, 'base64').toString('hex')
      hasCandidate = true
      if (this.#knownDigests.has(hex)) found.push({ from, to: from + run.length })
      else if (this.#candidates.size < maxRuns) this.#candidates.add(hex)
      else this.#overflowed = true
    }
    for (const match of text.matchAll(base64Run)) {
      const [run] = match
      for (const { index, piece } of base64Pieces(run)) {
        if (mayBeBase64(piece)) check(match.index + index, piece, 'base64')
      }
      for (const { index, 0: hex } of run.matchAll(hexRun)) {
        if (algorithms.has(hex.length / 2)) check(match.index + index, hex, 'hex')
      }
    }
    for (const { index, 0: spelled } of text.matchAll(spelledRun)) check(index, spelled, 'hex')
    return hasCandidate ? found.toSorted((a, b) => a.from - b.from) : null
  }
}

/** One alphabet has slash and plus sign, the other one hyphen and underscore. */
function base64Pieces(run: string): { index: number; piece: string }[] {
  if (!/[+/]/.test(run) || !/[_-]/.test(run)) return [{ index: 0, piece: run }]
  return [/[^+/]+/g, /[^_-]+/g].flatMap((part) =>
    [...run.matchAll(part)].map((match) => ({ index: match.index, piece: match[0] })),
  )
}

/** The forms in which a value may have been hashed. */
function spellings(value: string): string[] {
  const trimmed = value.trim()
  const digits = trimmed.replaceAll(/\D/g, '')
  return [
    ...new Set([
      value,
      trimmed,
      trimmed.toLowerCase(),
      trimmed.toUpperCase(),
      ...(digits.length >= 4 ? [digits, `+${digits}`] : []),
    ]),
  ]
}
