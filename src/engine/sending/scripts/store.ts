import type { ForwardTarget, ResponseRule } from '#contract/endpoint-rules.ts'
import type { Script } from '#contract/scripts.ts'
import { fromTuples } from '../../deliveries/finding-lists.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'
import type { StoredScript } from './messages.ts'

export function readScripts(db: Db): StoredScript[] {
  return prepare<[], StoredScript>(
    db,
    'SELECT name, source, saved_ms AS savedAt FROM script ORDER BY name',
  ).all()
}

/** Replaces the one of the same name. */
export function writeScript(db: Db, script: StoredScript): void {
  prepare<[StoredScript]>(
    db,
    'REPLACE INTO script (name, source, saved_ms) VALUES ($name, $source, $savedAt)',
  ).run(script)
}

export function deleteScript(db: Db, name: string): void {
  prepare<[string]>(db, 'DELETE FROM script WHERE name = ?').run(name)
}

/** By name, of the scripts that failed since they were saved. */
export function readFailures(
  db: Db,
  scripts: readonly Pick<Script, 'name' | 'savedAt'>[],
): Map<string, NonNullable<Script['failed']>> {
  const saved = new Map(scripts.map(({ name, savedAt }) => [name, savedAt]))
  type Row = { deliveryId: number; at: number; findings: string | null; list: string }
  const rows = prepare<[], Row>(
    db,
    `SELECT d.id AS deliveryId, d.received_us / 1000 AS at, d.findings, l.findings AS list
     FROM delivery AS d INDEXED BY delivery_by_finding_list JOIN finding_list AS l ON l.id = d.finding_list_id
     WHERE d.finding_list_id IN (SELECT list_id FROM finding_list_kind WHERE kind_id IN (SELECT id FROM finding_kind WHERE code = 'script.failed'))
     ORDER BY d.id DESC LIMIT 1000`,
  ).all()
  const failures = new Map<string, NonNullable<Script['failed']>>()
  for (const { deliveryId, at, findings, list } of rows) {
    const all = fromTuples(JSON.parse(list), JSON.parse(findings ?? '[]'))
    const { expected: name = '', actual = '' } =
      all.find(({ code }) => code === 'script.failed') ?? {}
    const { count, ...last } = failures.get(name) ?? { count: 0, deliveryId, reason: actual }
    if (at >= (saved.get(name) ?? Infinity)) failures.set(name, { ...last, count: count + 1 })
  }
  return failures
}

export function usesOf(
  {
    responses,
    forwards,
  }: {
    responses: readonly Pick<ResponseRule, 'id' | 'response'>[]
    forwards: readonly Pick<ForwardTarget, 'id' | 'script'>[]
  },
  name: string,
): Script['usedBy'] {
  return {
    responses: responses.flatMap(({ id, response }) =>
      response.kind === 'script' && response.script === name ? [id] : [],
    ),
    forwards: forwards.flatMap(({ id, script }) => (script === name ? [id] : [])),
  }
}
