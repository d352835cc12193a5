import type { z } from 'zod'
import { ForwardTarget, ResponseRule } from '#contract/answering.ts'
import { Place, type Target } from '#contract/sending.ts'
import { prepare, type Db } from './driver.ts'

/** What of a forward target is stored as one text. */
const StoredForward = ForwardTarget.omit({ id: true, endpointId: true, temporary: true })
/** What of a rule is stored as one text. */
const StoredRule = ResponseRule.omit({ id: true, endpointId: true })
export type RuleFields = z.infer<typeof StoredRule>

interface Row {
  readonly id: number
  readonly endpoint_id: number
  readonly record: string
}

export function readForwards(db: Db): ForwardTarget[] {
  return prepare<[], Row>(db, 'SELECT id, endpoint_id, record FROM forward_target ORDER BY id')
    .all()
    .map(({ id, endpoint_id, record }) => ({
      ...StoredForward.parse(JSON.parse(record)),
      id,
      endpointId: endpoint_id,
      temporary: false,
    }))
}

export type ForwardFields = Omit<ForwardTarget, 'id' | 'temporary'>

/** Returns its id. */
export function insertForward(db: Db, fields: ForwardFields): number {
  const { lastInsertRowid } = prepare<[number, string]>(
    db,
    'INSERT INTO forward_target (endpoint_id, record) VALUES (?, ?)',
  ).run(fields.endpointId, JSON.stringify(StoredForward.parse(fields)))
  return Number(lastInsertRowid)
}

/** It stays with its endpoint. */
export function updateForward(db: Db, forward: ForwardTarget): void {
  prepare<[string, number]>(db, 'UPDATE forward_target SET record = ? WHERE id = ?').run(
    JSON.stringify(StoredForward.parse(forward)),
    forward.id,
  )
}

export function deleteForward(db: Db, id: number): void {
  prepare<[number]>(db, 'DELETE FROM forward_target WHERE id = ?').run(id)
}

/** In the order in which they are tried. */
export function readResponses(db: Db): ResponseRule[] {
  return prepare<[], Row>(
    db,
    'SELECT id, endpoint_id, record FROM response_rule ORDER BY endpoint_id, position',
  )
    .all()
    .map(({ id, endpoint_id, record }) => ({
      ...StoredRule.parse(JSON.parse(record)),
      id,
      endpointId: endpoint_id,
    }))
}

/** A rule to be stored: one without an ID is a new one. */
export type RuleToStore = RuleFields & { readonly id?: number }

/** The rules of an endpoint, in place of those before. Rules with an ID keep it. */
export function writeResponses(
  db: Db,
  { endpointId, rules }: { endpointId: number; rules: readonly RuleToStore[] },
): ResponseRule[] {
  return db.transaction(() => {
    const kept = JSON.stringify(rules.flatMap(({ id }) => id ?? []))
    prepare<[number, string]>(
      db,
      'DELETE FROM response_rule WHERE endpoint_id = ? AND id NOT IN (SELECT value FROM json_each(?))',
    ).run(endpointId, kept)
    const write = prepare<[number | null, number, number, string], number>(
      db,
      `INSERT INTO response_rule (id, endpoint_id, position, record) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET position = excluded.position, record = excluded.record RETURNING id`,
    ).pluck()
    return rules.map((rule, position) => {
      const fields = StoredRule.parse(rule)
      const id = write.get(rule.id ?? null, endpointId, position, JSON.stringify(fields))
      if (id === undefined) throw new Error('the rule was not stored')
      return { ...fields, id, endpointId }
    })
  })()
}

/** Switches rules off, of one endpoint or of all. */
export function switchResponsesOff(db: Db, endpointId: number | null): void {
  prepare<[number | null]>(
    db,
    `UPDATE response_rule SET record = json_set(record, '$.on', json('false')) WHERE endpoint_id = coalesce(?, endpoint_id)`,
  ).run(endpointId)
}

interface TargetRow {
  readonly origin: string
  readonly confirmed: number
  readonly verify_tls: number
  readonly place: string
}

export function readTargets(db: Db): Target[] {
  return prepare<[], TargetRow>(db, 'SELECT * FROM target ORDER BY origin')
    .all()
    .map(({ origin, confirmed, verify_tls, place }) => ({
      origin,
      place: Place.parse(place),
      confirmed: confirmed === 1,
      verifyTls: verify_tls === 1,
    }))
}

/** One of which nothing was said is not kept. */
export function writeTarget(db: Db, { origin, place, confirmed, verifyTls }: Target): void {
  if (!confirmed && verifyTls) {
    prepare<[string]>(db, 'DELETE FROM target WHERE origin = ?').run(origin)
    return
  }
  prepare<[string, number, number, string]>(
    db,
    'INSERT OR REPLACE INTO target (origin, confirmed, verify_tls, place) VALUES (?, ?, ?, ?)',
  ).run(origin, confirmed ? 1 : 0, verifyTls ? 1 : 0, place)
}
