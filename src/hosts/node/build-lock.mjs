// A lock between processes, made of a folder: mkdir either makes it or fails, on every system.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A holder writes its id right after the mkdir: one without an id for this long (ms) died between the two. */
const NAMELESS_MS = 5_000
const POLL_MS = 50

/**
 * Runs `work` while holding `lock`. Waits for a holder that is alive, takes over from one that is not.
 * @param {string} lock path of a folder that stands for the lock; its parent must exist
 * @param {() => void} work
 * @returns {Promise<void>}
 */
export async function withBuildLock(lock, work) {
  while (!tryMkdir(lock)) {
    if (isAbandoned(lock)) breakLock(lock)
    else await sleep(POLL_MS)
  }
  try {
    writeFileSync(path.join(lock, 'pid'), String(process.pid))
    work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

/** @param {string} folder */
function tryMkdir(folder) {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** @param {string} lock */
function isAbandoned(lock) {
  const age = ageOf(lock)
  if (age === undefined) return false
  let pid
  try {
    pid = Number(readFileSync(path.join(lock, 'pid'), 'utf8'))
  } catch {
    pid = 0
  }
  if (!(pid > 0)) return age > NAMELESS_MS
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    // EPERM: it lives, under another user.
    return codeOf(error) === 'ESRCH'
  }
}

/**
 * Only under a guard of its own, and only after a second look: else of two who both saw a dead holder, the slower
 * would remove the lock that the faster has just taken.
 * @param {string} lock
 */
function breakLock(lock) {
  const guard = `${lock}-break`
  if (!tryMkdir(guard)) {
    const age = ageOf(guard)
    if (age !== undefined && age > NAMELESS_MS) rmSync(guard, { recursive: true, force: true })
    return
  }
  try {
    if (isAbandoned(lock)) rmSync(lock, { recursive: true, force: true })
  } finally {
    rmSync(guard, { recursive: true, force: true })
  }
}

/** Milliseconds since the folder was made; undefined when it is gone. @param {string} folder */
function ageOf(folder) {
  try {
    return Date.now() - statSync(folder).mtimeMs
  } catch {
    return undefined
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
