import { backlogLimits } from '../capture/backlog.ts'

/** Load of the capture thread (0 to 1) above which the writer pauses. */
const highLoad = 0.5
/** A pause is this many times as long as the transaction, while the backlog is small: the writer then uses a tenth of its time. */
const pauseFactor = 9
const maxPauseMs = 150
/** Between the starts of two transactions: at a moderate rate, several deliveries then share one. */
const intervalMs = 5
/** From this share of the backlog's limits, the writer no longer pauses. */
const fullSpeedAt = 0.5
/** From this share, transactions are long: each page of an index is then written once for many deliveries. */
const longFrom = 0.1
/** Other writes wait for one transaction. */
const shortMs = 10
const longMs = 50
/** Of the journal, for a transaction: that of one read at least; the most bounds memory. */
export const batchBytes = { min: 256 * 1024, max: 4 * 1024 * 1024 } as const

const checkpointEvery = { deliveries: 20, ms: 20 } as const

/** From 0 to 1 or more. `ageMs`: of the oldest delivery. */
export function backlogShare(bytes: number, ageMs: number): number {
  return Math.max(bytes / backlogLimits.bytes, ageMs / backlogLimits.ms)
}

/** The capture thread has time left, so that the writer need not pause. `captureLoad`: from 0 to 1. */
function isModerate(captureLoad: number): boolean {
  return captureLoad <= highLoad
}

/** In milliseconds. The writer's share of the time grows with the backlog. */
export function pauseAfter(workMs: number, captureLoad: number, backlog: number): number {
  if (isModerate(captureLoad)) return 0
  const share = Math.max(0, 1 - backlog / fullSpeedAt)
  return Math.min(workMs * pauseFactor * share, maxPauseMs)
}

/**
 * Before SQLite copies the WAL itself, after 4 MB: that would delay more than one in a hundred responses by several milliseconds. At a high load it
 * costs less to copy much at once. `deliveries` and `sinceMs` count from the last checkpoint.
 */
export function isCheckpointDue(deliveries: number, sinceMs: number, captureLoad: number): boolean {
  const isDue = deliveries >= checkpointEvery.deliveries && sinceMs >= checkpointEvery.ms
  return isDue && isModerate(captureLoad)
}

/** The least wait after a transaction with deliveries, in milliseconds. */
export function intervalAfter(workMs: number): number {
  return Math.max(0, intervalMs - workMs)
}

/** In bytes, after a transaction of `bytes` took `ms`. */
export function nextBatch(current: number, bytes: number, ms: number, backlog: number): number {
  // A small one says nothing about the duration of a full one.
  if (bytes < current / 2) return current
  const wanted = (backlog < longFrom ? shortMs : longMs) / Math.max(ms, 1)
  // At most doubled, since a single one may have been fast by chance.
  const next = current * Math.min(wanted, 2)
  return Math.round(Math.min(Math.max(next, batchBytes.min), batchBytes.max))
}
