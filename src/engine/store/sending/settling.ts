import { isExpected } from '#contract/broken-signature.ts'
import { prepare, type Db } from '../driver.ts'
import type { AttemptFields, SettledItem } from './attempt-rows.ts'

export interface Settling {
  /** Where the attempt is that of a job's item: how that ended. It was sent, even where the attempt is not kept. */
  byAttempt(attempt: AttemptFields, attemptId: number | null): void
  without(item: SettledItem): void
  /** What was counted of jobs that had ended is not true any more. At the end of the transaction. */
  done(): void
}

/** Writes how items of jobs ended. */
export function createSettling(db: Db): Settling {
  const settle = prepare<[string, number | null, number | null, string | null, number, number]>(
    db,
    'UPDATE send_job_item SET state = ?, attempt_id = ?, status = ?, error = ? WHERE job_id = ? AND position = ?',
  )
  const recount = prepare<[number]>(
    db,
    'UPDATE send_job SET summary = NULL WHERE id = ? AND summary IS NOT NULL',
  )
  const jobs = new Set<number>()
  return {
    byAttempt: (attempt, attemptId) => {
      const { jobId, position, status, error } = attempt
      if (jobId === null || position === null) return
      const state = isExpected(attempt) ? 'ok' : 'failed'
      settle.run(state, attemptId, status, error?.message ?? null, jobId, position)
      jobs.add(jobId)
    },
    without: ({ jobId, position, state, error }) => {
      settle.run(state, null, null, error, jobId, position)
      jobs.add(jobId)
    },
    done: () => {
      for (const id of jobs) recount.run(id)
      jobs.clear()
    },
  }
}
