/** In milliseconds. */
export interface TunnelTimings {
  readonly openWithin: number
  /** From the start of one self-probe to the next, while no other request is received. */
  readonly probeEvery: number
  readonly probeWithin: number
  /** Between the first probes: a public name may take a moment to resolve. */
  readonly firstProbes: readonly number[]
  /** No further first probe starts later than this after the opening. */
  readonly firstWithin: number
  /** Between probes after one that failed. If all of them fail, the tunnel is reopened. */
  readonly moreProbes: readonly number[]
  readonly slowProbes: number
  /** A tunnel whose probes fail for this long is reopened even if deliveries get through. */
  readonly slowFor: number
  /** A tunnel that was online for this long is stable, and the backoff is reset. */
  readonly stableAfter: number
}

/** A silent death right after a probe has to be reported within 15 s: the next probe starts 8 s after the last one and takes up to 5 s. */
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
}
