import type { Clock } from '../platform/clock.ts'

/** Timeouts and intervals of the tunnel, in milliseconds. */
export interface TunnelTimings {
  /** Timeout for opening. */
  readonly openWithin: number
  /** From the start of one self-probe to the next, while no other request is received. */
  readonly probeEvery: number
  readonly probeWithin: number
  /** Between the first probes after opening: a public name may take a moment to resolve. */
  readonly firstProbes: readonly number[]
  /** No further first probe starts later than this after the opening. */
  readonly firstWithin: number
  /** Between probes after one that failed. If all of them fail, the tunnel is reopened. */
  readonly moreProbes: readonly number[]
  /** Between probes of a slow tunnel. */
  readonly slowProbes: number
  /** A tunnel whose probes fail for this long is reopened even if deliveries get through. */
  readonly slowFor: number
  /** After this long online a tunnel counts as stable, and the backoff is reset. */
  readonly stableAfter: number
  /** A provider that takes longer to close is reported, and still waited for. */
  readonly closeWithin: number
}

/**
 * A tunnel that dies silently right after a probe has to be reported within 15 s: the next probe starts 8 s after the last one and takes up to 5 s.
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
  stableAfter: 30_000,
  closeWithin: 10_000,
}

/** Waits for a promise without a timeout. Calls `stuck` if it takes longer than `ms` milliseconds. */
export async function warnIfSlow<T>(
  promise: Promise<T>,
  clock: Clock,
  ms: number,
  stuck: () => void,
): Promise<T> {
  const cancelTimer = clock.after(ms, stuck)
  try {
    return await promise
  } finally {
    cancelTimer()
  }
}
