import { z } from 'zod'
import { Edits, type itemStates, Job, JobPace, SignChoice } from '#contract/sending.ts'
import { Header } from '#contract/models.ts'
import type { JobRequest } from '../../send/messages.ts'
import { prepare, type Db } from '../driver.ts'
import { shownState } from './job-items.ts'

/** So many kinds of outcomes are told. */
const toldOutcomes = 20

const Counted = Job.pick({
  waiting: true,
  underWay: true,
  ok: true,
  failed: true,
  skipped: true,
  uncertain: true,
  outcomes: true,
})
type Counted = z.infer<typeof Counted>

/** How the items of a job stand, counted. */
export function countJob(db: Db, id: number): Counted {
  const states = prepare<[number], { state: string; n: number }>(
    db,
    `SELECT ${shownState} AS state, count(*) AS n FROM send_job_item WHERE job_id = ? GROUP BY 1`,
  ).all(id)
  const of = (state: (typeof itemStates)[number]): number =>
    states.find((row) => row.state === state)?.n ?? 0
  const outcomes = prepare<[number, number], Counted['outcomes'][number]>(
    db,
    `SELECT status, error, count(*) AS count FROM send_job_item
     WHERE job_id = ? AND state IN ('ok', 'failed', 'skipped')
     GROUP BY status, error ORDER BY count DESC, status, error LIMIT ?`,
  ).all(id, toldOutcomes)
  return {
    waiting: of('waiting'),
    underWay: of('claimed'),
    ok: of('ok'),
    failed: of('failed'),
    skipped: of('skipped'),
    uncertain: of('uncertain'),
    outcomes,
  }
}

const State = Job.shape.state
const Wish = z.object({
  filter: z.string().nullable(),
  url: z.string().nullable(),
  sign: SignChoice,
  pace: JobPace,
  timeout: z.number(),
  insecure: z.boolean(),
  headers: z.array(Header),
})

interface Row {
  readonly id: number
  readonly created_ms: number
  readonly ended_ms: number | null
  readonly state: string
  readonly reason: string | null
  readonly total: number
  readonly summary: string | null
  readonly wish: string
  readonly with_body: number
}

const columns =
  'id, created_ms, ended_ms, state, reason, total, summary, wish, body IS NOT NULL AS with_body'

function toJob(db: Db, row: Row): Job {
  const wish = Wish.parse(JSON.parse(row.wish))
  return {
    id: row.id,
    createdAt: row.created_ms,
    endedAt: row.ended_ms,
    state: State.parse(row.state),
    reason: row.reason,
    filter: wish.filter,
    url: wish.url,
    sign: wish.sign,
    pace: wish.pace,
    edited: wish.headers.length > 0 || row.with_body === 1,
    total: row.total,
    ...(row.summary === null ? countJob(db, row.id) : Counted.parse(JSON.parse(row.summary))),
  }
}

/** Newest first. */
export function readJobs(db: Db): Job[] {
  return prepare<[], Row>(db, `SELECT ${columns} FROM send_job ORDER BY id DESC`)
    .all()
    .map((row) => toJob(db, row))
}

/** Those that run, are paused or were interrupted; newest first. */
export function readOpenJobs(db: Db): Job[] {
  return prepare<[], Row>(
    db,
    `SELECT ${columns} FROM send_job WHERE state IN ('running', 'paused', 'interrupted') ORDER BY id DESC`,
  )
    .all()
    .map((row) => toJob(db, row))
}

export function readJob(db: Db, id: number): Job | null {
  const row = prepare<[number], Row>(db, `SELECT ${columns} FROM send_job WHERE id = ?`).get(id)
  return row ? toJob(db, row) : null
}

/** What a job was asked for, to go on with it. */
export function readJobRequest(db: Db, id: number): JobRequest | null {
  const row = prepare<[number], { wish: string; body: Uint8Array | null }>(
    db,
    'SELECT wish, body FROM send_job WHERE id = ?',
  ).get(id)
  if (!row) return null
  const { headers, ...rest } = Wish.parse(JSON.parse(row.wish))
  const body = row.body && new Uint8Array(row.body)
  return { ...rest, edits: Edits.parse({ headers, body }) }
}
