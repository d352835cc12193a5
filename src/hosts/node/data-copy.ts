import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AppError } from '#engine/platform/errors.ts'
import { storePath } from '#engine/store/data-folder.ts'
import { printMessage } from './output.ts'

/** Throws `not_found` if there is no store: a command that reads or changes data must not create one. */
export function refuseNoData(dataDir: string): void {
  if (existsSync(storePath(dataDir))) return
  throw new AppError(
    'not_found',
    `No Tabscope data in ${dataDir}. To use another folder: --data DIR`,
  )
}

/** Whether a store could not be opened because its folder is not writable. */
export function isUnwritable(error: unknown): error is AppError {
  return (
    error instanceof AppError &&
    error.code === 'store_failed' &&
    error.details?.['damaged'] !== true
  )
}

/** Files that are not data, or belong to the process that holds the folder. */
const notCopied =
  /^(lock\.db.*|running\.json|interface\.json|control\.sock|.*\.(backup|log)|tabscope\.db\.damaged-.*)$/

/**
 * A temporary copy of a data folder that is not writable, for a command that only reads: opening a store writes files next to it. Throws
 * `cause` if there is no space for a copy.
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
  printMessage(`${dataDir} is not writable. Reading a temporary copy.`)
  return { path: folder, remove }
}
