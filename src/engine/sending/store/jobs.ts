import type { ParsedInput } from '#contract/calls.ts'
import { itemStates } from '#contract/constants.ts'
import type { Job, JobItem } from '#contract/sending.ts'
import { insertRow, prepare, updateRow, type Db, type NamedValues } from '../../platform/sqlite.ts'
import type { SendWrites, JobRequest } from '../messages.ts'

/** An item stored as `waiting` counts as claimed up to the claimed position of its job. */
export const shownState = `CASE state WHEN 'returned' THEN 'waiting'
  WHEN 'waiting' THEN iif(position > (SELECT claimed_to FROM send_job WHERE id = job_id), 'waiting', 'claimed')
  ELSE state END`

export interface Waiting {
  readonly position: number
  readonly deliveryId: number
  /** It was claimed before and returned. */
  readonly returned: boolean
}

export function createWaiting(db: Db): (jobId: number, limit: number) => readonly Waiting[] {
  type Row = Omit<Waiting, 'returned'>
  const returned = prepare<[NamedValues], Row>(
    db,
    `SELECT position, delivery_id AS deliveryId FROM send_job_item INDEXED BY send_job_item_by_state
     WHERE job_id = $jobId AND state = 'returned' ORDER BY position LIMIT $limit`,
  )
  const fresh = prepare<[NamedValues], Row>(
    db,
    `SELECT position, delivery_id AS deliveryId FROM send_job_item
     WHERE job_id = $jobId AND state = 'waiting'
       AND position > (SELECT claimed_to FROM send_job WHERE id = $jobId)
     ORDER BY position LIMIT $limit`,
  )
  // Returned items were claimed before, so they precede all items that were not.
  return (jobId, limit) => {
    const back = returned.all({ jobId, limit }).map((row) => ({ ...row, returned: true }))
    if (back.length >= limit) return back
    const rest = fresh.all({ jobId, limit: limit - back.length })
    return [...back, ...rest.map((row) => ({ ...row, returned: false }))]
  }
}

export type JobItemsInput = ParsedInput<'jobs.items'>

const logOf = '(SELECT log_id FROM send_job WHERE id = job_id)'
const isChanged = "state IN ('ok', 'failed') AND before_status <> coalesce(status, 0)"
const itemColumns = `position, delivery_id AS deliveryId, iif(${logOf} IS NULL, (SELECT title FROM delivery WHERE id = delivery_id), NULL) AS title,
  ${shownState} AS state, attempt_id AS attemptId, status, error, (SELECT took_ms FROM attempt WHERE id = attempt_id) AS durationMs,
  iif(${isChanged}, before_status, NULL) AS before`
const rare: readonly JobItem['state'][] = ['uncertain', 'failed', 'skipped']

type ItemRow = Omit<JobItem, 'before'> & { readonly before: number | null }

export function readJobItems(db: Db, { id, states, after, limit }: JobItemsInput): JobItem[] {
  const requested = itemStates.filter((state) => states.includes(state))
  const rows =
    requested.length > 0 && requested.every((state) => rare.includes(state))
      ? // One query per state uses the index, which finds a few failed items among many quickly.
        requested
          .flatMap((state) =>
            prepare<[NamedValues], ItemRow>(
              db,
              `SELECT ${itemColumns} FROM send_job_item INDEXED BY send_job_item_by_state
             WHERE job_id = $id AND state = '${state}' AND position > $after ORDER BY position LIMIT $limit`,
            ).all({ id, after, limit }),
          )
          .toSorted((a, b) => a.position - b.position)
          .slice(0, limit)
      : prepare<[NamedValues], ItemRow>(
          db,
          `SELECT ${itemColumns} FROM send_job_item WHERE job_id = $id AND position > $after
           AND ${shownState} IN (SELECT value FROM json_each($states)) ORDER BY position LIMIT $limit`,
        ).all({
          id,
          after,
          states: JSON.stringify(requested.length > 0 ? requested : itemStates),
          limit,
        })
  return rows.map(({ before, ...item }) =>
    before === null ? item : { ...item, before: before === 0 ? null : before },
  )
}

type JobWrites = Pick<
  SendWrites,
  'createJob' | 'claim' | 'unclaim' | 'settleUncertain' | 'setJobState'
>

export interface JobLimits {
  /** Finished jobs to keep. Unfinished jobs are never deleted. */
  readonly jobs: number
  readonly items: number
}

export const jobLimits: JobLimits = { jobs: 100, items: 1_000_000 }

export type StoredJobRequest = Omit<JobRequest, 'edits'> & {
  headers: JobRequest['edits']['headers']
}

function prepareJobWrites(db: Db) {
  return {
    insertItems: prepare<[NamedValues]>(
      db,
      `INSERT INTO send_job_item (job_id, position, delivery_id, state, before_status)
       SELECT $id, key, value, 'waiting',
         (SELECT coalesce(status, 0) FROM send_job_item WHERE job_id = $comparedTo AND position = key AND state IN ('ok', 'failed'))
       FROM json_each($ids)`,
    ),
    claimUpTo: prepare<[number, number]>(
      db,
      'UPDATE send_job SET claimed_to = max(claimed_to, ?) WHERE id = ?',
    ),
    reclaim: prepare<[NamedValues]>(
      db,
      "UPDATE send_job_item SET state = 'waiting' WHERE job_id = $jobId AND position = $position",
    ),
    release: prepare<[NamedValues]>(
      db,
      `UPDATE send_job_item SET state = 'returned' WHERE job_id = $jobId AND position = $position AND state = 'waiting'
         AND position <= (SELECT claimed_to FROM send_job WHERE id = $jobId)`,
    ),
    settle: prepare<[NamedValues]>(
      db,
      `UPDATE send_job_item INDEXED BY send_job_item_by_state SET state = $state, error = $error
       WHERE job_id = $jobId AND state = 'uncertain'`,
    ),
  }
}

/** What a crash must not undo is durable when a write returns. */
export function createJobWrites(
  db: Db,
  durably: <T>(work: () => T) => T,
  limits = jobLimits,
): JobWrites {
  const writes = prepareJobWrites(db)
  const claimNext = createClaim(db, writes)
  const createJob = db.transaction((input: Parameters<SendWrites['createJob']>[0]): number => {
    const { request, ids, createdAt } = input
    const { edits, ...rest } = request
    const stored: StoredJobRequest = { ...rest, headers: edits.headers }
    const id = insertRow(db, 'send_job', {
      created_ms: createdAt,
      state: 'running',
      total: ids.length,
      request: JSON.stringify(stored),
      body: edits.body,
      log_id: request.scenario?.logId ?? null,
    })
    const comparedTo = request.scenario?.comparedTo ?? null
    writes.insertItems.run({ id, comparedTo, ids: JSON.stringify(ids) })
    deleteOldest(db, limits)
    return id
  })
  const setJobState = db.transaction((input: Parameters<SendWrites['setJobState']>[0]) => {
    const { jobId, state, reason, endedAt } = input
    const over = state === 'done' || state === 'cancelled'
    const summary = over ? JSON.stringify(countJob(db, jobId)) : null
    updateRow(db, 'send_job', jobId, { state, reason, ended_ms: endedAt, summary })
  })
  return {
    createJob: (input) => durably(() => createJob(input)),
    claim: (input) => durably(() => claimNext(input)),
    // Not durable: after a crash these items are uncertain, which is safe.
    unclaim: db.transaction(({ jobId, positions }) => {
      for (const position of positions) writes.release.run({ jobId, position })
    }),
    settleUncertain: ({ jobId, as }) => {
      const send = as === 'send'
      durably(() =>
        writes.settle.run({
          jobId,
          state: send ? 'returned' : 'skipped',
          error: send ? null : 'Skipped: it may have been received before Tabscope closed.',
        }),
      )
    },
    setJobState: (input) => durably(() => setJobState(input)),
  }
}

function createClaim(
  db: Db,
  { reclaim, claimUpTo }: ReturnType<typeof prepareJobWrites>,
): JobWrites['claim'] {
  const waiting = createWaiting(db)
  return db.transaction(({ jobId, count }) => {
    const rows = waiting(jobId, count)
    for (const { position, returned } of rows) if (returned) reclaim.run({ jobId, position })
    claimUpTo.run(rows.at(-1)?.position ?? -1, jobId)
    return rows.map(({ position, deliveryId }) => ({ position, deliveryId }))
  })
}

function deleteOldest(db: Db, limits: JobLimits): void {
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

export function deleteJob(db: Db, id: number): void {
  prepare<[number]>(db, 'DELETE FROM send_job WHERE id = ?').run(id)
}

/** Few enough that the writer returns quickly to new deliveries: each may have large bodies. */
const deletedAttempts = 64

/** Some of what the jobs of an event log sent, which belongs to no delivery; then the jobs. Returns false once nothing is left. */
export function deleteJobsOfLog(db: Db, logId: number): boolean {
  return db.transaction(() => {
    const { changes } = prepare<[NamedValues]>(
      db,
      `DELETE FROM attempt WHERE id IN (SELECT attempt.id FROM send_job JOIN attempt ON job_id = send_job.id
         WHERE log_id = $logId LIMIT $limit)`,
    ).run({ logId, limit: deletedAttempts })
    if (changes > 0) return true
    prepare<[number]>(db, 'DELETE FROM send_job WHERE log_id = ?').run(logId)
    return false
  })()
}

/** For opening the store: claimed items may or may not have been sent and become uncertain, and running jobs become interrupted. */
export function interruptJobs(db: Db): void {
  const open = prepare<[], { id: number; over: number }>(
    db,
    // Finished jobs without pending items need no update.
    `SELECT id, state IN ('done', 'cancelled') AS over FROM send_job
     WHERE summary IS NULL OR json_extract(summary, '$.inFlight') > 0`,
  )
  const markUncertain = prepare<[{ id: number }]>(
    db,
    `UPDATE send_job_item SET state = 'uncertain' WHERE job_id = $id AND state = 'waiting'
       AND position <= (SELECT claimed_to FROM send_job WHERE id = $id)`,
  )
  db.transaction(() => {
    for (const { id, over } of open.all()) {
      markUncertain.run({ id })
      if (over === 1) updateRow(db, 'send_job', id, { summary: JSON.stringify(countJob(db, id)) })
    }
    db.exec("UPDATE send_job SET state = 'interrupted' WHERE state = 'running'")
  })()
}

const maxOutcomes = 20

type Counted = Pick<
  Job,
  'waiting' | 'inFlight' | 'ok' | 'failed' | 'skipped' | 'uncertain' | 'results'
> &
  Pick<NonNullable<Job['scenario']>, 'changed' | 'unsigned'>

export function countJob(db: Db, id: number): Counted {
  const states = prepare<[number], { state: string; n: number }>(
    db,
    `SELECT ${shownState} AS state, count(*) AS n FROM send_job_item WHERE job_id = ? GROUP BY 1`,
  ).all(id)
  const of = (state: (typeof itemStates)[number]): number =>
    states.find((row) => row.state === state)?.n ?? 0
  const results = prepare<[number, number], Counted['results'][number]>(
    db,
    `SELECT status, error, count(*) AS count FROM send_job_item
     WHERE job_id = ? AND state IN ('ok', 'failed', 'skipped')
     GROUP BY status, error ORDER BY count DESC, status, error LIMIT ?`,
  ).all(id, maxOutcomes)
  return {
    waiting: of('waiting'),
    inFlight: of('claimed'),
    ok: of('ok'),
    failed: of('failed'),
    skipped: of('skipped'),
    uncertain: of('uncertain'),
    results,
    ...readComparison(db, id),
  }
}

function readComparison(db: Db, id: number): Pick<Counted, 'changed' | 'unsigned'> {
  const read = prepare<[{ id: number }], Pick<Counted, 'changed' | 'unsigned'>>(
    db,
    `SELECT (SELECT count(*) FROM send_job_item WHERE job_id = $id AND ${isChanged}) AS changed,
       (SELECT count(*) FROM attempt WHERE job_id = $id AND signing = 'none') AS unsigned
     FROM send_job WHERE id = $id AND log_id IS NOT NULL`,
  )
  return read.get({ id }) ?? { changed: 0, unsigned: 0 }
}

interface Row {
  readonly id: number
  readonly created_ms: number
  readonly ended_ms: number | null
  readonly state: Job['state']
  readonly reason: string | null
  readonly total: number
  readonly summary: string | null
  readonly request: string
  readonly with_body: number
}

const columns =
  'id, created_ms, ended_ms, state, reason, total, summary, request, body IS NOT NULL AS with_body'

function toJob(db: Db, row: Row): Job {
  const request: StoredJobRequest = JSON.parse(row.request)
  const summary: Counted = row.summary === null ? countJob(db, row.id) : JSON.parse(row.summary)
  const { changed, unsigned, ...counted } = summary
  const { scenario } = request
  return {
    id: row.id,
    createdAt: row.created_ms,
    endedAt: row.ended_ms,
    state: row.state,
    reason: row.reason,
    filter: request.filter,
    url: request.url,
    sign: request.sign,
    pace: request.pace,
    edited: request.headers.length > 0 || row.with_body === 1,
    scenario: scenario && {
      logId: scenario.logId,
      name: scenario.name,
      keepIds: scenario.keepIds,
      seed: scenario.seed,
      comparedTo: scenario.comparedTo,
      changed,
      unsigned,
    },
    total: row.total,
    ...counted,
  }
}

export function readJobs(db: Db): Job[] {
  return prepare<[], Row>(db, `SELECT ${columns} FROM send_job ORDER BY id DESC`)
    .all()
    .map((row) => toJob(db, row))
}

/** Running, paused and interrupted jobs, newest first. */
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

export function readJobRequest(db: Db, id: number): JobRequest | null {
  const row = prepare<[number], { request: string; body: Uint8Array | null }>(
    db,
    'SELECT request, body FROM send_job WHERE id = ?',
  ).get(id)
  if (!row) return null
  const { headers, ...rest }: StoredJobRequest = JSON.parse(row.request)
  const body = row.body && new Uint8Array(row.body)
  return { ...rest, edits: { headers, body } }
}
