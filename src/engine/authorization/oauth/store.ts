import type { ParsedInput } from '#contract/calls.ts'
import type { Run, RunFailure, RunSummary } from '#contract/authorization.ts'
import {
  insertInto,
  insertRow,
  prepare,
  updateRow,
  type Db,
  type NamedValues,
} from '../../platform/sqlite.ts'
import type { StorePort } from '../../platform/store/store-port.ts'

/** For each integration. Older records are deleted. */
const maxRuns = 200

/** `name` is the name in the marker. */
export interface SealedPart {
  readonly name: string
  readonly sealed: Uint8Array
}

export type RunStore = StorePort<
  { run: typeof readRun; runs: typeof readRuns; lastRuns: typeof readLastRuns },
  {
    insertRun: typeof insertRun
    updateRun: (input: { run: Run; secrets: readonly SealedPart[] }) => void
    claimCode: (input: { runId: number; hash: string }) => boolean
  }
>

export type RunFields = Omit<Run, 'id'>

interface Row extends Omit<RunSummary, 'failure'> {
  readonly failure: string | null
}

const summaryColumns = `id, integration_id AS integrationId, kind, agent, state, started_ms AS startedAt, ended_ms AS endedAt,
  redirect_url AS redirectUrl, failure, token_id AS tokenId`

/** A cleared row remains only for the hash of its code, which must not be exchanged again. */
const notCleared = "record <> ''"

type Rest = Omit<Run, keyof RunSummary>

function restOf(run: RunFields): string {
  const { authorizeUrl, acceptsPaste, timeoutAt, steps, findings, maskedValues } = run
  return JSON.stringify({
    authorizeUrl,
    acceptsPaste,
    timeoutAt,
    steps,
    findings,
    maskedValues,
  } satisfies Rest)
}

/** Clears the integration's oldest record if there are too many. Returns the ID. */
export function insertRun(db: Db, run: RunFields): number {
  return db.transaction(() => {
    const id = insertRow(db, 'run', {
      integration_id: run.integrationId,
      kind: run.kind,
      agent: run.agent,
      ...changingOf(run),
    })
    const oldest = prepare<[number, number], { id: number }>(
      db,
      `SELECT id FROM run WHERE integration_id = ? AND ${notCleared} ORDER BY id DESC LIMIT 1 OFFSET ?`,
    ).get(run.integrationId, maxRuns)
    if (oldest) clearRuns(db, run.integrationId, oldest.id, [])
    return id
  })()
}

function changingOf(run: RunFields): NamedValues {
  return {
    state: run.state,
    started_ms: Math.round(run.startedAt),
    ended_ms: run.endedAt === null ? null : Math.round(run.endedAt),
    redirect_url: run.redirectUrl,
    failure: run.failure === null ? null : JSON.stringify(run.failure),
    token_id: run.tokenId,
    record: restOf(run),
  }
}

/** Replaces the masked values too. Does nothing if the run was deleted with its integration. */
export function updateRun(db: Db, run: Run, secrets: readonly SealedPart[]): void {
  db.transaction(() => {
    if (!updateRow(db, 'run', run.id, changingOf(run))) return
    prepare<[number]>(db, 'DELETE FROM run_secret WHERE run_id = ?').run(run.id)
    const insert = insertInto(db, 'run_secret', ['run_id', 'name', 'sealed'])
    for (const secret of secrets) insert({ run_id: run.id, ...secret })
  })()
}

/**
 * Records that a run is about to exchange the code with this hash, before it is sent, so that a code is never sent twice, even after a crash. Returns
 * false if it was exchanged before.
 */
export function claimCode(db: Db, runId: number, hash: string): boolean {
  return db.transaction(() => {
    const used = prepare<[string], { id: number }>(db, 'SELECT id FROM run WHERE code_hash = ?')
    if (used.get(hash)) return false
    const claim = prepare<[string, number]>(db, 'UPDATE run SET code_hash = ? WHERE id = ?')
    return claim.run(hash, runId).changes === 1
  })()
}

/** Clears records up to and including `upTo`, except those in `except`. Hashes of codes stay. */
export function clearRuns(
  db: Db,
  integrationId: number,
  upTo: number,
  except: readonly number[],
): void {
  const which =
    'integration_id = $integrationId AND id <= $upTo AND id NOT IN (SELECT value FROM json_each($except))'
  db.transaction(() => {
    for (const statement of [
      `DELETE FROM run_secret WHERE run_id IN (SELECT id FROM run WHERE ${which})`,
      `DELETE FROM run WHERE ${which} AND code_hash IS NULL`,
      `UPDATE run SET record = '', redirect_url = '', failure = NULL, token_id = NULL WHERE ${which}`,
    ]) {
      prepare<[NamedValues]>(db, statement).run({
        integrationId,
        upTo,
        except: JSON.stringify(except),
      })
    }
  })()
}

export type RunsInput = Partial<ParsedInput<'authorization.runs'>> & { readonly limit: number }

/** Newest first. */
export function readRuns(db: Db, { integrationId, kind, limit }: RunsInput): RunSummary[] {
  return prepare<[NamedValues], Row>(
    db,
    `SELECT ${summaryColumns} FROM run
     WHERE ${notCleared} AND integration_id = coalesce($integrationId, integration_id)
       AND kind = coalesce($kind, kind)
     ORDER BY id DESC LIMIT $limit`,
  )
    .all({ integrationId: integrationId ?? null, kind: kind ?? null, limit })
    .map(summaryOf)
}

export function readRun(db: Db, id: number): Run | null {
  const row = prepare<[number], Row & { record: string }>(
    db,
    `SELECT ${summaryColumns}, record FROM run WHERE id = ? AND ${notCleared}`,
  ).get(id)
  return row ? runOf(row) : null
}

/** Complete records after an ID, oldest first. */
export function readRunsAfter(db: Db, after: number, limit: number): Run[] {
  return prepare<[number, number], Row & { record: string }>(
    db,
    `SELECT ${summaryColumns}, record FROM run WHERE id > ? AND ${notCleared} ORDER BY id LIMIT ?`,
  )
    .all(after, limit)
    .map(runOf)
}

export function countRuns(db: Db): number {
  return (
    prepare<[], { n: number }>(db, `SELECT count(*) AS n FROM run WHERE ${notCleared}`).get()?.n ??
    0
  )
}

export function readLastRuns(db: Db): Run[] {
  return prepare<[], Row & { record: string }>(
    db,
    `SELECT ${summaryColumns}, record FROM run
     WHERE id IN (SELECT max(id) FROM run WHERE ${notCleared} GROUP BY integration_id) ORDER BY id`,
  )
    .all()
    .map(runOf)
}

/** Null if the record has no masked value with that name. */
export function readRunSecret(db: Db, runId: number, name: string): Uint8Array | null {
  const row = prepare<[number, string], { sealed: Uint8Array }>(
    db,
    'SELECT sealed FROM run_secret WHERE run_id = ? AND name = ?',
  ).get(runId, name)
  return row?.sealed ?? null
}

function runOf({ record, ...row }: Row & { record: string }): Run {
  const rest: Rest = JSON.parse(record)
  return { ...summaryOf(row), ...rest }
}

function summaryOf(row: Row): RunSummary {
  const failure: RunFailure | null = row.failure === null ? null : JSON.parse(row.failure)
  return { ...row, failure }
}
