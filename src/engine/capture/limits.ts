/** What the listener bears. Bytes and milliseconds. */
export interface CaptureLimits {
  /** Largest body kept whole. */
  readonly bodyBytes: number
  /** Of a larger body, this much is kept. */
  readonly keptBytes: number
  /** Memory held at once by all requests that are not on the disk yet; over it the one that holds most is refused with 503. */
  readonly heldBytes: number
  readonly headBytes: number
  /** Bytes of heads and trailers that are not whole, over all connections: parsed they take some ten times as much. */
  readonly unfinishedHeadBytes: number
  /** From the connection, or the end of the last request, to the end of the head. */
  readonly headMs: number
  /** From the beginning of the head to the end of the body. */
  readonly bodyMs: number
  /** For this long a body may come as slowly as it likes. */
  readonly rateGraceMs: number
  /** After that, so many bytes a second are required, on average. */
  readonly bytesPerSecond: number
  /** How long a connection may stay open without a request. */
  readonly idleMs: number
  readonly connections: number
}

const KiB = 1024
const MiB = 1024 * KiB

export const defaultLimits: CaptureLimits = {
  bodyBytes: 25 * MiB,
  keptBytes: 64 * KiB,
  heldBytes: 512 * MiB,
  headBytes: 64 * KiB,
  unfinishedHeadBytes: 8 * MiB,
  headMs: 15_000,
  bodyMs: 60_000,
  rateGraceMs: 10_000,
  bytesPerSecond: 256,
  idleMs: 120_000,
  connections: 4096,
}
