import type { AttemptSummary, Job } from '#contract/sending.ts'
import type { AttemptGroup, PackedGroup, PackedRows } from './packed-group.ts'
import type { JobRequest } from '../messages.ts'

/** A stretch of deliveries that were not forwarded: those of the endpoint and the types from one id to another. */
export interface Skip {
  readonly forwardId: number
  readonly url: string
  /** Of this endpoint, and of these types (empty: all), as the forward target was then. */
  readonly endpointId: number
  readonly types: readonly string[]
  readonly fromId: number
  readonly toId: number
  readonly count: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly reason: string
}

/** What the sender thread has written, over a port of its own to the writer thread. Every call is one transaction. */
export type SendWrites = {
  /**
   * In order; those of a delivery that is not stored yet must wait until it is. Of one that is gone meanwhile the attempt is left out, and
   * its place in the answer is null. Not waited for by the disk. Where attempts take too much room the oldest go, in small steps, before it
   * answers.
   */
  record: (input: AttemptGroup) => Promise<(AttemptSummary | null)[]>
  /** The same, as it goes from thread to thread. */
  recordPacked: (input: PackedGroup) => Promise<PackedRows>
  /** On the disk when it answers, with all of its items waiting. */
  createJob: (input: { wish: JobRequest; ids: readonly number[]; createdAt: number }) => number
  /**
   * The next `count` items that wait are about to be sent: on the disk when it answers, so that after a crash nobody sends them unasked.
   * Those whose delivery is gone are skipped instead, and counted in `gone`. Fewer than `count`: then none waits any more.
   */
  claim: (input: { jobId: number; count: number }) => {
    claimed: { position: number; deliveryId: number }[]
    gone: number
  }
  /** Claimed items that were not begun wait again. */
  unclaim: (input: { jobId: number; positions: readonly number[] }) => void
  /** What is `uncertain` is skipped, or waits again. */
  settleUncertain: (input: { jobId: number; as: 'skip' | 'send' }) => void
  setJobState: (input: {
    jobId: number
    state: Job['state']
    reason: string | null
    endedAt: number | null
  }) => void
  recordSkips: (skips: readonly Skip[]) => void
  /** The number of the next send of a draft; counts up. 1 where there is no such draft. */
  takeCounter: (draftId: number) => number
}
