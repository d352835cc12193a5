import type { ForwardTarget, ResponseRule } from '#contract/endpoint-rules.ts'
import type { Script } from '#contract/scripts.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
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
