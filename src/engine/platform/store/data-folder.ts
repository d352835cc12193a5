import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '#shared/json/object.ts'
import { isForeign } from './private-files.ts'

// Paths in a data folder, and the process that holds it. Does not load SQLite or schemas, so that a command that joins a running Tabscope starts fast.

/** Where the holder accepts calls from other processes of the same user. */
export interface ControlAddress {
  readonly path: string
  readonly token: string
  /** `desktop`, or the name of the command; null: a command that exits when its work is done. */
  readonly program: string | null
}

export interface Holder {
  readonly pid: number
  /** An origin; null if it does not listen. */
  readonly listener: string | null
  readonly control: ControlAddress | null
}

export function storePath(dataDir: string): string {
  return join(dataDir, 'tabscope.db')
}

/** Of the stores of event logs, beside `storePath`. */
export const logsFolder = 'logs'

/** Their names. A reader takes a file of another name for the store of a data folder, or for a part of a database. */
export const logStoreName = /^[0-9a-f]{1,64}-\d{1,9}\.db$/

export function lockPath(dataDir: string): string {
  return join(dataDir, 'lock.db')
}

export function holderPath(dataDir: string): string {
  return join(dataDir, 'running.json')
}

/** May be stale after a crash: only the lock is reliable. */
export function readHolder(dataDir: string): Holder | null {
  try {
    const file = holderPath(dataDir)
    // A file of another user could make this process send its calls to that user.
    if (isForeign(file)) return null
    return holderOf(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

function holderOf(value: unknown): Holder | null {
  if (!isObject(value)) return null
  const { pid, listener, control = null } = value
  if (!Number.isSafeInteger(pid) || typeof pid !== 'number') return null
  if (listener !== null && typeof listener !== 'string') return null
  if (control === null) return { pid, listener, control }
  const address = addressOf(control)
  return address && { pid, listener, control: address }
}

function addressOf(value: unknown): ControlAddress | null {
  if (!isObject(value)) return null
  const { path, token, program } = value
  if (typeof path !== 'string' || typeof token !== 'string') return null
  return typeof program === 'string' || program === null ? { path, token, program } : null
}
