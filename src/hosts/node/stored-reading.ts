import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '#engine/errors.ts'
import { createSearch } from '#engine/search/search.ts'
import { storePath } from '#engine/store/data-folder.ts'
import { readBody, readDelivery, readStats } from '#engine/store/deliveries.ts'
import { openReader, type Db } from '#engine/store/driver.ts'
import { journalEnd, openSettled, storedPosition } from '#engine/store/settled.ts'
import type { Delivery } from '#contract/models.ts'
import type { Page } from '#engine/search/search.ts'
import type { PageInput } from '#engine/search/search.ts'

/** What commands that only read ask of the store. */
export interface Reading extends AsyncDisposable {
  /** As the call `deliveries.page`: while an answer is not complete, the same question goes on. Throws `bad_filter`. */
  page(input: PageInput): Promise<Page>
  /** Throws `not_found`. */
  delivery(id: number): Promise<Delivery>
  /** The body as kept, byte for byte. Throws `not_found`. */
  body(id: number): Promise<Uint8Array>
}

/** How long the holder of the folder may take to store and to index what it had received before, in milliseconds. */
const patienceMs = 30_000

/**
 * The queries of `openForReading` on the store itself, where nobody holds the folder and nothing is left to do in it. Loads a third of what
 * the engine does.
 *
 * @param indexed true: everything must be in the search index
 * @returns null where the engine must be opened
 */
export function openStored(dataDir: string, indexed: boolean): Reading | null {
  const db = openSettled(dataDir, indexed)
  return db && readingOf(db)
}

/** The same beside a process that holds the folder and cannot be asked: its writer is waited for. */
export async function openHeld(dataDir: string, indexed: boolean): Promise<Reading> {
  const db = openReader(storePath(dataDir))
  const deadline = performance.now() + patienceMs
  const until = async (isDone: () => boolean): Promise<void> => {
    while (!isDone() && performance.now() < deadline) await pause(20)
  }
  try {
    const end = journalEnd(db, dataDir)
    await until(() => storedPosition(db) >= end)
    const { newestId } = readStats(db)
    if (indexed) await until(() => readStats(db).indexedId >= newestId)
    return readingOf(db)
  } catch (error) {
    db.close()
    throw error
  }
}

function readingOf(db: Db): Reading {
  const search = createSearch(db)
  return {
    page: async (input) => search.page(input),
    delivery: async (id) => readDelivery(db, id) ?? gone(id),
    body: async (id) => readBody(db, id, 0, Number.MAX_SAFE_INTEGER)?.bytes ?? gone(id),
    [Symbol.asyncDispose]: async () => void db.close(),
  }
}

function gone(id: number): never {
  throw new AppError('not_found', `There is no delivery ${id}. List them: tabscope deliveries list`)
}
