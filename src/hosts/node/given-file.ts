import { constants } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { AppError } from '#engine/errors.ts'
import { codeOf } from '#engine/event-log/export/file-errors.ts'

/** The bytes of a file that an option or a word names. Throws `bad_input`, with what to do. */
export async function readGiven(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw unreadable('bad_input', file, error)
  }
}

/** Throws `bad_input`, with what to do, where a file that is read later is not there or not readable. */
export async function assertReadable(file: string): Promise<void> {
  try {
    await access(file, constants.R_OK)
  } catch (error) {
    throw unreadable('bad_input', file, error)
  }
}

/** What the system said of a file that cannot be opened or read, with what to do. */
export function unreadable(
  code: 'bad_input' | 'file_failed',
  file: string,
  error: unknown,
): AppError {
  return new AppError(code, sentenceOf(file, error), { cause: error })
}

function sentenceOf(file: string, error: unknown): string {
  const code = codeOf(error)
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `There is no file ${file}. Check its name.`
    case 'EISDIR':
      return `${file} is a folder. Name a file in it.`
    case 'EACCES':
    case 'EPERM':
      return `${file} may not be read. Look at its rights.`
    default:
      return `${file} cannot be read (${code === '' ? 'unknown reason' : code}). Check its name.`
  }
}
