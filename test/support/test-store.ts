import { onTestFinished } from 'vitest'
import type { JournalRecord } from '#engine/capture/journal-format.ts'
import { openReader, openWriter, type Db } from '#engine/platform/sqlite.ts'
import { createIngest, type Ingest } from '#engine/deliveries/ingest.ts'
import { prepareStore } from '#engine/store/open.ts'
import { tempFolder } from './temp-folder.ts'

export interface TestStore {
  readonly folder: string
  readonly path: string
  readonly db: Db
  readonly ingest: Ingest
}

/** Opens a store of the current version with these records for writing. */
export function storeWith(
  records: readonly JournalRecord[] = [],
  folder = tempFolder(),
): TestStore {
  const { path } = prepareStore(folder, 'now')
  const db = openWriter(path)
  onTestFinished(() => void db.close())
  const ingest = createIngest(db)
  if (records.length > 0) ingest.take(records, ingest.tally().position + 1)
  return { folder, path, db, ingest }
}

export function readerOf({ path }: TestStore): Db {
  const db = openReader(path)
  onTestFinished(() => void db.close())
  return db
}
