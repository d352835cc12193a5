import { AppError } from '#engine/errors.ts'
import { createSearch } from '#engine/search/search.ts'
import { readBody, readDelivery } from '#engine/store/deliveries.ts'
import { openSettled } from '#engine/store/settled.ts'
import type { Reading } from './reading.ts'

/**
 * The queries of `openForReading` on the store itself, where nobody holds the folder and nothing is left to do in it. Loads a third of what
 * the engine does.
 *
 * @param indexed true: everything must be in the search index
 * @returns null where the engine must be opened
 */
export function openStored(dataDir: string, indexed: boolean): Reading | null {
  const db = openSettled(dataDir, indexed)
  if (!db) return null
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
