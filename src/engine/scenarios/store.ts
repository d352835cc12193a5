import type { LogHead } from '#contract/event-log.ts'
import type {
  Scenario,
  ScenarioDelivery,
  ScenarioResult,
  ScenarioRun,
} from '#contract/scenarios.ts'
import type { ExportedDelivery } from '../event-logs/items.ts'
import { insertInto, insertRow, prepare, updateRow, type Db } from '../platform/sqlite.ts'

/** A delivery as it was when the scenario was saved. */
export type Copy = Pick<ExportedDelivery, 'fields' | 'body'>

export interface ScenarioRecord extends Omit<Scenario, 'id' | 'name' | 'lastRun'> {
  /** Of the event log that it was saved from; null: of none, or it is unknown. */
  readonly redaction: LogHead['redaction'] | null
}

interface ScenarioRow {
  readonly id: number
  readonly name: string
  readonly record: string
  readonly run_id: number | null
  readonly run: string | null
}

/** `where`: after the name is not null. */
function selectScenarios(where: string): string {
  return `SELECT scenario.id, name, scenario.record, scenario_run.id AS run_id, scenario_run.record AS run
    FROM scenario LEFT JOIN scenario_run ON scenario_run.id =
      (SELECT max(id) FROM scenario_run WHERE scenario_id = scenario.id)
    WHERE name IS NOT NULL ${where} ORDER BY name`
}

function toScenario({ id, name, record, run_id: runId, run }: ScenarioRow): Scenario {
  const { redaction: _, ...stored }: ScenarioRecord = JSON.parse(record)
  const lastRun = runId === null || run === null ? null : toRun({ id: runId, record: run })
  return { ...stored, id, name, lastRun }
}

export function readScenarios(db: Db): Scenario[] {
  return prepare<[], ScenarioRow>(db, selectScenarios('')).all().map(toScenario)
}

export function readScenario(db: Db, name: string): Scenario | null {
  const row = prepare<[string], ScenarioRow>(db, selectScenarios('AND name = ?')).get(name)
  return row ? toScenario(row) : null
}

export function readScenarioRedaction(db: Db, id: number): ScenarioRecord['redaction'] {
  const row = prepare<[number], { record: string }>(
    db,
    'SELECT record FROM scenario WHERE id = ?',
  ).get(id)
  const record: ScenarioRecord | null = row ? JSON.parse(row.record) : null
  return record?.redaction ?? null
}

/** Those without a name: Tabscope ended while they were saved or deleted. */
export function readUnnamedScenarios(db: Db): number[] {
  return prepare<[], number>(db, 'SELECT id FROM scenario WHERE name IS NULL').pluck().all()
}

function readScenarioDeliveries(db: Db, id: number): ScenarioDelivery[] {
  return prepare<[number], ScenarioDelivery>(
    db,
    `SELECT position, received_us / 1000.0 AS receivedAt, type, title, length(body) AS bytes
     FROM scenario_delivery WHERE scenario_id = ? ORDER BY position`,
  ).all(id)
}

/** In a short transaction each: a body may be large, and a run may last for hours. */
export function createCopyReader(db: Db, scenarioId: number): (position: number) => Copy | null {
  const select = prepare<[number, number], { fields: string; body: Uint8Array }>(
    db,
    'SELECT fields, body FROM scenario_delivery WHERE scenario_id = ? AND position = ?',
  )
  return (position) => {
    const row = select.get(scenarioId, position)
    return row ? { fields: JSON.parse(row.fields), body: row.body } : null
  }
}

/** A run that is stored as running was interrupted, unless it has a thread, which the service knows. */
function toRun({ id, record }: { id: number; record: string }): ScenarioRun {
  const stored: Omit<ScenarioRun, 'id'> = JSON.parse(record)
  return { ...stored, id, state: stored.state === 'running' ? 'interrupted' : stored.state }
}

/** Newest first. */
function readScenarioRuns(db: Db, id: number): ScenarioRun[] {
  return prepare<[number], { id: number; record: string }>(
    db,
    'SELECT id, record FROM scenario_run WHERE scenario_id = ? ORDER BY id DESC',
  )
    .all(id)
    .map(toRun)
}

export function readScenarioWithRuns(
  db: Db,
  name: string,
): { scenario: Scenario; deliveries: ScenarioDelivery[]; runs: ScenarioRun[] } | null {
  const scenario = readScenario(db, name)
  return (
    scenario && {
      scenario,
      deliveries: readScenarioDeliveries(db, scenario.id),
      runs: readScenarioRuns(db, scenario.id),
    }
  )
}

export function readScenarioRun(db: Db, id: number): ScenarioRun | null {
  const row = prepare<[number], { id: number; record: string }>(
    db,
    'SELECT id, record FROM scenario_run WHERE id = ?',
  ).get(id)
  return row ? toRun(row) : null
}

export function readScenarioResults(db: Db, runId: number): ScenarioResult[] {
  return prepare<[number], string>(
    db,
    'SELECT record FROM scenario_result WHERE run_id = ? ORDER BY position',
  )
    .pluck()
    .all(runId)
    .map((record) => {
      const result: ScenarioResult = JSON.parse(record)
      return result
    })
}

/** Returns the ID of a scenario without a name and deliveries. */
export function insertScenario(db: Db): number {
  return insertRow(db, 'scenario', { record: '{}' })
}

export function addCopies(
  db: Db,
  { id, from, copies }: { id: number; from: number; copies: readonly Copy[] },
): void {
  const columns = [
    'scenario_id',
    'position',
    'received_us',
    'type',
    'title',
    'fields',
    'body',
  ] as const
  const insert = insertInto(db, 'scenario_delivery', columns)
  db.transaction(() => {
    for (const [index, { fields, body }] of copies.entries()) {
      const { receivedAt, type, title } = fields
      insert({
        scenario_id: id,
        position: from + index,
        received_us: Math.round(receivedAt * 1000),
        type,
        title,
        fields: JSON.stringify(fields),
        body,
      })
    }
  })()
}

/** The scenario that has this name loses it. */
export function nameScenario(
  db: Db,
  { id, name, record }: { id: number; name: string; record: ScenarioRecord },
): void {
  db.transaction(() => {
    unnameScenario(db, name)
    updateRow(db, 'scenario', id, { name, record: JSON.stringify(record) })
  })()
}

export function unnameScenario(db: Db, name: string): void {
  prepare<[string]>(db, 'UPDATE scenario SET name = NULL WHERE name = ?').run(name)
}

const deletedBytes = 8 * 1024 * 1024

/** A part of it, because other writes wait. Returns false once nothing of it is left. */
export function deleteScenarioPart(db: Db, id: number): boolean {
  const rows = prepare<[number], { position: number; bytes: number }>(
    db,
    'SELECT position, length(body) AS bytes FROM scenario_delivery WHERE scenario_id = ? ORDER BY position LIMIT 1000',
  ).all(id)
  let bytes = 0
  const last = rows.find((row) => (bytes += row.bytes) > deletedBytes) ?? rows.at(-1)
  if (last) {
    prepare<[number, number]>(
      db,
      'DELETE FROM scenario_delivery WHERE scenario_id = ? AND position <= ?',
    ).run(id, last.position)
    return true
  }
  prepare<[number]>(db, 'DELETE FROM scenario WHERE id = ?').run(id)
  return false
}

const maxRuns = 50

/** Returns the ID. Deletes the oldest runs above the limit. */
export function insertScenarioRun(
  db: Db,
  { scenarioId, run }: { scenarioId: number; run: Omit<ScenarioRun, 'id'> },
): number {
  const id = insertRow(db, 'scenario_run', { scenario_id: scenarioId, record: JSON.stringify(run) })
  prepare<[{ scenarioId: number; maxRuns: number }]>(
    db,
    `DELETE FROM scenario_run WHERE scenario_id = $scenarioId AND id <=
       (SELECT id FROM scenario_run WHERE scenario_id = $scenarioId ORDER BY id DESC LIMIT 1 OFFSET $maxRuns)`,
  ).run({ scenarioId, maxRuns })
  return id
}

export function recordScenarioResults(
  db: Db,
  { run: { id, ...record }, results }: { run: ScenarioRun; results: readonly ScenarioResult[] },
): void {
  db.transaction(() => {
    const insert = insertInto(db, 'scenario_result', ['run_id', 'position', 'record'])
    for (const result of results) {
      insert({ run_id: id, position: result.position, record: JSON.stringify(result) })
    }
    updateRow(db, 'scenario_run', id, { record: JSON.stringify(record) })
  })()
}
