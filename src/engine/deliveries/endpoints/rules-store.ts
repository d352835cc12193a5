import type { ForwardTarget, ResponseRule } from '#contract/endpoint-rules.ts'
import type { Target } from '#contract/sending.ts'
import { insertInto, insertRow, prepare, updateRow, type Db } from '../../platform/sqlite.ts'

type StoredForward = Omit<ForwardTarget, 'id' | 'endpointId' | 'temporary'>
/** Stored as JSON. */
export type RuleFields = Omit<ResponseRule, 'id' | 'endpointId'>

interface Row {
  readonly id: number
  readonly endpoint_id: number
  readonly record: string
}

export function readForwards(db: Db): ForwardTarget[] {
  return prepare<[], Row>(db, 'SELECT id, endpoint_id, record FROM forward_target ORDER BY id')
    .all()
    .map(({ id, endpoint_id, record }) => {
      const stored: StoredForward = JSON.parse(record)
      return { ...stored, id, endpointId: endpoint_id, temporary: false }
    })
}

export type ForwardFields = Omit<ForwardTarget, 'id' | 'temporary'>

function forwardText(forward: ForwardFields | ForwardTarget): string {
  // The rest has columns, or is not stored.
  const columns = { id: undefined, endpointId: undefined, temporary: undefined }
  return JSON.stringify({ ...forward, ...columns })
}

export function insertForward(db: Db, fields: ForwardFields): number {
  return insertRow(db, 'forward_target', {
    endpoint_id: fields.endpointId,
    record: forwardText(fields),
  })
}

/** Does not change the endpoint of the target. */
export function updateForward(db: Db, forward: ForwardTarget): void {
  updateRow(db, 'forward_target', forward.id, { record: forwardText(forward) })
}

export function deleteForward(db: Db, id: number): void {
  prepare<[number]>(db, 'DELETE FROM forward_target WHERE id = ?').run(id)
}

export function readResponses(db: Db): ResponseRule[] {
  return prepare<[], Row>(
    db,
    'SELECT id, endpoint_id, record FROM response_rule ORDER BY endpoint_id, position',
  )
    .all()
    .map(({ id, endpoint_id, record }) => {
      const stored: RuleFields = JSON.parse(record)
      return { ...stored, id, endpointId: endpoint_id }
    })
}

function ruleText({ type, response, delayMs, when, enabled }: RuleFields): string {
  return JSON.stringify({ type, response, delayMs, when, enabled } satisfies RuleFields)
}

/** An unchanged rule keeps its ID; a changed one gets a new ID. */
export function writeResponses(
  db: Db,
  { endpointId, rules }: { endpointId: number; rules: readonly RuleFields[] },
): ResponseRule[] {
  return db.transaction(() => {
    const before = prepare<[number], Row>(
      db,
      'SELECT id, endpoint_id, record FROM response_rule WHERE endpoint_id = ? ORDER BY position',
    ).all(endpointId)
    const stored = rules.map((rule, position) => {
      const record = ruleText(rule)
      const same = before.findIndex((row) => row.record === record)
      const [known] = same === -1 ? [] : before.splice(same, 1)
      if (known) updateRow(db, 'response_rule', known.id, { position })
      const id =
        known?.id ?? insertRow(db, 'response_rule', { endpoint_id: endpointId, position, record })
      return { ...rule, id, endpointId }
    })
    const remove = prepare<[number]>(db, 'DELETE FROM response_rule WHERE id = ?')
    for (const { id } of before) remove.run(id)
    return stored
  })()
}

/** Null: of all endpoints. */
export function switchResponsesOff(db: Db, endpointId: number | null): void {
  prepare<[number | null]>(
    db,
    `UPDATE response_rule SET record = json_set(record, '$.enabled', json('false'))
     WHERE endpoint_id = coalesce(?, endpoint_id)`,
  ).run(endpointId)
}

interface TargetRow extends Omit<Target, 'confirmed' | 'verifyTls'> {
  readonly confirmed: number
  readonly verifyTls: number
}

export function readTargets(db: Db): Target[] {
  return prepare<[], TargetRow>(
    db,
    'SELECT origin, location, confirmed, verify_tls AS verifyTls FROM target ORDER BY origin',
  )
    .all()
    .map((row) => ({ ...row, confirmed: row.confirmed === 1, verifyTls: row.verifyTls === 1 }))
}

/** Deletes the row if the settings are the defaults. */
export function writeTarget(db: Db, { origin, location, confirmed, verifyTls }: Target): void {
  if (!confirmed && verifyTls) {
    prepare<[string]>(db, 'DELETE FROM target WHERE origin = ?').run(origin)
    return
  }
  const insert = insertInto(
    db,
    'target',
    ['origin', 'confirmed', 'verify_tls', 'location'],
    'REPLACE',
  )
  insert({ origin, confirmed: confirmed ? 1 : 0, verify_tls: verifyTls ? 1 : 0, location })
}
