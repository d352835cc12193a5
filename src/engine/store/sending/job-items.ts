import { itemStates, JobItem } from '#contract/sending.ts'
import { prepare, type Db } from '../driver.ts'

/** The state of an item as it is told: where it is stored as `waiting` the position up to which its job is claimed says the rest. */
export const shownState = `CASE state WHEN 'returned' THEN 'waiting'
  WHEN 'waiting' THEN iif(position > (SELECT claimed_to FROM send_job WHERE id = job_id), 'waiting', 'claimed')
  ELSE state END`

export interface Waiting {
  readonly position: number
  readonly deliveryId: number
  /** It was claimed once, and given back. */
  readonly returned: boolean
}

/** Reads the items of a job that wait, behind a position, in order. */
export function createWaiting(
  db: Db,
): (jobId: number, after: number, limit: number) => readonly Waiting[] {
  type Row = Omit<Waiting, 'returned'>
  const returned = prepare<[number, number, number], Row>(
    db,
    `SELECT position, delivery_id AS deliveryId FROM send_job_item INDEXED BY send_job_item_by_state
     WHERE job_id = ? AND state = 'returned' AND position > ? ORDER BY position LIMIT ?`,
  )
  const fresh = prepare<[number, number, number, number], Row>(
    db,
    `SELECT position, delivery_id AS deliveryId FROM send_job_item
     WHERE job_id = ? AND state = 'waiting'
       AND position > max(?, (SELECT claimed_to FROM send_job WHERE id = ?))
     ORDER BY position LIMIT ?`,
  )
  // What was given back had been claimed, and so comes before all that never was.
  return (jobId, after, limit) => {
    const back = returned.all(jobId, after, limit).map((row) => ({ ...row, returned: true }))
    if (back.length >= limit) return back
    const rest = fresh.all(jobId, after, jobId, limit - back.length)
    return [...back, ...rest.map((row) => ({ ...row, returned: false }))]
  }
}

export interface JobItemsInput {
  readonly id: number
  /** Empty: all. */
  readonly states: readonly JobItem['state'][]
  readonly after: number
  readonly limit: number
}

interface ItemRow {
  readonly position: number
  readonly delivery_id: number
  readonly title: string | null
  readonly state: string
  readonly attempt_id: number | null
  readonly status: number | null
  readonly error: string | null
}

const ItemState = JobItem.shape.state
const itemColumns = `position, delivery_id, (SELECT title FROM delivery WHERE id = delivery_id) AS title, ${shownState} AS state, attempt_id, status, error`
/** Those of which there are few have an index. */
const rare: readonly JobItem['state'][] = ['uncertain', 'failed', 'skipped']

/** In order, those behind `after`. */
export function readJobItems(db: Db, { id, states, after, limit }: JobItemsInput): JobItem[] {
  const asked = itemStates.filter((state) => states.includes(state))
  const rows =
    asked.length > 0 && asked.every((state) => rare.includes(state))
      ? // Each along its own part of the index: few that failed among many are found at once.
        asked
          .flatMap((state) =>
            prepare<[number, number, number], ItemRow>(
              db,
              `SELECT ${itemColumns} FROM send_job_item INDEXED BY send_job_item_by_state
               WHERE job_id = ? AND state = '${state}' AND position > ? ORDER BY position LIMIT ?`,
            ).all(id, after, limit),
          )
          .toSorted((a, b) => a.position - b.position)
          .slice(0, limit)
      : prepare<[number, number, string, number], ItemRow>(
          db,
          `SELECT ${itemColumns} FROM send_job_item WHERE job_id = ? AND position > ?
             AND ${shownState} IN (SELECT value FROM json_each(?)) ORDER BY position LIMIT ?`,
        ).all(id, after, JSON.stringify(asked.length > 0 ? asked : itemStates), limit)
  return rows.map((row) => ({
    position: row.position,
    deliveryId: row.delivery_id,
    title: row.title,
    state: ItemState.parse(row.state),
    attemptId: row.attempt_id,
    status: row.status,
    error: row.error,
  }))
}
