import { randomBytes } from 'node:crypto'
import { access, lstat, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { ParsedInput } from '#contract/calls.ts'
import { AppError } from '../../platform/errors.ts'
import type { LogParts } from '../items.ts'
import { codeOf, fileExists, fileFailed } from './file-errors.ts'
import type { ExportTo } from './messages.ts'

/** Where an export is written, and its name there. */
export interface Destination {
  readonly name: string
  /** Null: not a file. */
  readonly path: string | null
  readonly to: ExportTo
}

type ExportInput = ParsedInput<'logs.export'>

/** Returns null if the user cancelled the dialog. Throws `bad_input`, `file_exists`, `file_failed`. */
export async function resolveDestination(
  to: ExportInput['to'],
  { ports }: LogParts,
): Promise<Destination | null> {
  switch (to.kind) {
    case 'pull':
      return { name: to.name, path: null, to: { kind: 'pieces' } }
    case 'file':
      return fileDestination(to.path, to.overwrite)
    case 'ask': {
      if (!ports.dialogs) {
        throw new AppError(
          'bad_input',
          'This host has no file dialogs. Enter the path of a file, or download the export.',
        )
      }
      const selected = await ports.dialogs.save(to.name)
      // The dialog has already asked whether to replace an existing file.
      return selected === null ? null : fileDestination(selected, true)
    }
  }
}

async function fileDestination(file: string, overwrite: boolean): Promise<Destination> {
  if (!path.isAbsolute(file) || file.includes('\0')) {
    throw new AppError('bad_input', 'The file path must be absolute. Enter the full path.')
  }
  const final = await resolveLink(path.resolve(file))
  if (!overwrite && (await exists(final))) throw fileExists(final)
  const part = `${final}.part-${randomBytes(6).toString('hex')}`
  const name = path.basename(final)
  return { name, path: final, to: { kind: 'file', path: final, part, overwrite } }
}

/**
 * Returns the file to write: the target of the link if the path is a symbolic link. Throws `file_failed` for a device or a pipe, because
 * a rename would replace it: /dev/null would become a regular file.
 */
async function resolveLink(file: string): Promise<string> {
  try {
    const real = (await lstat(file)).isSymbolicLink() ? await realpath(file) : file
    const stats = await stat(real)
    if (stats.isFile() || stats.isDirectory()) return real
  } catch {
    // The file does not exist yet. Problems with its folder are reported when the file is created.
    return file
  }
  throw new AppError(
    'file_failed',
    `${file} is a device or a pipe, not a file. Enter the path of a file, or write to stdout: -o -`,
  )
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw fileFailed(file, error)
  }
}
