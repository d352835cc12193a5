// Keeps what V8 compiles of the command line for its next start. What is kept is executed, so it lies in a folder that only this user can
// write, beside the code itself.
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
 * From now on modules are compiled with the cache. Does nothing where the folder cannot be made, belongs to another user or can be written by
 * one; the start is only slower then.
 * @param {string} root
 */
export function useCompileCache(root) {
  const folder = compileCache(root)
  // A folder of ours in that of another user could not be deleted by their next build.
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
  // On Windows a folder has the rights of the one above it, where the code lies.
  if (process.getuid === undefined) return true
  return found.uid === process.getuid() && (found.mode & 0o022) === 0
}
