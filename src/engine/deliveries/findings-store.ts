import { eventTypeOf } from '#catalogue/catalogue.ts'
import { severityOf } from '#catalogue/findings.ts'
import type { FindingData } from '#contract/models.ts'
import {
  FindingLists,
  fromTuples,
  toTuples,
  type FindingDifference,
  type FindingTuple,
} from './finding-lists.ts'
import { prepare, type Db } from '../platform/sqlite.ts'

/** A sender may use a thousand types and a million fields. Beyond this, all fields of `data` count as one location and all undocumented types as one. */
const maxKinds = 10_000

const anyType = '*'

/** The text of each kind is stored once. */
export function createFindingKinds(db: Db, max = maxKinds) {
  const insert = prepare<[string, string, string, string], { id: number }>(
    db,
    'INSERT INTO finding_kind (type, code, location, severity) VALUES (?, ?, ?, ?) RETURNING id',
  )
  let known = readKinds(db)
  let fresh: string[] = []

  const idOf = (type: string, finding: FindingData): number => {
    const { code, location } = finding
    const key = keyOf(type, code, location)
    const id = known.get(key)
    if (id !== undefined) return id
    if (known.size >= max) {
      const [fewerType, fewerLocation] = [collapsedType(type), collapsedLocation(location)]
      if (fewerType !== type || fewerLocation !== location) {
        return idOf(fewerType, { ...finding, location: fewerLocation })
      }
    }
    const inserted = insert.get(type, code, location, severityOf(finding))
    if (!inserted) throw new Error('a kind of finding got no id')
    known.set(key, inserted.id)
    fresh.push(key)
    return inserted.id
  }

  return {
    /** Without duplicates. Inserts missing kinds. */
    idsOf: (type: string | null, findings: readonly FindingData[]) =>
      new Set(findings.map((finding) => idOf(type ?? '', finding))),
    /** Call after a commit. */
    keep: () => {
      if (fresh.length > 0) fresh = []
    },
    /** Call after a rollback. */
    rollBack: () => {
      for (const key of fresh) known.delete(key)
      fresh = []
    },
    reload: () => {
      known = readKinds(db)
      fresh = []
    },
  }
}

function readKinds(db: Db): Map<string, number> {
  const rows = prepare<[], { id: number; type: string; code: string; location: string }>(
    db,
    'SELECT id, type, code, location FROM finding_kind',
  ).all()
  return new Map(rows.map(({ id, type, code, location }) => [keyOf(type, code, location), id]))
}

/** Unique: a code contains no line feed, and the length separates type and location. */
function keyOf(type: string, code: string, location: string): string {
  return `${code}\n${type.length}\n${type}${location}`
}

function collapsedType(type: string): string {
  return type === '' || eventTypeOf(type) ? type : anyType
}

function collapsedLocation(location: string): string {
  return location.startsWith('body.data.') ? 'body.data.*' : location
}

export interface StoredFindings {
  readonly findings: string | null
  readonly listId: number | null
}

export interface FindingsStore {
  /** Stores the list unless there is one that differs only in values. Call in the transaction of the delivery. */
  readonly put: (type: string | null, findings: readonly FindingData[]) => StoredFindings
  readonly keep: () => void
  readonly rollBack: () => void
  /** Call after lists and kinds were deleted elsewhere. */
  readonly reload: () => void
}

/** If a list is forgotten and occurs again, it is stored again. */
const maxLists = 1000

/** Each list is stored once, with the kinds that it contains. */
export function createFindingsStore(db: Db): FindingsStore {
  const insertList = prepare<[string, string], { id: number }>(
    db,
    'INSERT INTO finding_list (type, findings) VALUES (?, ?) RETURNING id',
  )
  const insertKind = prepare<[number, number]>(
    db,
    'INSERT INTO finding_list_kind (kind_id, list_id) VALUES (?, ?)',
  )
  const newest = prepare<[number], { id: number; type: string; findings: string }>(
    db,
    'SELECT id, type, findings FROM finding_list ORDER BY id DESC LIMIT ?',
  )
  const kinds = createFindingKinds(db)
  const lists = new FindingLists<number>(maxLists)
  const load = (): void => {
    lists.clear()
    for (const { id, type, findings } of newest.all(maxLists / 2)) {
      // A damaged list is not used again. Its deliveries report the damage when they are read.
      const tuples = parseTuples(findings)
      if (tuples) lists.add(fromTuples(tuples), id, type)
    }
  }
  /** Since unused lists were deleted. */
  let inserted = 0
  load()
  return {
    put: (type, findings) => {
      if (findings.length === 0) return { findings: null, listId: null }
      const known = lists.find(findings, type ?? '')
      if (known) return { findings: JSON.stringify(known.differences), listId: known.at }
      if (inserted >= maxLists) {
        deleteUnusedLists(db)
        inserted = 0
        load()
      }
      inserted += 1
      const row = insertList.get(type ?? '', JSON.stringify(toTuples(findings)))
      if (!row) throw new Error('a list of findings got no id')
      for (const kind of kinds.idsOf(type, findings)) insertKind.run(kind, row.id)
      lists.add(findings, row.id, type ?? '')
      return { findings: '[]', listId: row.id }
    },
    keep: () => kinds.keep(),
    rollBack: () => {
      kinds.rollBack()
      load()
    },
    reload: () => {
      kinds.reload()
      load()
    },
  }
}

/** Adds one that was found after the delivery arrived, unless it has one of this code. Does nothing if the delivery was deleted. */
export function createAddFinding(
  db: Db,
  store: FindingsStore,
): (id: number, finding: FindingData) => void {
  const select = prepare<
    [number],
    { type: string | null; findings: string | null; list: string | null }
  >(
    db,
    `SELECT type, findings, (SELECT findings FROM finding_list WHERE id = finding_list_id) AS list
     FROM delivery WHERE id = ?`,
  )
  const update = prepare<[StoredFindings & { readonly id: number }]>(
    db,
    'UPDATE delivery SET findings = $findings, finding_list_id = $listId WHERE id = $id',
  )
  const add = db.transaction((id: number, finding: FindingData): void => {
    const row = select.get(id)
    if (!row) return
    const tuples = row.list === null ? [] : (parseTuples(row.list) ?? [])
    const differences: FindingDifference[] = JSON.parse(row.findings ?? '[]')
    const before = fromTuples(tuples, differences)
    if (before.some(({ code }) => code === finding.code)) return
    update.run({ id, ...store.put(row.type, [...before, finding]) })
  })
  return (id, finding) => {
    try {
      add(id, finding)
      store.keep()
    } catch (error) {
      store.rollBack()
      throw error
    }
  }
}

function parseTuples(json: string): FindingTuple[] | null {
  try {
    const tuples: FindingTuple[] = JSON.parse(json)
    return tuples
  } catch {
    return null
  }
}

/** A sender may use another list for each delivery. */
export function deleteUnusedLists(db: Db): void {
  db.exec(
    'DELETE FROM finding_list WHERE NOT EXISTS (SELECT 1 FROM delivery INDEXED BY delivery_by_finding_list WHERE finding_list_id = finding_list.id)',
  )
}
