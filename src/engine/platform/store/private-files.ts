import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { systemCodeOf } from '#shared/text/errors.ts'
import { AppError } from '../errors.ts'

/** `interface` is Chromium's storage. */
const ownNames =
  /^(tabscope\.(db|log)|search\.db|config\.db|lock\.db|running\.json|interface\.json|control\.sock|key)([.-].*)?$|^(logs|backups|crashes|interface|\.DS_Store)$/
const checkedFolders = ['.', 'logs']
const others = 0o077
const othersWrite = 0o022
const sticky = 0o1000

/** On Windows, a folder in the user's profile is private, and files have no such mode. */
const hasModes = process.platform !== 'win32'

/**
 * Other users may have permissions in an unpacked backup or an existing folder. A folder that also contains other files keeps its mode. Returns the
 * number of changed entries. Throws `store_failed` if an entry belongs to another user, or if others could replace Tabscope's files.
 */
export function makePrivate(dataDir: string): number {
  if (!hasModes) return 0
  const folder = statSync(dataDir)
  assertOwner(dataDir, folder)
  const isShared = readdirSync(dataDir).some((name) => !ownNames.test(name))
  if (isShared && folder.mode & othersWrite && !(folder.mode & sticky)) {
    throw new AppError(
      'store_failed',
      `Other users can write in ${dataDir}, which also contains other files. Use your own folder: --data DIR.`,
    )
  }
  let changed = isShared ? 0 : repair(dataDir, folder)
  for (const inside of checkedFolders) {
    for (const name of namesIn(join(dataDir, inside))) {
      if (inside === '.' && !ownNames.test(name)) continue
      const path = join(dataDir, inside, name)
      const found = lstatSync(path, { throwIfNoEntry: false })
      // Deleted in the meantime by the process that holds the folder.
      if (!found) continue
      assertOwner(path, found)
      if (!found.isSymbolicLink()) changed += repair(path, found)
    }
  }
  return changed
}

/** With the folders above it. The recursive `mkdir` of Node retries forever under /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process has just created it.
    if (systemCodeOf(error) !== 'EEXIST') throw error
  }
}

/** SQLite would create the file, and its WAL, readable for everybody. */
export function createPrivately(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
}

export const partEnd = '.part'

/** With its name only once it is complete and on the disk, also after a kill. Replaces a file. `prepareStore` deletes what was not completed. */
export function writeWhole(path: string, content: Uint8Array): void {
  const part = path + partEnd
  rmSync(part, { force: true })
  writeFileSync(part, content, { mode: 0o600, flag: 'wx', flush: true })
  renameSync(part, path)
}

/** Waits until the content is on the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** It belongs to another user and must not be trusted. */
export function isForeign(path: string): boolean {
  return hasModes && statSync(path).uid !== process.getuid?.()
}

function repair(path: string, { mode }: Stats): 0 | 1 {
  if ((mode & others) === 0) return 0
  try {
    chmodSync(path, mode & 0o7777 & ~others)
    return 1
  } catch {
    // The file system has no modes or is read-only.
    return 0
  }
}

function assertOwner(path: string, { uid }: Stats): void {
  if (uid === process.getuid?.()) return
  throw new AppError(
    'store_failed',
    `${path} belongs to another user (${uid}). Start Tabscope as that user, or use another folder: --data DIR.`,
  )
}

function namesIn(folder: string): string[] {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
}
