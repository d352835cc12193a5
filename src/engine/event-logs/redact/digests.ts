import { hash } from 'node:crypto'
import type { Edit } from './edits.ts'

/**
 * Headers that tell of the bytes of a message's body: digests (RFC 1864, RFC 3230, RFC 9530), validators that are mostly digests (RFC 9110,
 * 8.8.3), checksums, and lengths. Of a body from which something was taken each of them is a test for what it was.
 */
const bodyHeader =
  /^(?:content-range|if-(?:match|none-match|range))$|(?:^|-)(?:digest|checksum|hash|etag|md5|sha-?[0-9]{1,3}|crc-?[0-9]{0,3}c?|length|size|bytes)(?:-|$)/

/** `name` in lower case. */
export function isBodyDigestHeader(name: string): boolean {
  return bodyHeader.test(name)
}

/** By their length in bytes. */
const algorithms: ReadonlyMap<number, string> = new Map([
  [16, 'md5'],
  [20, 'sha1'],
  [28, 'sha224'],
  [32, 'sha256'],
  [48, 'sha384'],
  [64, 'sha512'],
])
const base64Lengths = new Set([...algorithms.keys()].map((bytes) => Math.ceil((bytes * 4) / 3)))

/** Runs that are remembered: beyond this each is looked at again. */
const mostRuns = 1000
/** Values that are remembered. */
const mostValues = 1000

// Written so, a run of any length needs no deep stack.
const hexRun = /[0-9a-fA-F]{32}[0-9a-fA-F]*/g
/** Bytes in hex with a mark between two, as fingerprints are written: as many as the shortest digest has, or more. */
const spelledRun =
  /(?<![0-9a-fA-F])[0-9a-fA-F]{2}(?:([: -])[0-9a-fA-F]{2})(?:\1[0-9a-fA-F]{2}){14,62}(?![0-9a-fA-F])/g
const base64Run = /[A-Za-z0-9+/_-]{22}[A-Za-z0-9+/_-]*/g

/**
 * Digests of what was taken out of a delivery, wherever they stand in it: whoever has one can try values until the digest is the same.
 * Values come to light in any order, so what may be a digest is remembered, and compared once all of them are known.
 */
export class Digests {
  #bodies: Uint8Array[] = []
  #values = new Set<string>()
  /** What may be a digest and was left, as hex. */
  #left = new Set<string>()
  #overflown = false
  #known = new Set<string>()

  /** A body from which something was taken. It is held until `begin`. */
  addBody(body: Uint8Array): void {
    this.#bodies.push(body)
  }

  addValue(value: string): void {
    if (this.#values.size < mostValues) this.#values.add(value)
  }

  /** Another delivery. */
  begin(): void {
    if (this.#bodies.length > 0) this.#bodies = []
    if (this.#values.size > 0) this.#values = new Set()
    if (this.#left.size > 0) this.#left = new Set()
    if (this.#known.size > 0) this.#known = new Set()
    this.#overflown = false
  }

  /** True: something that was left is the digest of something that was taken, and `find` knows it from now on. */
  resolve(): boolean {
    if (this.#left.size === 0 && !this.#overflown) return false
    const sizes = new Set([...this.#left].map((run) => run.length / 2))
    const data = [...this.#bodies, ...[...this.#values].flatMap(writings)]
    for (const [size, algorithm] of algorithms) {
      if (!sizes.has(size) && !this.#overflown) continue
      for (const one of data) this.#known.add(hash(algorithm, one, 'hex'))
    }
    return this.#overflown || [...this.#left].some((run) => this.#known.has(run))
  }

  /** Digests in a text that are known to be such; null: there is nothing in it that may be one. */
  find(text: string): Pick<Edit, 'from' | 'to'>[] | null {
    let any = false
    const found: Pick<Edit, 'from' | 'to'>[] = []
    const look = (from: number, run: string, coding: 'hex' | 'base64'): void => {
      const hex =
        coding === 'hex'
          ? run.replaceAll(/[: -]/g, '').toLowerCase()
          : Buffer.from(run, 'base64').toString('hex')
      any = true
      if (this.#known.has(hex)) found.push({ from, to: from + run.length })
      else if (this.#left.size < mostRuns) this.#left.add(hex)
      else this.#overflown = true
    }
    for (const match of text.matchAll(base64Run)) {
      const [run] = match
      for (const { index, piece } of pieces(run)) {
        if (base64Lengths.has(piece.length)) look(match.index + index, piece, 'base64')
      }
      for (const { index, 0: hex } of run.matchAll(hexRun)) {
        if (algorithms.has(hex.length / 2)) look(match.index + index, hex, 'hex')
      }
    }
    for (const { index, 0: spelled } of text.matchAll(spelledRun)) look(index, spelled, 'hex')
    return any ? found.toSorted((one, other) => one.from - other.from) : null
  }
}

/** What may be Base64 in a run: one alphabet has a slash and a plus sign, the other one a hyphen and an underscore. */
function pieces(run: string): { index: number; piece: string }[] {
  if (!/[+/]/.test(run) || !/[_-]/.test(run)) return [{ index: 0, piece: run }]
  return [/[^+/]+/g, /[^_-]+/g].flatMap((part) =>
    [...run.matchAll(part)].map((match) => ({ index: match.index, piece: match[0] })),
  )
}

/** A value as people write it before they hash it. */
function writings(value: string): string[] {
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
