import { statSync } from 'node:fs'
import { systemCodeOf } from '#shared/text/errors.ts'
import { AppError } from './errors.ts'

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

/** Whatever call reports them. */
const limitCodes: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT', 'ENOMEM'])

const damageCodes = /^(SQLITE_CORRUPT|SQLITE_NOTADB)/

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
  [/^ENOTDIR/, 'The path, or a part of it, is a file. Choose a folder.'],
  [/^ENOENT/, 'The folder, or a file in it, is missing. Put it back, or choose another folder.'],
  [
    /^SQLITE_CANTOPEN/,
    'The store cannot be opened. Check that the folder exists, that it is writable, and that its disk has space. Too many open files are another possible reason.',
  ],
  [
    /^(EIO|SQLITE_IOERR)/,
    'The disk reported an error. Check that it is connected, that it has space, and that it works.',
  ],
  [damageCodes, 'The store is damaged. Restart Tabscope: it keeps what is readable.'],
  [
    /^(EMFILE|ENFILE)/,
    'Too many files are open. Close other programs, or raise the limit on open files.',
  ],
  [/^ENOMEM/, 'Too little memory is free. Close other programs.'],
  [/^(SQLITE_BUSY|SQLITE_LOCKED)/, 'Another program has locked the store. Close it.'],
]

/** Says what to do; null if the error is not about storage. */
export function storageReason(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  // Node reports it without a code when it loads a module.
  if (/too many open files/i.test(error.message)) return reasonOfCode('EMFILE')
  if (!('code' in error) || typeof error.code !== 'string') return null
  // A thread that cannot start has the code of the system in its message.
  const code =
    error.code === 'ERR_WORKER_INIT_FAILED'
      ? (/\bE[A-Z]{3,20}$/.exec(error.message)?.[0] ?? '')
      : error.code
  const isFile = 'syscall' in error && fileCalls.has(String(error.syscall))
  if (!isFile && !limitCodes.has(code) && !code.startsWith('SQLITE_')) return null
  return reasonOfCode(code)
}

function reasonOfCode(code: string): string | null {
  return reasons.find(([codes]) => codes.test(code))?.[1] ?? null
}

export function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.message
  const name = systemCodeOf(error) || (error instanceof Error ? error.name : typeof error)
  return storageReason(error) ?? `An internal error occurred (${name}). Restart Tabscope.`
}

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
