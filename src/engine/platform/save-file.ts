import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import path from 'node:path'
import type { SavedFile } from '#contract/models.ts'
import { AppError } from './errors.ts'
import { fileFailed } from './file-errors.ts'
import type { EnginePorts } from './ports.ts'

/** Where something is written before it is renamed to its final name: nobody can create that file, or a link, first. Create it exclusively (`wx`). */
export function partOf(final: string): string {
  return `${final}.part-${randomBytes(6).toString('hex')}`
}

/**
 * The file that is created or replaced for a path of the user, and its permissions, null if it does not exist. A link is followed, as by editors, if it and
 * its file belong to the user; others could choose what is written. Throws `file_failed`, also for a read-only file, a link to no file, and a device or a pipe: a
 * rename would replace them.
 */
export function destinationOf(file: string): { final: string; mode: number | null } {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false })
    const target = found && statSync(file, { throwIfNoEntry: false })
    const isLink = found?.isSymbolicLink()
    const isOwn = [found, target].every((each) => each?.uid === (process.getuid?.() ?? 0))
    const owned = target ? 'of another user, or to a file of one' : 'to a file that does not exist'
    const mode = target ? target.mode & 0o777 : null
    const problem = isDevice(target)
      ? 'a device or a pipe, not a file'
      : isLink && !isOwn
        ? `a link ${owned}, not a file`
        : target?.isFile() && (target.mode & 0o200) === 0 && 'read-only, so it is not replaced'
    if (!problem) return { final: isLink ? realpathSync(file) : file, mode }
    throw new AppError('file_failed', `${file} is ${problem}. Enter the path of another file.`)
  } catch (error) {
    throw fileFailed(file, error)
  }
}

function isDevice(target: Stats | undefined): boolean {
  return target !== undefined && !target.isFile() && !target.isDirectory()
}

/**
 * Creates or replaces a file of the user, with its folder, at `destinationOf` it, and at once. `isPrivate`: for what is not redacted, readable only by the
 * user; else an existing file keeps its permissions, and a device or a pipe gets the content. Throws `file_failed`.
 */
export function writeFileAt(file: string, content: string | Uint8Array, isPrivate: boolean): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!isPrivate && isDevice(found)) return writeFileSync(file, content)
  const { final, mode } = destinationOf(file)
  const part = partOf(final)
  try {
    mkdirSync(path.dirname(final), { recursive: true })
    // Nobody can read it meanwhile who cannot read the file.
    const created = isPrivate ? 0o600 : (mode ?? 0o666)
    writeFileSync(part, content, { mode: created, flag: 'wx', flush: true })
    if (!isPrivate && mode !== null) chmodSync(part, mode)
    renameSync(part, final)
  } catch (error) {
    rmSync(part, { force: true })
    throw fileFailed(file, error)
  }
}

/** In a file that the user selects, or as bytes for the caller. Throws `file_failed`. */
export async function saveFile(
  { dialogs }: Pick<EnginePorts, 'dialogs'>,
  to: 'ask' | 'bytes',
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<SavedFile> {
  if (to === 'bytes' || !dialogs) return { name, path: null, bytes }
  const file = await dialogs.save(name)
  if (file !== null) writeFileAt(file, bytes, true)
  return { name, path: file, bytes: null }
}
