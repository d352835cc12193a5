// `npm start`: the Electron window if it can run, else the same interface in a browser. `npm run dev`: the window, with reload.
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { forwardSignals } from '../hosts/node/child-signals.mjs'
import { electronBinary, installElectron } from './install-electron.mjs'

/** If Electron crashes within this time (ms), it could not start: a system library or its sandbox is missing. */
const STARTUP_MS = 5_000
const IN_BROWSER = 'opening the same interface in your browser.'
/**
 * Variables that would make Electron run as plain Node (inherited from a terminal within an Electron app), as a packaged app, or with the
 * window of an old development server.
 */
const NOT_INHERITED = [
  'ELECTRON_RUN_AS_NODE',
  'ELECTRON_FORCE_IS_PACKAGED',
  'ELECTRON_RENDERER_URL',
]

/**
 * Starts Tabscope with `args`. Resolves when the server is running; with Electron, exits with its exit code.
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
 * `tabscope --self-check`: with Electron if it is installed, else only the checks that do not need it. Downloads nothing.
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
  process.stderr.write(
    'Electron cannot run on this system: window, tray and links are not checked.\n',
  )
  await import(pathToFileURL(path.join(root, 'out/main/cli.js')).href)
}

/**
 * Electron's exit code after its window was closed, or a message that says why it could not start.
 * @param {string} root
 * @param {readonly string[]} args
 * @returns {Promise<number | string>}
 */
async function tryElectron(root, args) {
  if (!hasDisplay()) return 'No display found; serving the same interface for a browser.'
  if (isSet('TABSCOPE_NO_ELECTRON')) return `TABSCOPE_NO_ELECTRON is set; ${IN_BROWSER}`
  let binary = electronBinary(root)
  if (binary === undefined) {
    if (isSet('ELECTRON_SKIP_BINARY_DOWNLOAD')) {
      return `Electron is not installed and ELECTRON_SKIP_BINARY_DOWNLOAD is set; ${IN_BROWSER}`
    }
    await installElectron(root)
    binary = electronBinary(root)
    if (binary === undefined) {
      return `Electron is not installed and could not be downloaded; ${IN_BROWSER}`
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
    process.stderr.write('Electron is not installed and could not be downloaded.\n')
    return 1
  }
  const server = path.join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  // The server runs in the checkout, and Electron with it.
  const absolute = args.map((arg, index) =>
    args[index - 1] === '--data' || existsSync(arg) ? path.resolve(arg) : arg,
  )
  const data = process.env['TABSCOPE_DATA']
  const child = spawn(process.execPath, [server, 'dev', '--', ...absolute], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...electronEnvironment(),
      ELECTRON_EXEC_PATH: binary,
      ...(data ? { TABSCOPE_DATA: path.resolve(data) } : {}),
    },
  })
  const { code, signal } = await ended(child)
  return codeOf(code, signal)
}

/**
 * The environment for Electron. Names are not case-sensitive, as on Windows.
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
 * Electron's exit code, or a message for the user if it could not start.
 * @param {string} binary
 * @param {readonly string[]} args
 * @param {import('../hosts/node/child-signals.mjs').Options} [options]
 * @returns {Promise<number | string>}
 */
export async function runElectron(binary, args, options = {}) {
  const platform = options.platform ?? process.platform
  const startedAt = performance.now()
  // On Windows a program with windows gets no console signals, so it is asked to quit over IPC.
  const child = spawn(binary, args, {
    stdio: platform === 'win32' ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    env: electronEnvironment(),
  })
  const { code, signal, signalled, failed } = await ended(child, options)
  const endedEarly = performance.now() - startedAt < STARTUP_MS
  // 126 and 127: a library is missing, or the file is not executable. Errors of Tabscope itself exit with 1 and a message.
  const neverRan = failed || code === 126 || code === 127 || (signal !== null && !signalled)
  if (!endedEarly || !neverRan) return codeOf(code, signal)
  return (
    sandboxAdvice(binary, signal, platform) ??
    `Electron could not start on this system; ${IN_BROWSER}`
  )
}

/**
 * What to do if Chromium aborted because its sandbox helper, as unpacked by npm, is not owned by root. It needs the helper where the system
 * restricts user namespaces, as Ubuntu does since 23.10. Null for any other cause.
 * @param {string} binary
 * @param {NodeJS.Signals | null} signal that ended Electron
 * @param {NodeJS.Platform} platform
 * @param {(file: string) => { uid: number, mode: number }} stat
 * @returns {string | null}
 */
export function sandboxAdvice(binary, signal, platform, stat = statSync) {
  // A failed CHECK in Chromium executes a trap instruction.
  if (platform !== 'linux' || (signal !== 'SIGTRAP' && signal !== 'SIGABRT' && signal !== 'SIGILL'))
    return null
  // As root, Electron refuses to start regardless of the helper.
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
    'Electron could not start: on this system its sandbox helper must be owned by root. To use the desktop window, run these commands once:',
    `  sudo chown root:root ${quoted}`,
    `  sudo chmod 4755 ${quoted}`,
    `Now ${IN_BROWSER}`,
  ].join('\n')
}

/**
 * Waits for the child to exit. Until then, signals are forwarded to it.
 * @param {import('node:child_process').ChildProcess} child
 * @param {import('../hosts/node/child-signals.mjs').Options} [options]
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null, signalled: boolean, failed: boolean }>}
 */
function ended(child, options) {
  const signals = forwardSignals(child, options)
  return new Promise((resolve) => {
    const done = (
      /** @type {number | null} */ code,
      /** @type {NodeJS.Signals | null} */ signal,
      failed = false,
    ) => {
      signals.stop()
      resolve({ code, signal, signalled: signals.received, failed })
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
