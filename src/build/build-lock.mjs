// A lock between processes. It is a folder, because mkdir is atomic on every system.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A holder writes its process ID right after the mkdir. If it is missing after this time, the holder died in between. */
const NAMELESS_MS = 5_000
const POLL_MS = 50

/**
 * Runs `work` while holding `lock`. Waits while the holder is alive; takes over from a dead one.
 * @param {string} lock path of the lock folder; its parent must exist
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
    // EPERM: it is alive, and belongs to another user.
    return codeOf(error) === 'ESRCH'
  }
}

/**
 * Under a guard and after a second check: if two processes saw the dead holder, the slower one would remove the lock that the faster one has just taken.
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

/** Milliseconds since the folder was created; undefined if it is gone. @param {string} folder */
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
