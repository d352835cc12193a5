import { existsSync } from 'node:fs'
import { journalDir, listSegments } from '../capture/journal-files.ts'
import { findJournalEnd } from '../capture/journal-reader.ts'
import { holderPath, storePath } from './data-folder.ts'
import { openReader, prepare, type Db } from './driver.ts'
import { migrations, newestVersion } from './migrations/migrations.ts'
import { isForeign } from './private-files.ts'

interface Progress {
  readonly position: number
  readonly newestId: number
  readonly indexedId: number
  /** 1: a job is stored as running, though nothing runs. */
  readonly running: number
}

/**
 * Opens the store for queries, without the lock of the folder, where nobody holds it and no work is left for a writer: the last holder ended
 * in order, the format is current, and all of the journal is in the store; with `indexed` also in the search index.
 *
 * @param indexed true: the queries need the search index
 * @returns the connection, read-only; null when the folder must be opened for writing first, which also tells what is wrong with it
 */
export function openSettled(dataDir: string, indexed: boolean): Db | null {
  let db: Db | null = null
  try {
    const path = storePath(dataDir)
    // SQLite puts files beside the store: among those of another user they would be in that user's way.
    if (existsSync(holderPath(dataDir)) || isForeign(path)) return null
    db = openReader(path)
    if (isSettled(db, dataDir, indexed)) return db
  } catch {
    // Whoever opens it for writing finds out why, and says so.
  }
  db?.close()
  return null
}

function isSettled(db: Db, dataDir: string, indexed: boolean): boolean {
  if (db.pragma('user_version', { simple: true }) !== newestVersion(migrations)) return false
  const found = prepare<[], Progress>(
    db,
    `SELECT journal_position AS position, last_id AS newestId,
       (SELECT indexed_id FROM search_progress) AS indexedId,
       EXISTS (SELECT 1 FROM send_job WHERE state = 'running') AS running
     FROM progress`,
  ).get()
  if (!found || found.running === 1) return false
  if (indexed && found.indexedId < found.newestId) return false
  const dir = journalDir(dataDir)
  const from = Math.max(found.position, listSegments(dir)[0]?.start ?? 0)
  return findJournalEnd(dir, from).end === from
}
