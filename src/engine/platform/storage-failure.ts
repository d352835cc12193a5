import { statSync } from 'node:fs'
import { AppError } from './errors.ts'
import { messageOf } from '#shared/text/errors.ts'

/** Calls on files and folders. An `EACCES` of `listen` or `spawn` is not a storage failure. */
const fileCalls: ReadonlySet<string> = new Set([
  'access',
  'chmod',
  'chown',
  'close',
  'copyfile',
  'fchmod',
  'fdatasync',
  'fstat',
  'fsync',
  'ftruncate',
  'link',
  'lstat',
  'mkdir',
  'mkdtemp',
  'open',
  'read',
  'rename',
  'rm',
  'rmdir',
  'scandir',
  'stat',
  'statfs',
  'unlink',
  'write',
])

const damageCodes = /^(SQLITE_CORRUPT|SQLITE_NOTADB)/

/** By error code of the system or of SQLite, whose extended codes start with the basic code. */
const reasons: readonly (readonly [codes: RegExp, reason: string])[] = [
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, 'The disk is full. Free up space on it.'],
  [
    /^(ESTALE|SQLITE_READONLY_DBMOVED)/,
    'The data folder was moved or deleted. Put it back, or restart Tabscope.',
  ],
  [/^(EROFS|SQLITE_READONLY)/, 'The folder is read-only. Make it writable.'],
  [
    /^(EACCES|EPERM|SQLITE_PERM|SQLITE_AUTH)/,
    'The folder does not allow writing. Check its permissions.',
  ],
  [
    /^(ENOENT|ENOTDIR)/,
    'The folder, or a file in it, is missing. Put it back, or choose another folder.',
  ],
  [
    /^SQLITE_CANTOPEN/,
    'The store cannot be opened. Check that the folder exists, that it is writable, and that its disk has space.',
  ],
  [
    /^(EIO|SQLITE_IOERR)/,
    'The disk reported an error. Check that it is connected, that it has space, and that it works.',
  ],
  [damageCodes, 'The store is damaged. Restart Tabscope: it keeps what is readable.'],
  [/^(EMFILE|ENFILE)/, 'Too many files are open. Close other programs.'],
  [/^(SQLITE_BUSY|SQLITE_LOCKED)/, 'Another program has locked the store. Close it.'],
]

/** Says what to do; null if the error is not about storage. */
export function storageReason(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  const { code } = error
  const isFile = 'syscall' in error && fileCalls.has(String(error.syscall))
  if (!isFile && !code.startsWith('SQLITE_')) return null
  return reasons.find(([codes]) => codes.test(code))?.[1] ?? null
}

export function reasonOf(error: unknown): string {
  return storageReason(error) ?? messageOf(error)
}

/** By the codes of SQLite. */
function isDamageCode(error: unknown): boolean {
  return error instanceof Error && 'code' in error && damageCodes.test(String(error.code))
}

export function storageFailure(error: unknown): AppError | null {
  const reason = storageReason(error)
  if (reason === null) return null
  return new AppError('store_failed', `Tabscope cannot read or write its data. ${reason}`, {
    retry: 'later',
    cause: error,
    ...(isDamageCode(error) && { details: { damaged: true } }),
  })
}

/**
 * Returns a function that throws (`ESTALE`) if the file at `path` was replaced or deleted since: an open file can still be written after it was
 * deleted, but the data would be lost. On Windows open files cannot be deleted.
 */
export function watchFile(path: string): () => void {
  if (process.platform === 'win32') return () => undefined
  const before = statSync(path)
  return () => {
    const now = statSync(path, { throwIfNoEntry: false })
    if (now?.ino === before.ino && now.dev === before.dev) return
    throw Object.assign(new Error(`ESTALE: ${path} was moved or deleted`), {
      code: 'ESTALE',
      syscall: 'stat',
      path,
    })
  }
}
