import { closeSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { AppError } from './errors.ts'
import { systemCodeOf, systemReason } from '#shared/text/errors.ts'

/** For a folder `file_failed`. */
export function fileExists(file: string): AppError {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) return isFolder(file)
  return new AppError(
    'file_exists',
    `A file ${path.basename(file)} already exists in ${path.dirname(file)}. Choose another name, or replace the file (--force on the command line).`,
  )
}

/** A hard link fails if the name exists; a rename would replace that file. Throws `file_exists`. */
export function renameWithoutReplacing(part: string, final: string): void {
  try {
    linkSync(part, final)
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST' || exists(final)) throw fileExists(final)
    // Some file systems do not support hard links.
    renameSync(part, final)
    return
  }
  rmSync(part, { force: true })
}

function exists(file: string): boolean {
  try {
    closeSync(openSync(file, 'r'))
    return true
  } catch (error) {
    return systemCodeOf(error) !== 'ENOENT'
  }
}

/** Returns `file_failed` with a message that explains the system error and says what to do; an `AppError` as it is. */
export function fileFailed(file: string, error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError('file_failed', writeFailureMessage(file, error), { cause: error })
}

function isFolder(file: string): AppError {
  return new AppError('file_failed', `${file} is a folder. Choose a file name.`)
}

function writeFailureMessage(file: string, error: unknown): string {
  const folder = path.dirname(file)
  const name = path.basename(file)
  switch (systemCodeOf(error)) {
    case 'ENOENT':
      return `The folder ${folder} does not exist. Create it, or choose another folder.`
    case 'EISDIR':
      return isFolder(file).message
    case 'ENOSPC':
    case 'EDQUOT':
      return `Not enough disk space for ${name} in ${folder}. Free up space, or choose another folder. No partial file was left.`
    default:
      return `Cannot write ${name} in ${folder}. ${systemReason(error)}`
  }
}
