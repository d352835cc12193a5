// Runs Electron's own installer, and watches it. The installer waits for ever where packets are swallowed, and shows
// nothing for its first 30 seconds: we give up when nothing arrives at all, and show what does.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** No byte for this long (ms) from the start: nothing can be reached. Below 5 s with all that comes around it. */
const FIRST_BYTE_MS = 4_000
/** No further byte for this long (ms): the download died. */
const STALLED_MS = 60_000
const LOOK_MS = 200

/**
 * Fetches Electron's binary, with progress on stderr. Never throws: whether it came is seen by looking for it.
 * @param {string} root folder of the package
 * @returns {Promise<void>}
 */
export function installElectron(root) {
  const folder = path.join(root, 'node_modules/electron')
  const installer = path.join(folder, 'install.js')
  if (!existsSync(installer)) return Promise.resolve()
  // A temp folder of its own: how much lies in it is how much has arrived.
  const temp = mkdtempSync(path.join(tmpdir(), 'tabscope-electron-'))
  const child = spawn(process.execPath, [installer], {
    cwd: root,
    stdio: 'ignore',
    env: {
      ...process.env,
      TMPDIR: temp,
      TMP: temp,
      TEMP: temp,
      // Else Node's fetch, which the installer uses, ignores HTTPS_PROXY.
      NODE_USE_ENV_PROXY: '1',
    },
  })
  process.stderr.write('Fetching Electron (once, about 120 MB)…')
  const stopLooking = watch(
    () => bytesIn(temp) + bytesIn(path.join(folder, 'dist')),
    () => child.kill('SIGKILL'),
  )
  return new Promise((resolve) => {
    const done = () => {
      stopLooking()
      process.stderr.write('\n')
      rmSync(temp, { recursive: true, force: true })
      resolve()
    }
    child.on('error', done)
    child.on('exit', done)
  })
}

/**
 * @param {() => number} measure bytes that have arrived
 * @param {() => void} giveUp
 */
function watch(measure, giveUp) {
  const before = measure()
  let last = before
  let lastAt = performance.now()
  const timer = setInterval(() => {
    const now = measure()
    if (now !== last) {
      last = now
      lastAt = performance.now()
      if (process.stderr.isTTY) {
        process.stderr.write(`\rFetching Electron… ${Math.round((now - before) / 1e6)} MB    `)
      }
    }
    const patience = last === before ? FIRST_BYTE_MS : STALLED_MS
    if (performance.now() - lastAt > patience) giveUp()
  }, LOOK_MS)
  return () => clearInterval(timer)
}

/** @param {string} folder @returns {number} */
function bytesIn(folder) {
  let sum = 0
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name)
      sum += entry.isDirectory() ? bytesIn(file) : statSync(file).size
    }
  } catch {
    // Not there yet, or just moved away: the next look will tell.
  }
  return sum
}
