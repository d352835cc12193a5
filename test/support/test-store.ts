import { onTestFinished } from 'vitest'
import { openReader, openWriter, type Db } from '#engine/platform/sqlite.ts'
import { createIngest, type Ingest } from '#engine/deliveries/ingest.ts'
import { Indexer } from '#engine/search/indexer/indexer.ts'
import { prepareStore } from '#engine/app/opening/open-store.ts'
import { openSearchWriter, searchPathOf, storeKey } from '#engine/platform/store/search-file.ts'
import { take, type GroupItem } from './groups.ts'
import { tempFolder } from './temp-folder.ts'

export interface TestStore {
  readonly folder: string
  readonly path: string
  readonly db: Db
  readonly ingest: Ingest
}

/** Opens a store of the current version with these deliveries and responses for writing. */
export function storeWith(items: readonly GroupItem[] = [], folder = tempFolder()): TestStore {
  const { path } = prepareStore(folder, 'now')
  const db = openWriter(path)
  onTestFinished(() => void db.close())
  return { folder, path, db, ingest: storeItems(db, items) }
}

/** Deliveries get sequential IDs; before a gap, as many count as deleted. */
export function storeItems(db: Db, items: readonly GroupItem[]): Ingest {
  const skip = db.prepare<[number]>('UPDATE progress SET last_id = ?')
  let ingest = createIngest(db)
  let last = 0
  let from = 0
  for (const [index, item] of items.entries()) {
    if (item.kind !== 'delivery') continue
    if (item.id !== last + 1) {
      take(ingest, items.slice(from, index))
      from = index
      skip.run(item.id - 1)
      ingest = createIngest(db)
    }
    last = item.id
  }
  take(ingest, items.slice(from))
  return ingest
}

/** With the search index. */
export function readerOf({ path }: TestStore): Db {
  const db = openReader(path)
  onTestFinished(() => void db.close())
  return db
}

export interface TestIndex {
  /** The file of the index. */
  readonly search: Db
  readonly indexer: Indexer
}

function openIndex({ path, db }: TestStore): TestIndex {
  const search = openSearchWriter(searchPathOf(path) ?? '', storeKey(db))
  return { search, indexer: new Indexer(db, search) }
}

export function indexerOf(store: TestStore): TestIndex {
  const index = openIndex(store)
  onTestFinished(() => void index.search.close())
  return index
}

/** Indexes everything that is stored. */
export function indexAll(store: TestStore): void {
  const { search, indexer } = openIndex(store)
  indexer.step(store.ingest.tally().lastId, () => false)
  search.close()
}

export function indexedStore(items: readonly GroupItem[]): TestStore {
  const store = storeWith(items)
  indexAll(store)
  return store
}

/** Creates statistics for the query planner. */
export function analyze(store: TestStore): void {
  store.db.exec('ANALYZE')
  const { search } = openIndex(store)
  search.exec('ANALYZE')
  search.close()
}
