import type { Finding } from '#contract/models.ts'
import type { TokenEvent, TokenView } from '#contract/tokens.ts'
import {
  insertInto,
  insertRow,
  prepare,
  updateRow,
  wiping,
  type Db,
  type NamedValues,
} from '../../platform/sqlite.ts'

/** Values are sealed. A token that cannot be decrypted is `good` here and `unavailable` in its view. */
export interface StoredToken extends Pick<
  TokenView,
  | 'id'
  | 'integrationId'
  | 'label'
  | 'initiated'
  | 'expires'
  | 'expiresIn'
  | 'obtainedAt'
  | 'version'
> {
  readonly status: Exclude<TokenView['status'], 'unavailable'>
  /** Null after the token was forgotten. */
  readonly sealedAccess: Uint8Array | null
  /** Null if none was issued, or the token was forgotten. */
  readonly sealedRefresh: Uint8Array | null
  readonly findings: readonly Finding[]
  /** Oldest first. */
  readonly events: readonly TokenEvent[]
}

export type TokenFields = Omit<StoredToken, 'id'>

interface Row extends Omit<StoredToken, 'findings' | 'events'> {
  readonly findings: string
}

interface EventRow extends TokenEvent {
  readonly tokenId: number
}

export function readTokens(db: Db): StoredToken[] {
  const events = Map.groupBy(
    prepare<[], EventRow>(
      db,
      'SELECT token_id AS tokenId, kind, at_ms AS at, detail, run_id AS runId FROM token_event ORDER BY token_id, id',
    ).all(),
    ({ tokenId }) => tokenId,
  )
  return prepare<[], Row>(
    db,
    `SELECT id, integration_id AS integrationId, label, sealed_access AS sealedAccess, sealed_refresh AS sealedRefresh,
       initiated, expires, expires_in AS expiresIn, obtained_ms AS obtainedAt, version, status, findings
     FROM token ORDER BY id`,
  )
    .all()
    .map((row) => ({
      ...row,
      findings: findingsOf(row.findings),
      events: (events.get(row.id) ?? []).map(({ kind, at, detail, runId }) => ({
        kind,
        at,
        detail,
        runId,
      })),
    }))
}

function findingsOf(json: string): Finding[] {
  const findings: Finding[] = JSON.parse(json)
  return findings
}

function rowOf(fields: TokenFields): NamedValues {
  return {
    label: fields.label,
    sealed_access: fields.sealedAccess,
    sealed_refresh: fields.sealedRefresh,
    initiated: fields.initiated,
    expires: fields.expires,
    expires_in: fields.expiresIn,
    obtained_ms: Math.round(fields.obtainedAt),
    version: fields.version,
    status: fields.status,
    findings: JSON.stringify(fields.findings),
  }
}

export function insertToken(db: Db, fields: TokenFields): number {
  return db.transaction(() => {
    const id = insertRow(db, 'token', { ...rowOf(fields), integration_id: fields.integrationId })
    writeEvents(db, id, fields.events)
    return id
  })()
}

/** Overwrites the old sealed values. Does nothing if the token was deleted. `everywhere` also deletes its values from the records of runs. */
export function updateToken(db: Db, { id, ...fields }: StoredToken, everywhere = false): void {
  wiping(db, () => {
    if (updateRow(db, 'token', id, rowOf(fields))) writeEvents(db, id, fields.events)
    if (everywhere) wipeFromRuns(db, id)
  })
}

/** Also deletes its timeline, and its values in the records of runs. */
export function deleteToken(db: Db, id: number): void {
  wiping(db, () => {
    prepare<[number]>(db, 'DELETE FROM token WHERE id = ?').run(id)
    wipeFromRuns(db, id)
  })
}

function wipeFromRuns(db: Db, id: number): void {
  prepare<[NamedValues]>(
    db,
    `DELETE FROM run_secret WHERE name IN ($token, $refreshToken)
       OR ((name GLOB 'access_token*' OR name GLOB 'refresh_token*')
         AND run_id IN (SELECT id FROM run WHERE token_id = $id))`,
  ).run({ token: `token_${id}`, refreshToken: `refresh_token_${id}`, id })
}

/** The timeline is short, and replacing it keeps it consistent with the one in memory. */
function writeEvents(db: Db, id: number, events: readonly TokenEvent[]): void {
  prepare<[number]>(db, 'DELETE FROM token_event WHERE token_id = ?').run(id)
  const insert = insertInto(db, 'token_event', ['token_id', 'kind', 'at_ms', 'detail', 'run_id'])
  for (const { kind, at, detail, runId } of events) {
    insert({ token_id: id, kind, at_ms: Math.round(at), detail, run_id: runId })
  }
}
