import { constants } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { AppError } from '#engine/platform/errors.ts'
import { systemCodeOf, systemReason } from '#shared/text/errors.ts'
import { resolvePath } from './io.ts'

/** Throws `bad_input`. */
export async function readInputFile(file: string): Promise<Buffer> {
  try {
    return await readFile(resolvePath(file))
  } catch (error) {
    throw unreadable('bad_input', file, error)
  }
}

/** For a file that is read later. Throws `bad_input`. */
export async function assertReadable(file: string): Promise<void> {
  try {
    await access(resolvePath(file), constants.R_OK)
  } catch (error) {
    throw unreadable('bad_input', file, error)
  }
}

export function unreadable(
  code: 'bad_input' | 'file_failed',
  file: string,
  error: unknown,
): AppError {
  return new AppError(code, readFailureMessage(file, error), { cause: error })
}

function readFailureMessage(file: string, error: unknown): string {
  switch (systemCodeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `File ${file} does not exist. Check the path.`
    case 'EISDIR':
      return `${file} is a folder. Specify a file.`
    case 'EACCES':
    case 'EPERM':
      return `No permission to read ${file}. Check its permissions.`
    default:
      return `Could not read ${file}. ${systemReason(error)}`
  }
}
