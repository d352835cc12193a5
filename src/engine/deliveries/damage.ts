import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DamagedFile } from '#contract/models.ts'
import { plural } from '#shared/text/format.ts'
import { AppError } from '../platform/errors.ts'
import { openReadOnly, prepare, type Db } from '../platform/sqlite.ts'
import { storageFailure } from '../platform/storage-failure.ts'
import { alteredIds, eachReadable } from './salvage.ts'
import { isDamage, isUnusable } from '../platform/store/search-file.ts'

/** Larger stores are not checked completely without a reason: two gigabytes would take eight seconds. */
export const fullCheckBytes = 64 * 1024 * 1024

/** Its existence: damage was found, so the next start checks the store completely, whatever its size. */
export function checkRequestPath(storePath: string): string {
  return `${storePath}.check`
}

export function requestCheck(storePath: string): void {
  const path = checkRequestPath(storePath)
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600 })
}

/** Damage that is found is looked for everywhere at the next start. Throws `store_failed` for errors of SQLite. */
export async function checkedRead<T>(db: Db, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const failure = storageFailure(error) ?? error
    if (failure instanceof AppError && failure.details?.['damaged'] === true) requestCheck(db.name)
    throw failure
  }
}

export function readDamagedFiles(db: Db): DamagedFile[] {
  return prepare<[], { path: string; record: string }>(
    db,
    'SELECT path, record FROM damaged_file WHERE json_valid(record) ORDER BY path',
  )
    .all()
    .map(({ path, record }): DamagedFile => ({
      ...JSON.parse(record),
      // Whoever wrote the row, and also if the folder was moved.
      path: join(dirname(db.name), basename(path)),
    }))
    .filter(({ path }) => existsSync(path))
}

export function endCheckRequest(storePath: string): void {
  rmSync(checkRequestPath(storePath), { force: true })
}

export function isIntact(db: Db, table: string | number = 1): boolean {
  return db.pragma(`quick_check(${table})`, { simple: true }) === 'ok'
}

/**
 * For a reader of `count` deliveries. Throws `store_failed` with the number of deliveries that cannot be read if the store is damaged, unless the store is
 * large and only few are read.
 */
export function assertReadable(db: Db, count: number): void {
  const isChecked = statSync(db.name).size <= fullCheckBytes || count > storedIn(db) / 2
  if (isChecked && !isReadable(db)) throw unreadable(db)
}

function storedIn(db: Db): number {
  return Number(prepare<[], number>(db, 'SELECT deliveries FROM progress').pluck().get())
}

function isReadable(db: Db): boolean {
  try {
    return isIntact(db, 'delivery') && isIntact(db, 'delivery_content')
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  }
}

/** Says how many deliveries cannot be read. */
export function unreadable(db: Db): AppError {
  requestCheck(db.name)
  return new AppError(
    'store_failed',
    `The store is damaged: ${describeLoss(db)}, so nothing was exported. Restart Tabscope, which keeps everything readable, and export again.`,
    { details: { damaged: true } },
  )
}

function describeLoss(db: Db): string {
  const stored = storedIn(db)
  const rows = idsIn(db, 'delivery', 'received_us')
  const altered = new Set(alteredIds(db))
  const readable = [...idsIn(db, 'delivery_content', 'body')].filter(
    (id) => rows.has(id) && !altered.has(id),
  ).length
  const lost = plural(Math.max(0, stored - readable), 'delivery', 'deliveries')
  return `${lost} of ${stored} cannot be read`
}

/** Continues a sentence about a damaged file. It has no number if that cannot be read, or the file is the configuration. */
export function describeUnreadable(path: string): string {
  let db: Db | null = null
  try {
    db = openReadOnly(path)
    return `is damaged (${describeLoss(db)})`
  } catch (error) {
    if (isUnusable(error)) return 'is damaged'
    throw error
  } finally {
    db?.close()
  }
}

function idsIn(db: Db, name: string, column: string): Set<number> {
  const ids = new Set<number>()
  eachReadable(db, { name, columns: ['id', column] }, (row) => ids.add(Number(row['id'])))
  return ids
}
