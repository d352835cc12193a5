import { documentedField } from '#catalogue/field-type.ts'
import type { CallOutput } from '#contract/calls.ts'
import { type Db, insertInto, prepare } from '../../platform/sqlite.ts'
import type { FieldState, Notice, TypeFields } from './payload-fields.ts'

interface WrittenType {
  readonly type: string
  readonly fields: string
}

/** What the observer found in the deliveries after `from`, up to `upTo`. Sent by the indexer's thread to the writer. */
export interface Observed {
  readonly from: number
  readonly upTo: number
  /** Complete: they replace the stored ones. */
  readonly types: readonly WrittenType[]
  readonly notices: readonly Notice[]
}

/** The function stores a result in one transaction. It returns false and does nothing if the result does not continue what is stored. */
export function createStoreObserved(db: Db): (observed: Observed) => boolean {
  const saveProgress = prepare<[number]>(db, 'UPDATE progress SET observed_id = ?')
  const write = createWriteFields(db)
  return db.transaction((observed: Observed): boolean => {
    if (readObservedId(db) !== observed.from) return false
    write(observed)
    saveProgress.run(observed.upTo)
    return true
  })
}

export function createWriteFields(db: Db): (found: Pick<Observed, 'types' | 'notices'>) => void {
  const writeType = insertInto(db, 'payload_type', ['type', 'fields'], 'REPLACE')
  // The same change, found again, stays dismissed.
  const writeNotice = prepare<[Notice]>(
    db,
    `INSERT INTO payload_notice (type, path, change, kind, delivery_id, at_us) VALUES ($type, $path, $change, $kind, $id, $us)
     ON CONFLICT DO UPDATE SET dismissed = dismissed AND delivery_id = excluded.delivery_id,
       delivery_id = excluded.delivery_id, at_us = excluded.at_us`,
  )
  return ({ types, notices }) => {
    for (const type of types) writeType({ ...type })
    for (const notice of notices) writeNotice.run(notice)
  }
}

export function dismissNotices(db: Db): void {
  db.exec('UPDATE payload_notice SET dismissed = 1')
}

export function readObservedId(db: Db): number {
  return Number(prepare<[], number>(db, 'SELECT observed_id FROM progress').pluck().get())
}

export function writtenTypes(types: readonly (readonly [string, TypeFields])[]): WrittenType[] {
  return types.map(([type, fields]) => ({ type, fields: JSON.stringify([...fields]) }))
}

export function readTypes(db: Db): [type: string, fields: TypeFields][] {
  return prepare<[], WrittenType>(db, 'SELECT type, fields FROM payload_type ORDER BY type')
    .all()
    .map(({ type, fields }) => [type, parseFields(fields)])
}

function parseFields(json: string): TypeFields {
  try {
    const states: [string, FieldState][] = JSON.parse(json)
    return new Map(states)
  } catch {
    // Damaged: the type starts over.
    return new Map()
  }
}

const maxNotices = 200

export function readPayloadFields(db: Db): CallOutput<'deliveries.fields'> {
  // Before the rest, which may be newer then but never older.
  const observedId = readObservedId(db)
  const notices = prepare<[], Notice>(
    db,
    `SELECT type, path, change, kind, delivery_id AS id, at_us AS us FROM payload_notice
     WHERE dismissed = 0 ORDER BY at_us DESC, change DESC LIMIT ${maxNotices}`,
  ).all()
  return {
    types: readTypes(db).map(([type, fields]) => ({
      type: type || null,
      payloads: fields.get('')?.payloads ?? 0,
      fields: [...fields]
        .filter(([path]) => path !== '')
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([path, state]) => ({
          path,
          documented: documentedField(type, path),
          payloads: state.payloads,
          kinds: state.kinds,
          firstId: state.firstId,
          firstAt: state.firstUs / 1000,
          lastId: state.lastId,
          lastAt: state.lastUs / 1000,
        })),
    })),
    notices: notices.map(({ type, kind, us, ...notice }) => ({
      ...notice,
      type: type || null,
      kind: kind || null,
      at: us / 1000,
      documented: documentedField(type, notice.path),
    })),
    observedId,
  }
}
