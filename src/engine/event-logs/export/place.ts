import { randomBytes } from 'node:crypto'
import { access, lstat, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { ParsedInput } from '#contract/calls.ts'
import { AppError } from '../../platform/errors.ts'
import type { LogParts } from '../items.ts'
import { codeOf, fileExists, fileFailed } from './file-errors.ts'
import type { ExportTo } from './messages.ts'

/** Where an export goes, and what it is called there. */
export interface Place {
  readonly name: string
  readonly path: string | null
  readonly to: ExportTo
}

type Wish = ParsedInput<'logs.export'>

/** Null: the user was asked, and wants none. Throws `bad_input`, `file_exists`, `file_failed`. */
export async function placeOf(to: Wish['to'], { ports }: LogParts): Promise<Place | null> {
  switch (to.kind) {
    case 'pull':
      return { name: to.name, path: null, to: { kind: 'pieces' } }
    case 'file':
      return fileAt(to.path, to.overwrite)
    case 'ask': {
      if (!ports.dialogs) {
        throw new AppError(
          'bad_input',
          'This Tabscope has no dialogs for files. Name a file, or have it handed out.',
        )
      }
      const chosen = await ports.dialogs.save(to.name)
      // The dialog has asked before it named a file that is there.
      return chosen === null ? null : fileAt(chosen, true)
    }
  }
}

async function fileAt(file: string, overwrite: boolean): Promise<Place> {
  if (!path.isAbsolute(file) || file.includes('\0')) {
    throw new AppError('bad_input', 'The path of the file must be absolute. Write all of it.')
  }
  const final = await replaceable(path.resolve(file))
  if (!overwrite && (await isThere(final))) throw fileExists(final)
  const part = `${final}.part-${randomBytes(6).toString('hex')}`
  const name = path.basename(final)
  return { name, path: final, to: { kind: 'file', path: final, part, overwrite } }
}

/**
 * The file that would be written: where the name is a link, what it leads to. Throws `file_failed` for a device or a pipe, which a
 * rename would take the place of: /dev/null would be a file from then on.
 */
async function replaceable(file: string): Promise<string> {
  try {
    const real = (await lstat(file)).isSymbolicLink() ? await realpath(file) : file
    const stats = await stat(real)
    if (stats.isFile() || stats.isDirectory()) return real
  } catch {
    // Not there yet: what is wrong with its folder is told when it is made.
    return file
  }
  throw new AppError(
    'file_failed',
    `${file} is a device or a pipe, not a file. Name a file, or write to stdout: -o -`,
  )
}

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw fileFailed(file, error)
  }
}
