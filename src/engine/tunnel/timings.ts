import type { Clock } from '../platform/clock.ts'

/** How long the tunnel waits for what, in milliseconds. */
export interface TunnelTimings {
  /** An opening that takes longer is given up. */
  readonly openWithin: number
  /** From the beginning of one self-probe to the next, while nothing else comes through. */
  readonly probeEvery: number
  readonly probeWithin: number
  /** Between the first probes of a tunnel that has just been opened: public names may take a moment. */
  readonly firstProbes: readonly number[]
  /** No further first probe begins later than this after the opening. */
  readonly firstWithin: number
  /** Between probes after one that failed; when the one after the last of them fails, the tunnel is opened anew. */
  readonly moreProbes: readonly number[]
  /** Between probes of a tunnel that is slow, or about which something was said while it was probed. */
  readonly slowProbes: number
  /** So long may a tunnel fail its probes while deliveries come through: then it is opened anew after all. */
  readonly slowFor: number
  /** After so long online it counts as one that holds: the next back-off begins anew. */
  readonly holdsAfter: number
  /** A provider that has not let go after this long is said, and still waited for. */
  readonly letGoWithin: number
}

/**
 * A tunnel that dies without a sign right after a probe has to be shown within 15 s: the next probe begins 8 s after that one began, and has 5 s.
 */
export const defaultTimings: TunnelTimings = {
  openWithin: 15_000,
  probeEvery: 8000,
  probeWithin: 5000,
  firstProbes: [250, 500, 1000, 2000, 4000],
  firstWithin: 15_000,
  moreProbes: [1000, 2000],
  slowProbes: 4000,
  slowFor: 120_000,
  holdsAfter: 30_000,
  letGoWithin: 10_000,
}

/** Waits for what is to end, however long it takes; `stuck` is called when it takes longer than `ms`. */
export async function warnIfSlow<T>(
  ending: Promise<T>,
  clock: Clock,
  ms: number,
  stuck: () => void,
): Promise<T> {
  const callOff = clock.after(ms, stuck)
  try {
    return await ending
  } finally {
    callOff()
  }
}
