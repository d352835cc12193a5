import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '#shared/json/object.ts'
import { isForeign } from './private-files.ts'

// Where things are in a data folder, and who holds it. Loads neither SQLite nor schemas: a command that joins a running Tabscope needs no more.

/** Where the holder accepts calls from other processes of the same user, and the token that it requires. */
export interface ControlAddress {
  readonly path: string
  readonly token: string
  /** False: a short command, which ends when it has done its work. */
  readonly lasting: boolean
}

/** The process that holds the folder, as it announced itself to others. */
export interface Holder {
  readonly pid: number
  /** The origin of its listener; null: it does not listen. */
  readonly listener: string | null
  readonly control: ControlAddress | null
}

/** The SQLite file of a data folder. */
export function storePath(dataDir: string): string {
  return join(dataDir, 'tabscope.db')
}

/** The file that the holder of the folder keeps locked. */
export function lockPath(dataDir: string): string {
  return join(dataDir, 'lock.db')
}

/** The file in which the holder announces itself. */
export function holderPath(dataDir: string): string {
  return join(dataDir, 'running.json')
}

/** The announced holder of the folder; null when there is none, or not a valid one. Stale after a crash: the lock decides. */
export function readHolder(dataDir: string): Holder | null {
  try {
    const file = holderPath(dataDir)
    // Who follows the word of another user sends them what is meant for Tabscope.
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
  const { path, token, lasting } = value
  if (typeof path !== 'string' || typeof token !== 'string') return null
  return typeof lasting === 'boolean' ? { path, token, lasting } : null
}
