import { AppError } from '../../platform/errors.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'
import { createRecord } from './attempts.ts'
import { createJobWrites } from './jobs.ts'
import { createRecordSkips } from './skips.ts'
import type { AttemptSummary, Job } from '#contract/sending.ts'
import {
  packRows,
  unpackGroup,
  type AttemptGroup,
  type PackedGroup,
  type PackedRows,
} from './packed-group.ts'
import type { JobRequest } from '../messages.ts'

/** A range of deliveries that were not forwarded: those of the endpoint and the types between two ids. */
export interface Skip {
  readonly forwardId: number
  readonly url: string
  /** The endpoint and types (empty: all) of the forward target at that time. */
  readonly endpointId: number
  readonly types: readonly string[]
  readonly fromId: number
  readonly toId: number
  readonly count: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly reason: string
}

/** The writes of the sender thread, which it sends to the writer thread over its own port. Every call is one transaction. */
export type SendWrites = {
  /**
   * Stores attempts in order. Their deliveries must be stored already. The result is null for an attempt whose delivery was deleted. Does not wait
   * for the disk. If attempts exceed their limits, deletes the oldest in small steps before it resolves.
   */
  record: (input: AttemptGroup) => Promise<(AttemptSummary | null)[]>
  /** Like `record`, packed for the transfer between threads. */
  recordPacked: (input: PackedGroup) => Promise<PackedRows>
  /** Creates a job with all of its items waiting. Durable when it returns. */
  createJob: (input: { request: JobRequest; ids: readonly number[]; createdAt: number }) => number
  /**
   * Marks the next `count` waiting items as about to be sent. Durable when it returns, so that they are not sent again unasked after a crash.
   * Items whose delivery was deleted are skipped and counted in `gone`. Fewer than `count` items mean that none are waiting any more.
   */
  claim: (input: { jobId: number; count: number }) => {
    claimed: { position: number; deliveryId: number }[]
    gone: number
  }
  /** Returns claimed items that were not started to the waiting ones. */
  unclaim: (input: { jobId: number; positions: readonly number[] }) => void
  /** Skips `uncertain` items, or returns them to the waiting ones. */
  settleUncertain: (input: { jobId: number; as: 'skip' | 'send' }) => void
  setJobState: (input: {
    jobId: number
    state: Job['state']
    reason: string | null
    endedAt: number | null
  }) => void
  recordSkips: (skips: readonly Skip[]) => void
  /** Returns the counter of a draft and increments it. 1 if there is no such draft. */
  takeCounter: (draftId: number) => number
}

/**
 * Implements the writes of the sender thread in the writer thread. `durably` makes a commit wait for the disk. `changed` is called with deliveries
 * whose last attempt has changed.
 */
export function createSendWrites(
  db: Db,
  durably: <T>(work: () => T) => T,
  changed: (ids: readonly number[]) => void = () => undefined,
): SendWrites {
  const takeCounter = prepare<[number], { counter: number }>(
    db,
    'UPDATE draft SET counter = counter + 1 WHERE id = ? RETURNING counter - 1 AS counter',
  )
  const record = createRecord(db, changed)
  return {
    record,
    recordPacked: async (group) => packRows(await record(unpackGroup(group))),
    ...createJobWrites(db, durably),
    recordSkips: createRecordSkips(db),
    takeCounter: (draftId) => durably(() => takeCounter.get(draftId)?.counter ?? 1),
  }
}

/** Messages of SQLite for a disk that is full or broken, or a store that is locked. Compared with the first line of an error of the writer thread. */
const temporaryErrors = [
  'database or disk is full',
  'disk I/O error',
  'database is locked',
  'database table is locked',
  'attempt to write a readonly database',
  'unable to open database file',
  'out of memory',
]

/** True if the same write may succeed later, because the store cannot be written at the moment. Other errors are permanent. */
export function isTemporaryStoreError(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'store_failed' && error.retry === 'later'
  if (!(error instanceof Error)) return false
  const [first = ''] = error.message.split('\n')
  return temporaryErrors.some((message) => first.includes(message))
}
