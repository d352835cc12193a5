import { prepare, type Db } from '../driver.ts'
import type { SendWrites } from '../send-writes.ts'
import type { JobRequest } from '../../send/messages.ts'
import { createWaiting } from './job-items.ts'
import { countJob } from './read-jobs.ts'

type JobWrites = Pick<
  SendWrites,
  'createJob' | 'claim' | 'unclaim' | 'settleUncertain' | 'setJobState'
>

export interface JobLimits {
  /** Jobs that are over; those that are not are kept, however many. */
  readonly jobs: number
  /** Their items together. */
  readonly items: number
}

export const jobLimits: JobLimits = { jobs: 100, items: 1_000_000 }

/** What is stored of a wish as one text: all of it but the body. */
export type StoredJobRequest = Omit<JobRequest, 'edits'> & {
  headers: JobRequest['edits']['headers']
}

/** The writes of jobs. All that a crash must not undo is on the disk when it answers. */
export function createJobWrites(
  db: Db,
  durably: <T>(work: () => T) => T,
  limits = jobLimits,
): JobWrites {
  const insertJob = prepare<[number, number, string, Uint8Array | null]>(
    db,
    "INSERT INTO send_job (created_ms, state, total, wish, body) VALUES (?, 'running', ?, ?, ?)",
  )
  const insertItems = prepare<[number, string]>(
    db,
    `INSERT INTO send_job_item (job_id, position, delivery_id, state)
     SELECT ?, key, value, 'waiting' FROM json_each(?)`,
  )
  const waiting = createWaiting(db)
  const goneOf = prepare<[string], { id: number }>(
    db,
    'SELECT value AS id FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM delivery WHERE id = value)',
  )
  const claimUpTo = prepare<[number, number]>(
    db,
    'UPDATE send_job SET claimed_to = max(claimed_to, ?) WHERE id = ?',
  )
  const setItem = prepare<[string, string | null, number, number]>(
    db,
    'UPDATE send_job_item SET state = ?, error = ? WHERE job_id = ? AND position = ?',
  )
  const release = prepare<[number, number, number]>(
    db,
    `UPDATE send_job_item SET state = 'returned' WHERE job_id = ? AND position = ? AND state = 'waiting'
       AND position <= (SELECT claimed_to FROM send_job WHERE id = ?)`,
  )
  const settle = prepare<[string, string | null, number]>(
    db,
    `UPDATE send_job_item INDEXED BY send_job_item_by_state SET state = ?, error = ?
     WHERE job_id = ? AND state = 'uncertain'`,
  )
  const setState = prepare<[string, string | null, number | null, string | null, number]>(
    db,
    'UPDATE send_job SET state = ?, reason = ?, ended_ms = ?, summary = ? WHERE id = ?',
  )

  const createJob = db.transaction((input: Parameters<SendWrites['createJob']>[0]): number => {
    const { wish, ids, createdAt } = input
    const { edits, ...rest } = wish
    const stored: StoredJobRequest = { ...rest, headers: edits.headers }
    const { lastInsertRowid } = insertJob.run(
      createdAt,
      ids.length,
      JSON.stringify(stored),
      edits.body,
    )
    const id = Number(lastInsertRowid)
    insertItems.run(id, JSON.stringify(ids))
    makeRoom(db, limits)
    return id
  })

  const claim = db.transaction(
    ({ jobId, count }: Parameters<SendWrites['claim']>[0]): ReturnType<SendWrites['claim']> => {
      const claimed: { position: number; deliveryId: number }[] = []
      let gone = 0
      let after = -1
      while (claimed.length < count) {
        const rows = waiting(jobId, after, count - claimed.length)
        const ids = JSON.stringify(rows.map(({ deliveryId }) => deliveryId))
        const lost = new Set(goneOf.all(ids).map(({ id }) => id))
        for (const { position, deliveryId, returned } of rows) {
          after = position
          if (!lost.has(deliveryId)) {
            if (returned) setItem.run('waiting', null, jobId, position)
            claimed.push({ position, deliveryId })
          } else {
            setItem.run('skipped', 'Its delivery is gone.', jobId, position)
            gone += 1
          }
        }
        if (rows.length === 0) break
      }
      claimUpTo.run(after, jobId)
      return { claimed, gone }
    },
  )

  const unclaim = db.transaction(({ jobId, positions }: Parameters<SendWrites['unclaim']>[0]) => {
    for (const position of positions) release.run(jobId, position, jobId)
  })

  const setJobState = db.transaction((input: Parameters<SendWrites['setJobState']>[0]) => {
    const { jobId, state, reason, endedAt } = input
    const over = state === 'done' || state === 'cancelled'
    const summary = over ? JSON.stringify(countJob(db, jobId)) : null
    setState.run(state, reason, endedAt, summary, jobId)
  })

  return {
    createJob: (input) => durably(() => createJob(input)),
    claim: (input) => durably(() => claim(input)),
    // What is lost of it is uncertain after a crash, and so on the safe side.
    unclaim,
    settleUncertain: ({ jobId, as }) => {
      const send = as === 'send'
      durably(() =>
        settle.run(
          send ? 'returned' : 'skipped',
          send ? null : 'Left out: it may have arrived before Tabscope ended.',
          jobId,
        ),
      )
    },
    setJobState: (input) => durably(() => setJobState(input)),
  }
}

/** Of those that are over the oldest go. */
function makeRoom(db: Db, limits: JobLimits): void {
  const over = prepare<[], { id: number; total: number }>(
    db,
    "SELECT id, total FROM send_job WHERE state IN ('done', 'cancelled') ORDER BY id DESC",
  ).all()
  let items = 0
  const remove = prepare<[number]>(db, 'DELETE FROM send_job WHERE id = ?')
  for (const [index, { id, total }] of over.entries()) {
    items += total
    if (index >= limits.jobs || items > limits.items) remove.run(id)
  }
}

/** Its attempts stay. */
export function deleteJob(db: Db, id: number): void {
  prepare<[number]>(db, 'DELETE FROM send_job WHERE id = ?').run(id)
}

/**
 * When the store is opened nothing is under way: what is still claimed may have been sent or not, and jobs that ran wait to be gone on
 * with.
 */
export function interruptJobs(db: Db): void {
  const open = prepare<[], { id: number; over: number }>(
    db,
    // What is over and has nothing under way is not gone through again.
    `SELECT id, state IN ('done', 'cancelled') AS over FROM send_job
     WHERE summary IS NULL OR json_extract(summary, '$.underWay') > 0`,
  )
  const doubt = prepare<[number, number]>(
    db,
    `UPDATE send_job_item SET state = 'uncertain' WHERE job_id = ? AND state = 'waiting'
       AND position <= (SELECT claimed_to FROM send_job WHERE id = ?)`,
  )
  const sumUp = prepare<[string, number]>(db, 'UPDATE send_job SET summary = ? WHERE id = ?')
  db.transaction(() => {
    for (const { id, over } of open.all()) {
      doubt.run(id, id)
      if (over === 1) sumUp.run(JSON.stringify(countJob(db, id)), id)
    }
    db.exec("UPDATE send_job SET state = 'interrupted' WHERE state = 'running'")
  })()
}
