import { isAccepted } from '#catalogue/outcome.ts'
import { verdicts } from '#contract/constants.ts'

/** Buckets of durations grow by a quarter, so that a percentile is exact to about 12 %. */
const bucketsPerDoubling = 3
/** Longer than any time. */
const maxBucket = 200

/** 0: less than a millisecond. */
export function bucketOf(ms: number): number {
  return ms < 1 ? 0 : 1 + Math.floor(bucketsPerDoubling * Math.log2(ms))
}

/** Milliseconds in the middle of a bucket. */
function middleOf(bucket: number): number {
  return bucket === 0 ? 0 : 2 ** ((bucket - 0.5) / bucketsPerDoubling)
}

/** Counts by bucket. */
export type Histogram = Map<number, number>

/** In milliseconds. Null: it is empty. `share`: from 0 to 1. */
export function percentileOf(histogram: Histogram, share: number): number | null {
  const total = [...histogram.values()].reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let left = Math.max(1, Math.ceil(total * share))
  for (const bucket of [...histogram.keys()].sort((a, b) => a - b)) {
    left -= histogram.get(bucket) ?? 0
    if (left <= 0) return middleOf(bucket)
  }
  return null
}

/**
 * Names of metrics. Beside these: verdicts other than `valid`; `cause:CODE`, `finding:CODE`; `delay:BUCKET`, `response:BUCKET`; `handler:OUTCOME` of
 * forwards and `manual:OUTCOME` of what was sent manually.
 */
export const metric = {
  tunnel: 'tunnel',
  relay: 'relay',
  duplicate: 'duplicate',
  throttled: 'throttled',
  /** Minutes in which the location got a delivery, and in which the endpoint did, counted with the first of the minute. */
  active: 'active',
  activeEndpoint: 'active_endpoint',
  /** Of series 0, in minutes. `closed`: for any reason; `down`: although it was wanted. */
  up: 'up',
  tunnelClosed: 'tunnel_closed',
  tunnelDown: 'tunnel_down',
  relayDown: 'relay_down',
} as const

const outcomes = ['ok', 'rejected', 'none'] as const

/** One of Tabscope, without those of causes and findings. */
export function isMetric(name: string): boolean {
  const at = name.indexOf(':')
  if (at < 0) return [...Object.values(metric), ...verdicts].some((known) => known === name)
  const [kind, which] = [name.slice(0, at), name.slice(at + 1)]
  if (kind === 'delay' || kind === 'response') return Number(which) < maxBucket
  return (kind === 'handler' || kind === 'manual') && outcomes.some((known) => known === which)
}

export type HandlerOutcome = (typeof outcomes)[number]

/** `status` null: there was no complete response. */
export function handlerOutcome(status: number | null): HandlerOutcome {
  if (status === null) return 'none'
  return isAccepted(status) ? 'ok' : 'rejected'
}
