// Caches the compiled code of the command line for the next start. The cache is executed, so it is in a folder that only this user can write,
// next to the code itself.
import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import module from 'node:module'

/**
 * The folder of the cache; a build deletes it.
 * @param {string} root
 * @returns {string}
 */
export function compileCache(root) {
  return `${root}/out/.compile-cache`
}

/**
 * For modules loaded from now on. Does nothing if the folder cannot be created, belongs to another user or is writable by others.
 * @param {string} root
 */
export function useCompileCache(root) {
  const folder = compileCache(root)
  // In a folder of another user, their next build could not delete ours.
  if (!isOurs(`${root}/out`)) return
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  } catch {
    return
  }
  if (isOurs(folder)) module.enableCompileCache(folder)
}

/** @param {string} folder */
function isOurs(folder) {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined || !found.isDirectory()) return false
  // On Windows a folder inherits its permissions from the parent, which contains the code.
  if (process.getuid === undefined) return true
  return found.uid === process.getuid() && (found.mode & 0o022) === 0
}
