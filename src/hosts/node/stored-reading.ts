import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '#engine/platform/errors.ts'
import { createSearch, type Page, type PageInput } from '#engine/search/search.ts'
import { storePath } from '#engine/store/data-folder.ts'
import { readBody, readDelivery, readStats } from '#engine/deliveries/store.ts'
import { openReader, type Db } from '#engine/platform/sqlite.ts'
import { checkedRead } from '#engine/store/damage.ts'
import type { Delivery } from '#contract/models.ts'

/** For commands that only read. */
export interface Reading extends AsyncDisposable {
  /** Repeat it with the same input until the page is complete. Throws `bad_filter`. */
  page(input: PageInput): Promise<Page>
  /** Throws `not_found`. */
  delivery(id: number): Promise<Delivery>
  /** As stored. Throws `not_found`. */
  body(id: number): Promise<Uint8Array>
}

/** For the holder of the folder to index the deliveries received so far. */
const timeoutMs = 30_000

/** The holder cannot be queried: waits for its index. */
export async function openHeld(dataDir: string, indexed: boolean): Promise<Reading> {
  const db = openReader(storePath(dataDir))
  const deadline = performance.now() + timeoutMs
  try {
    const { newestId } = readStats(db)
    while (indexed && readStats(db).indexedId < newestId && performance.now() < deadline) {
      await pause(20)
    }
    return readingOf(db)
  } catch (error) {
    db.close()
    throw error
  }
}

function readingOf(db: Db): Reading {
  const search = createSearch(db)
  return {
    page: (input) => checkedRead(db, () => search.page(input)),
    delivery: (id) => checkedRead(db, () => readDelivery(db, id) ?? gone(id)),
    body: (id) =>
      checkedRead(db, () => readBody(db, id, 0, Number.MAX_SAFE_INTEGER)?.bytes ?? gone(id)),
    [Symbol.asyncDispose]: async () => void db.close(),
  }
}

function gone(id: number): never {
  throw new AppError(
    'not_found',
    `Delivery ${id} does not exist. To list deliveries: tabscope delivery list`,
  )
}
