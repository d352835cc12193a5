// `npm start`: the Electron window where there can be one, else the same interface in a browser.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { electronBinary } from './electron-binary.mjs'
import { installElectron } from './install-electron.mjs'

/** An Electron that dies of a fault within this time (ms) never came up: a system library or its sandbox is missing. */
const CAME_UP_MS = 5_000
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Starts Tabscope with `args`. Resolves when the server runs; with Electron it ends the process with its exit code.
 * @param {string} root folder of the package
 * @param {readonly string[]} args
 * @returns {Promise<void>}
 */
export async function start(root, args) {
  const outcome = await tryElectron(root, args)
  if (typeof outcome === 'number') process.exit(outcome)
  process.stderr.write(`${outcome}\n`)
  const serveArgs = ['serve', ...args]
  if (!hasDisplay() && !args.includes('--no-open')) serveArgs.push('--no-open')
  const cli = path.join(root, 'out/main/cli.js')
  process.argv = [process.execPath, cli, ...serveArgs]
  await import(pathToFileURL(cli).href)
}

/**
 * Electron's exit code once its window is closed, or one line on why there is none.
 * @param {string} root
 * @param {readonly string[]} args
 * @returns {Promise<number | string>}
 */
async function tryElectron(root, args) {
  const browser = 'opening the same interface in your browser.'
  if (!hasDisplay()) return 'There is no display here; serving the same interface for a browser.'
  if (isSet('TABSCOPE_NO_ELECTRON')) return `TABSCOPE_NO_ELECTRON is set; ${browser}`
  let binary = electronBinary(root)
  if (binary === undefined) {
    if (isSet('ELECTRON_SKIP_BINARY_DOWNLOAD')) {
      return `Electron's binary is not here and ELECTRON_SKIP_BINARY_DOWNLOAD is set; ${browser}`
    }
    await installElectron(root)
    binary = electronBinary(root)
    if (binary === undefined) {
      return `Electron's binary is not here and could not be fetched; ${browser}`
    }
  }
  const end = await runElectron(binary, [root, ...args])
  return end ?? `Electron could not start on this system; ${browser}`
}

function hasDisplay() {
  return process.platform !== 'linux' || isSet('DISPLAY') || isSet('WAYLAND_DISPLAY')
}

/** @param {string} name */
function isSet(name) {
  const value = process.env[name]
  return value !== undefined && value !== '' && value !== '0' && value !== 'false'
}

/**
 * The exit code; undefined when it never came up.
 * @param {string} binary
 * @param {readonly string[]} args
 * @returns {Promise<number | undefined>}
 */
function runElectron(binary, args) {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    let stopping = false
    const child = spawn(binary, args, { stdio: 'inherit' })
    const forward = SIGNALS.map((signal) => {
      const handler = () => {
        stopping = true
        child.kill(signal)
      }
      process.on(signal, handler)
      return () => process.off(signal, handler)
    })
    const done = (/** @type {number | undefined} */ end) => {
      for (const stop of forward) stop()
      resolve(end)
    }
    child.on('error', () => done(undefined))
    child.on('exit', (code, signal) => {
      const atOnce = performance.now() - startedAt < CAME_UP_MS
      // 126 and 127: the loader found no library or no right to run it. Our own faults end with 1 and say why.
      const neverRan = code === 126 || code === 127 || (signal !== null && !stopping)
      if (atOnce && neverRan) done(undefined)
      else done(signal === null ? (code ?? 1) : 128 + constants.signals[signal])
    })
  })
}
