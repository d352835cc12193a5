import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Path of Electron's executable; undefined if it is not installed. Reads the files of Electron's installer and never imports
 * the package, which would start the download.
 * @param {string} root folder of the package
 * @returns {string | undefined}
 */
export function electronBinary(root) {
  const folder = path.join(root, 'node_modules/electron')
  const dist = process.env['ELECTRON_OVERRIDE_DIST_PATH'] || path.join(folder, 'dist')
  try {
    const binary = path.join(dist, readFileSync(path.join(folder, 'path.txt'), 'utf8'))
    return existsSync(binary) ? binary : undefined
  } catch {
    return undefined
  }
}
