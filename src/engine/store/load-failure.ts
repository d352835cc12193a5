import { AppError } from '../platform/errors.ts'

/** Of glibc and libstdc++: names of versions that the loader of Linux did not find. */
const missingVersion = /version [`'](GLIBC|GLIBCXX|CXXABI)_[\d.]+' not found/

/** Why SQLite's native library could not be loaded, and what to do; null: the error is about something else. */
export function explainLoadFailure(error: unknown): AppError | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  if (error.code !== 'ERR_DLOPEN_FAILED' && error.code !== 'MODULE_NOT_FOUND') return null
  const [reason = ''] = error.message.split('\n')
  return new AppError(
    'store_failed',
    missingVersion.test(reason)
      ? `Tabscope needs glibc 2.34 and libstdc++ 11 or later, and this system has older ones (${reason}). Use Debian 12, Ubuntu 22.04, Fedora 35, RHEL 9 or a later version of them.`
      : `Tabscope cannot load its database library (${reason}). Install Tabscope again.`,
    { cause: error },
  )
}
