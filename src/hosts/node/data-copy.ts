import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AppError } from '#engine/errors.ts'
import { storePath } from '#engine/store/data-folder.ts'
import { say } from './output.ts'

/** Throws `not_found` where there is no store: a command that reads or changes one must not begin one. */
export function refuseNoData(dataDir: string): void {
  if (existsSync(storePath(dataDir))) return
  throw new AppError(
    'not_found',
    `There is no data in ${dataDir}. Name another folder: --data DIR.`,
  )
}

/** Whether a store could not be opened since its folder cannot be written. */
export function isUnwritable(error: unknown): error is AppError {
  return (
    error instanceof AppError &&
    error.code === 'store_failed' &&
    error.details?.['damaged'] !== true
  )
}

/** What is not data, or is of the process that holds the folder. */
const notCopied =
  /^(lock\.db.*|running\.json|interface\.json|control\.sock|.*\.(backup|log)|tabscope\.db\.damaged-.*)$/

/**
 * A temporary copy of a data folder that cannot be written, for a command that only reads: to open a store is to write beside it. Throws
 * `cause` where there is no room for a copy either.
 */
export function copyOfData(
  dataDir: string,
  cause: AppError,
): { readonly path: string; readonly remove: () => void } {
  let folder: string | null = null
  const remove = (): void => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  }
  try {
    folder = mkdtempSync(path.join(tmpdir(), 'tabscope-'))
    cpSync(dataDir, folder, {
      recursive: true,
      filter: (source) => !notCopied.test(path.basename(source)) || source === dataDir,
    })
  } catch {
    remove()
    throw cause
  }
  process.once('exit', remove)
  say(`${dataDir} cannot be written: reading a temporary copy of it.`)
  return { path: folder, remove }
}
