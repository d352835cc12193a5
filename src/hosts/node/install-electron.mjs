// Runs Electron's own installer, and watches it. The installer waits for ever where packets are swallowed, and shows
// nothing for its first 30 seconds: we give up when nothing arrives at all, and show what does.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** No byte for this long (ms) from the start: nothing can be reached. A proxy that looks at what it passes on may take most of it. */
const FIRST_BYTE_MS = 15_000
/** No further byte for this long (ms): the download died. */
const STALLED_MS = 60_000
const LOOK_MS = 200

/**
 * Fetches Electron's binary, with progress on stderr. Never throws: whether it came is seen by looking for it.
 * @param {string} root folder of the package
 * @param {object} [options]
 * @param {number} [options.firstByteMs] how long to wait for the first byte
 * @param {typeof rm} [options.remove] how the temporary folder is deleted
 * @returns {Promise<void>}
 */
export function installElectron(root, { firstByteMs = FIRST_BYTE_MS, remove = rm } = {}) {
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
      // Else the installer ignores HTTPS_PROXY: it has undici read it, as Node's own fetch does from 22.21 on only.
      ELECTRON_GET_USE_PROXY: '1',
    },
  })
  process.stderr.write('Fetching Electron (once, about 120 MB)…')
  const stopLooking = watch(
    () => bytesIn(temp) + bytesIn(path.join(folder, 'dist')),
    () => child.kill('SIGKILL'),
    firstByteMs,
  )
  return new Promise((resolve) => {
    const done = () => {
      stopLooking()
      process.stderr.write('\n')
      // A file that a virus scanner still reads cannot be deleted on Windows. It stays in the folder of temporary files.
      remove(temp, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }).then(
        resolve,
        () => resolve(),
      )
    }
    child.on('error', done)
    child.on('exit', done)
  })
}

/**
 * @param {() => number} measure bytes that have arrived
 * @param {() => void} giveUp
 * @param {number} firstByteMs
 */
function watch(measure, giveUp, firstByteMs) {
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
    const patience = last === before ? firstByteMs : STALLED_MS
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
