// `npm start`: the Electron window where there can be one, else the same interface in a browser. `npm run dev`: the window, with reload.
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { passSignalsOn } from './child-signals.mjs'
import { electronBinary } from './electron-binary.mjs'
import { installElectron } from './install-electron.mjs'

/** An Electron that dies of a fault within this time (ms) never came up: a system library or its sandbox is missing. */
const CAME_UP_MS = 5_000
const IN_BROWSER = 'opening the same interface in your browser.'
/**
 * Variables by which an Electron that is started from here would be something else: plain Node (a terminal within an Electron app hands it
 * on), a packaged app, or a window on a development server that is long gone.
 */
const NOT_INHERITED = [
  'ELECTRON_RUN_AS_NODE',
  'ELECTRON_FORCE_IS_PACKAGED',
  'ELECTRON_RENDERER_URL',
]

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
 * `tabscope --self-check`: with Electron where its binary is here, else what can be checked without it. Nothing is fetched.
 * @param {string} root folder of the package
 * @param {readonly string[]} args
 * @returns {Promise<void>}
 */
export async function selfCheck(root, args) {
  const binary = hasDisplay() && !isSet('TABSCOPE_NO_ELECTRON') ? electronBinary(root) : undefined
  if (binary !== undefined) {
    const outcome = await runElectron(binary, [root, ...args])
    if (typeof outcome === 'number') process.exit(outcome)
    const detail = outcome.replace(`\nNow ${IN_BROWSER}`, '').replace(`; ${IN_BROWSER}`, '.')
    const failed = { event: 'check', check: 'start', status: 'failed', durationMs: 0, detail }
    const verdict = {
      event: 'verdict',
      verdict: 'failed',
      passed: 0,
      failed: 1,
      skipped: 0,
      durationMs: 0,
    }
    process.stdout.write(`${JSON.stringify(failed)}\n${JSON.stringify(verdict)}\n`)
    process.exit(1)
  }
  process.stderr.write('Electron does not run here: window, menu and tray are not checked.\n')
  await import(pathToFileURL(path.join(root, 'out/main/cli.js')).href)
}

/**
 * Electron's exit code once its window is closed, or one line on why there is none.
 * @param {string} root
 * @param {readonly string[]} args
 * @returns {Promise<number | string>}
 */
async function tryElectron(root, args) {
  if (!hasDisplay()) return 'There is no display here; serving the same interface for a browser.'
  if (isSet('TABSCOPE_NO_ELECTRON')) return `TABSCOPE_NO_ELECTRON is set; ${IN_BROWSER}`
  let binary = electronBinary(root)
  if (binary === undefined) {
    if (isSet('ELECTRON_SKIP_BINARY_DOWNLOAD')) {
      return `Electron's binary is not here and ELECTRON_SKIP_BINARY_DOWNLOAD is set; ${IN_BROWSER}`
    }
    await installElectron(root)
    binary = electronBinary(root)
    if (binary === undefined) {
      return `Electron's binary is not here and could not be fetched; ${IN_BROWSER}`
    }
  }
  return runElectron(binary, [root, ...args])
}

/**
 * Runs the desktop app on electron-vite's development server, which reloads the interface when its source changes. Resolves with the exit
 * code.
 * @param {string} root folder of the package
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
export async function develop(root, args) {
  if (electronBinary(root) === undefined) await installElectron(root)
  const binary = electronBinary(root)
  if (binary === undefined) {
    process.stderr.write("Electron's binary is not here and could not be fetched.\n")
    return 1
  }
  const server = path.join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  const child = spawn(process.execPath, [server, 'dev', '--', ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...electronEnvironment(), ELECTRON_EXEC_PATH: binary },
  })
  const { code, signal } = await ended(child)
  return codeOf(code, signal)
}

/**
 * The environment that Electron gets. Names are compared without case, as Windows does.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {NodeJS.ProcessEnv}
 */
export function electronEnvironment(env = process.env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !NOT_INHERITED.includes(name.toUpperCase())),
  )
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
 * Electron's exit code; when it never came up, what to tell the user.
 * @param {string} binary
 * @param {readonly string[]} args
 * @param {import('./child-signals.mjs').Options} [options]
 * @returns {Promise<number | string>}
 */
export async function runElectron(binary, args, options = {}) {
  const platform = options.platform ?? process.platform
  const startedAt = performance.now()
  // On Windows a program with windows hears nothing of the console: it is asked over a channel.
  const child = spawn(binary, args, {
    stdio: platform === 'win32' ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    env: electronEnvironment(),
  })
  const { code, signal, told, failed } = await ended(child, options)
  const atOnce = performance.now() - startedAt < CAME_UP_MS
  // 126 and 127: the loader found no library or no right to run it. Our own faults end with 1 and say why.
  const neverRan = failed || code === 126 || code === 127 || (signal !== null && !told)
  if (!atOnce || !neverRan) return codeOf(code, signal)
  return (
    sandboxAdvice(binary, signal, platform) ??
    `Electron could not start on this system; ${IN_BROWSER}`
  )
}

/**
 * What to do where Chromium has aborted since its sandbox helper, as npm unpacks it, does not belong to root. It needs that helper where the
 * system denies programs namespaces of their own, as Ubuntu does since 23.10. Null: it was something else.
 * @param {string} binary
 * @param {NodeJS.Signals | null} signal by which Electron has ended
 * @param {NodeJS.Platform} platform
 * @param {(file: string) => { uid: number, mode: number }} stat
 * @returns {string | null}
 */
export function sandboxAdvice(binary, signal, platform, stat = statSync) {
  // A failed check of Chromium is a trap instruction.
  if (platform !== 'linux' || (signal !== 'SIGTRAP' && signal !== 'SIGABRT' && signal !== 'SIGILL'))
    return null
  // As root Electron refuses to start whatever its helper's rights are.
  if (process.getuid?.() === 0) return null
  const helper = path.join(path.dirname(binary), 'chrome-sandbox')
  try {
    const { uid, mode } = stat(helper)
    if (uid === 0 && (mode & 0o4001) === 0o4001) return null
  } catch {
    return null
  }
  const quoted = `'${helper.replaceAll("'", "'\\''")}'`
  return [
    'Electron could not start: on this system its sandbox helper must belong to root. For the window, run these two commands once:',
    `  sudo chown root:root ${quoted}`,
    `  sudo chmod 4755 ${quoted}`,
    `Now ${IN_BROWSER}`,
  ].join('\n')
}

/**
 * Waits for the child's end; until then signals end the child, not us.
 * @param {import('node:child_process').ChildProcess} child
 * @param {import('./child-signals.mjs').Options} [options]
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null, told: boolean, failed: boolean }>}
 */
function ended(child, options) {
  const signals = passSignalsOn(child, options)
  return new Promise((resolve) => {
    const done = (
      /** @type {number | null} */ code,
      /** @type {NodeJS.Signals | null} */ signal,
      failed = false,
    ) => {
      signals.stop()
      resolve({ code, signal, told: signals.received, failed })
    }
    child.on('error', () => done(null, null, true))
    child.on('exit', (code, signal) => done(code, signal))
  })
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function codeOf(code, signal) {
  return signal === null ? (code ?? 1) : 128 + constants.signals[signal]
}
