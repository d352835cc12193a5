import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  statSync,
  type Stats,
} from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../platform/errors.ts'

/** What Tabscope puts into a data folder. `interface` is what Chromium keeps. */
const ours =
  /^(tabscope\.(db|log)|lock\.db|running\.json|interface\.json|control\.sock|key)([.-].*)?$|^(journal|logs|interface|\.DS_Store)$/
/** Of these the files as well. */
const folders = ['.', 'journal', 'logs']
/** Mode bits of everybody but the owner. */
const others = 0o077
const othersWrite = 0o022
const sticky = 0o1000

/** On Windows a folder of the user's profile is theirs alone, and files have no such mode. */
const hasModes = process.platform !== 'win32'

/**
 * Takes from everybody but the owner what a data folder and the files of Tabscope in it let them do, as an earlier version, an unpacked backup
 * or the user's own folder may have it. A folder that holds other things as well keeps its mode. Returns how many were changed. Throws
 * `store_failed` where something belongs to another user, or where others could put their own files in the place of ours.
 */
export function makePrivate(dataDir: string): number {
  if (!hasModes) return 0
  const folder = statSync(dataDir)
  assertOwner(dataDir, folder)
  const isShared = readdirSync(dataDir).some((name) => !ours.test(name))
  if (isShared && folder.mode & othersWrite && !(folder.mode & sticky)) {
    throw new AppError(
      'store_failed',
      `Other users can write in ${dataDir}, which also holds other files. Choose a folder of your own: --data DIR.`,
    )
  }
  let changed = isShared ? 0 : repair(dataDir, folder)
  for (const inside of folders) {
    for (const name of namesIn(join(dataDir, inside))) {
      if (inside === '.' && !ours.test(name)) continue
      const path = join(dataDir, inside, name)
      const found = lstatSync(path, { throwIfNoEntry: false })
      // What was deleted meanwhile, by the Tabscope that holds the folder.
      if (!found) continue
      assertOwner(path, found)
      // A link has no mode of its own.
      if (!found.isSymbolicLink()) changed += repair(path, found)
    }
  }
  return changed
}

/** Makes an empty file that only the owner can read, where there is none: SQLite would make one for everybody, and its WAL after it. */
export function createPrivately(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
}

/** True for a file of another user: what it says is not ours. */
export function isForeign(path: string): boolean {
  return hasModes && statSync(path).uid !== process.getuid?.()
}

function repair(path: string, { mode }: Stats): 0 | 1 {
  if ((mode & others) === 0) return 0
  try {
    chmodSync(path, mode & 0o7777 & ~others)
    return 1
  } catch {
    // A file system without modes, or one that can only be read.
    return 0
  }
}

function assertOwner(path: string, { uid }: Stats): void {
  if (uid === process.getuid?.()) return
  throw new AppError(
    'store_failed',
    `${path} belongs to another user (${uid}). Start Tabscope as that user, or choose another folder: --data DIR.`,
  )
}

/** None where it is no folder, or a link to one. */
function namesIn(folder: string): string[] {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
}
