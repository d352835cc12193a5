import path from 'node:path'
import { AppError } from '../../platform/errors.ts'

/** `ENOENT` and the like; empty: it is no error of the system. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}

export function fileExists(file: string): AppError {
  return new AppError(
    'file_exists',
    `There is a file ${path.basename(file)} in ${path.dirname(file)} already. Choose another name, or have it replaced.`,
  )
}

/** `file_failed`, with what the system said in words that say what to do. */
export function fileFailed(file: string, error: unknown): AppError {
  return new AppError('file_failed', sentenceOf(file, error), { cause: error })
}

function sentenceOf(file: string, error: unknown): string {
  const folder = path.dirname(file)
  const name = path.basename(file)
  switch (codeOf(error)) {
    case 'ENOENT':
      return `There is no folder ${folder}. Make it, or choose another.`
    case 'ENOTDIR':
      return `${folder} is no folder. Choose another.`
    case 'EISDIR':
      return `${file} is a folder. Choose a name for the file.`
    case 'EACCES':
    case 'EPERM':
      return `${name} may not be written in ${folder}. Look at the folder's rights, or choose another.`
    case 'EROFS':
      return `${folder} is on a disk that can only be read. Choose another folder.`
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no room left for ${name} in ${folder}. Make room, or choose another folder. Nothing was left there.`
    case 'EFBIG':
      return `${name} grew larger than a file may be in ${folder}. Choose another folder. Nothing was left there.`
    case 'ENAMETOOLONG':
      return `The name of the file is too long for ${folder}. Choose a shorter one.`
    default:
      return `${name} cannot be written in ${folder}: ${error instanceof Error ? error.message : String(error)}. Choose another folder.`
  }
}
