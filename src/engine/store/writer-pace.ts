import { backlogLimits } from '../capture/backlog.ts'

/** Load of the capture thread (0 to 1) above which the writer pauses. */
const highLoad = 0.5
/** Pause after a transaction, as a multiple of its duration, while the backlog is small: the writer then uses a tenth of its time. */
const pauseFactor = 9
/** Maximum pause, in milliseconds. */
const maxPauseMs = 150
/** Minimum interval between the starts of two transactions, in milliseconds: at a moderate rate, several deliveries then share one. */
const intervalMs = 5
/** Share of the backlog's limits from which the writer no longer pauses. */
const fullSpeedAt = 0.5
/** Share from which transactions are long: each page of an index is then written once for many deliveries. */
const longFrom = 0.1
/** Duration of a transaction, in milliseconds. Other writes wait for one of them. */
const shortMs = 10
const longMs = 50
/** Size of a transaction in the journal, in bytes: that of one read at least; the most bounds memory. */
export const batchBytes = { min: 256 * 1024, max: 4 * 1024 * 1024 } as const

/** A checkpoint is due after this many deliveries, and this many milliseconds after the one before. */
const checkpointEvery = { deliveries: 20, ms: 20 } as const

/** How full the backlog is, from 0 to 1 or more: of its bytes, or of the age of its oldest delivery in milliseconds. */
export function backlogShare(bytes: number, ageMs: number): number {
  return Math.max(bytes / backlogLimits.bytes, ageMs / backlogLimits.ms)
}

/** Whether the capture thread has time left, so that the writer need not pause. `captureLoad`: from 0 to 1. */
function isModerate(captureLoad: number): boolean {
  return captureLoad <= highLoad
}

/** How long the writer pauses after `workMs` of work, in milliseconds. Its share of the time grows with the backlog. */
export function pauseAfter(workMs: number, captureLoad: number, backlog: number): number {
  if (isModerate(captureLoad)) return 0
  const share = Math.max(0, 1 - backlog / fullSpeedAt)
  return Math.min(workMs * pauseFactor * share, maxPauseMs)
}

/**
 * Whether to copy the WAL into the database before SQLite does so itself, after 4 MB. That would delay the capture thread by several milliseconds, in
 * which more than one in a hundred deliveries arrive. At a high load it costs less to copy much at once.
 *
 * @param deliveries stored since the last checkpoint
 * @param sinceMs time since the last checkpoint
 */
export function isCheckpointDue(deliveries: number, sinceMs: number, captureLoad: number): boolean {
  const isDue = deliveries >= checkpointEvery.deliveries && sinceMs >= checkpointEvery.ms
  return isDue && isModerate(captureLoad)
}

/** How long the writer waits at least after a transaction with deliveries, in milliseconds. `workMs`: its duration. */
export function intervalAfter(workMs: number): number {
  return Math.max(0, intervalMs - workMs)
}

/** The size of the next transaction in bytes, after one of `bytes` took `ms`. */
export function nextBatch(current: number, bytes: number, ms: number, backlog: number): number {
  // A small one says nothing about the duration of a full one.
  if (bytes < current / 2) return current
  const wanted = (backlog < longFrom ? shortMs : longMs) / Math.max(ms, 1)
  // At most doubled, since a single one may have been fast by chance.
  const next = current * Math.min(wanted, 2)
  return Math.round(Math.min(Math.max(next, batchBytes.min), batchBytes.max))
}
