import { accessSync, constants } from 'node:fs'
import path from 'node:path'

const own = path.resolve(import.meta.dirname, '../../../node_modules/.cache/nats-server')

/**
 * The nats-server of `NATS_SERVER`, of the folder that `.ci/run` fills, or on the path. Null: tests of the relay are skipped.
 * @returns {string | null}
 */
export function findNatsServer() {
  const { NATS_SERVER: given = '' } = process.env
  return [given, path.join(own, 'nats-server')].find(isProgram) ?? findProgram('nats-server')
}

/**
 * On the path.
 * @param {string} name
 * @returns {string | null}
 */
export function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return folders.map((folder) => path.join(folder, name)).find(isProgram) ?? null
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
