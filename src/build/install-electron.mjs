// Finds Electron's executable, and runs its installer. The installer has no timeout if packets are dropped, and shows no progress in its first 30 seconds: this
// module stops it when no data arrives, and shows the progress.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Without a byte in this time, the server is unreachable. A proxy that scans downloads may take most of it. */
const FIRST_BYTE_MS = 15_000
/** Without a further byte in this time, the download has stalled. */
const STALLED_MS = 60_000
const POLL_MS = 200

/**
 * Downloads Electron's binary, with progress on stderr. Never throws: check for the binary afterwards.
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
  // Its own temporary folder, whose size shows how much has been downloaded.
  const temp = mkdtempSync(path.join(tmpdir(), 'tabscope-electron-'))
  const child = spawn(process.execPath, [installer], {
    cwd: root,
    stdio: 'ignore',
    env: {
      ...process.env,
      TMPDIR: temp,
      TMP: temp,
      TEMP: temp,
      // Otherwise the installer ignores HTTPS_PROXY.
      ELECTRON_GET_USE_PROXY: '1',
    },
  })
  process.stderr.write('Downloading Electron (once, about 120 MB)…')
  const stopWatching = watch(
    () => bytesIn(temp) + bytesIn(path.join(folder, 'dist')),
    () => child.kill('SIGKILL'),
    firstByteMs,
  )
  return new Promise((resolve) => {
    const done = () => {
      stopWatching()
      process.stderr.write('\n')
      // On Windows a file that a virus scanner still reads cannot be deleted. It stays in the temporary folder.
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
 * @param {() => number} measure bytes downloaded so far
 * @param {() => void} cancel
 * @param {number} firstByteMs
 */
function watch(measure, cancel, firstByteMs) {
  const before = measure()
  let last = before
  let lastAt = performance.now()
  const timer = setInterval(() => {
    const now = measure()
    if (now !== last) {
      last = now
      lastAt = performance.now()
      if (process.stderr.isTTY) {
        process.stderr.write(`\rDownloading Electron… ${Math.round((now - before) / 1e6)} MB    `)
      }
    }
    const timeoutMs = last === before ? firstByteMs : STALLED_MS
    if (performance.now() - lastAt > timeoutMs) cancel()
  }, POLL_MS)
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
    // Not created yet, or just moved: measured again at the next poll.
  }
  return sum
}

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
