import { setTimeout as pause } from 'node:timers/promises'
import type { Delivery } from '#contract/models.ts'
import { AppError } from '#engine/errors.ts'
import { journalDir, listSegments } from '#engine/capture/journal-files.ts'
import { findJournalEnd } from '#engine/capture/journal-reader.ts'
import type { Page, PageInput } from '#engine/search/search.ts'
import { openReader, type Db } from '#engine/store/driver.ts'
import { storePath } from '#engine/store/open.ts'
import { createQueries } from '#engine/store/queries.ts'
import { copyOfData, isUnwritable, refuseNoData } from './data-copy.ts'
import { openEngine } from './host.ts'
import { say } from './output.ts'

/** What commands that only read ask of the store. */
export interface Reading extends AsyncDisposable {
  /** As the call `deliveries.page`: while an answer is not complete, the same question goes on. Throws `bad_filter`. */
  page(input: PageInput): Promise<Page>
  /** Throws `not_found`. */
  delivery(id: number): Promise<Delivery>
  /** The body as kept, byte for byte. Throws `not_found`. */
  body(id: number): Promise<Uint8Array>
}

/** How long a running Tabscope may take to store what it had answered before we came, in milliseconds. */
const patienceMs = 30_000
/** So often it is said how far the search index has come, in milliseconds. */
const tellEveryMs = 2000

/**
 * Opens the store for queries. Where nothing runs, what a crash left in the journal is first taken in; where Tabscope runs, its writer
 * does that, and we wait for what had been answered by now; with `indexed` also until it is in the search index. Throws `AppError`.
 */
export async function openForReading(dataDir: string, indexed = false): Promise<Reading> {
  refuseNoData(dataDir)
  try {
    await settle(dataDir, indexed)
  } catch (error) {
    if (error instanceof AppError && error.code === 'store_in_use') {
      await untilLevel(dataDir)
      if (indexed) await untilIndexed(dataDir)
    } else {
      if (!isUnwritable(error)) throw error
      const copy = copyOfData(dataDir, error)
      try {
        await settle(copy.path, indexed)
        return readingOf(openReader(storePath(copy.path)), copy.remove)
      } catch (failed) {
        copy.remove()
        throw failed
      }
    }
  }
  return readingOf(openReader(storePath(dataDir)))
}

/** Takes in what a crash left in the journal. Throws `AppError`. */
async function settle(dataDir: string, indexed: boolean): Promise<void> {
  const engine = await openEngine({
    dataDir,
    listen: false,
    background: false,
    keepDamaged: true,
  })
  try {
    await engine.level()
    if (indexed) await untilIndexed(dataDir)
  } finally {
    await engine.close()
  }
}

function readingOf(db: Db, closed: () => void = () => undefined): Reading {
  const queries = createQueries(db)
  return {
    page: async (input) => queries.page(input),
    delivery: async (id) => queries.get(id) ?? gone(id),
    body: async (id) => {
      const slice = await queries.body({ id, offset: 0, length: 2 ** 31, decoded: false })
      return slice?.bytes ?? gone(id)
    },
    [Symbol.asyncDispose]: async () => {
      db.close()
      closed()
    },
  }
}

function gone(id: number): never {
  throw new AppError('not_found', `There is no delivery ${id}. List them: tabscope deliveries list`)
}

/** Waits until the store holds what the journal holds now. */
async function untilLevel(dataDir: string): Promise<void> {
  const db = openReader(storePath(dataDir))
  try {
    const position = db.prepare<[], { at: number }>('SELECT journal_position AS at FROM progress')
    const stored = (): number => position.get()?.at ?? 0
    const from = Math.max(stored(), listSegments(journalDir(dataDir))[0]?.start ?? 0)
    const { end } = findJournalEnd(journalDir(dataDir), from)
    const deadline = performance.now() + patienceMs
    while (stored() < end && performance.now() < deadline) await pause(20)
  } finally {
    db.close()
  }
}

/** Waits until what is in the store now is in the search index, as long as that goes on, and says how far it is. */
async function untilIndexed(dataDir: string): Promise<void> {
  const db = openReader(storePath(dataDir))
  try {
    const { stats } = createQueries(db)
    const { newestId } = stats()
    let indexed = stats().indexedId
    let movedAt = performance.now()
    let toldAt = movedAt
    while (indexed < newestId) {
      await pause(20)
      const now = performance.now()
      const at = stats().indexedId
      if (at > indexed) movedAt = now
      else if (now - movedAt > patienceMs) return
      indexed = at
      if (now - toldAt > tellEveryMs) {
        toldAt = now
        say(`The search index has come to delivery ${indexed} of ${newestId}.`)
      }
    }
  } finally {
    db.close()
  }
}
