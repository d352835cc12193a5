import { basename } from 'node:path'
import type { z } from 'zod'
import { parseJson } from '#shared/json/object.ts'
import { EventLog } from '#contract/logs.ts'
import type { FieldChoice } from '#contract/masking.ts'
import { Scenario } from '#contract/scenarios.ts'
import { prepare, type Db } from '../platform/sqlite.ts'

const ScenarioFields = Scenario.pick({ leftOut: true, endpointId: true })

/** An imported log, or a scenario: its `sha256` is random. */
export type LibraryLog = EventLog & { readonly scenario?: z.infer<typeof ScenarioFields> }

/** `store`: file name in the `logs` folder. */
export interface StoredLog {
  readonly log: LibraryLog
  readonly store: string
}

interface Row {
  readonly id: number
  readonly sha256: string
  readonly store: string
  readonly imported_ms: number
  readonly view: string
}

const View = EventLog.omit({ id: true, sha256: true, importedAt: true }).extend({
  scenario: ScenarioFields.exactOptional(),
})

/** Newest import first. Skips logs whose row does not match the schema; they can be imported again. */
export function readLogs(db: Db): StoredLog[] {
  return prepare<[], Row>(db, 'SELECT * FROM event_log ORDER BY imported_ms DESC, id DESC')
    .all()
    .flatMap(({ id, sha256, store, imported_ms: importedAt, view }) => {
      const read = View.safeParse(parseJson(view))
      if (!read.success) return []
      // Nothing outside of the folder, whoever wrote the row: what is removed is deleted there.
      return [{ log: { ...read.data, id, sha256, importedAt }, store: basename(store) }]
    })
}

export function readFieldChoices(db: Db): FieldChoice[] {
  return prepare<[], { field: string; choice: FieldChoice['as'] }>(
    db,
    'SELECT field, choice FROM field_choice ORDER BY field',
  )
    .all()
    .map(({ field, choice }) => ({ field, as: choice }))
}
