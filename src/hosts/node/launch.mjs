#!/usr/bin/env node
// The only entry point: `npm start`, `npm run tabscope -- …` and the package's `bin`. It must parse on Node 14 and later, so that it can
// print which version is required. Hence no top-level await, no newer syntax, and dynamic imports for everything else. It writes
// nothing to stdout, which belongs to the command.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const root = path.resolve(here, '../../..')
/** An installed package has neither sources nor Electron. */
const isCheckout = existsSync(path.join(root, 'electron.vite.config.ts'))
/**
 * better-sqlite3 13 crashes where Node-API 10 is missing, which came with 22.14 and 23.6, instead of refusing to load. zlib knows zstd, and tls
 * the system's certificates, since 22.15 and 23.10.
 */
function isOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major < 22 || (major === 22 && minor < 15) || (major === 23 && minor < 10)
}

/** They may follow options. */
const WITH_INTERFACE = ['start', 'serve', 'dev', 'export', 'self-check', '--self-check']

/** Exits like that process. */
async function runUnderOwnNode() {
  const ownNode = path.join(
    root,
    'node_modules/node/bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
  if (!isCheckout || !existsSync(ownNode)) {
    process.stderr.write(
      `Tabscope requires Node 22.15 or later, and this is ${process.versions.node}.` +
        (isCheckout
          ? ' Run `npm ci` in the Tabscope folder, which installs a suitable version, or install a newer Node.\n'
          : '\n'),
    )
    process.exit(2)
  }
  const { spawn } = await import('node:child_process')
  const { forwardSignals } = await import('./child-signals.mjs')
  const child = spawn(ownNode, process.argv.slice(1), { stdio: 'inherit' })
  const signals = forwardSignals(child)
  child.on('error', (error) => {
    process.stderr.write(`Could not start ${ownNode}: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code === null ? 1 : code)
    signals.stop()
    process.kill(process.pid, signal)
  })
}

/** Needs neither a build nor the command line. */
function versionLine() {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  return `tabscope ${version}\n`
}

/**
 * Index of the command name, which global options may precede.
 * @param {string[]} words
 */
function commandIndex(words) {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] || ''
    if (['--data', '--color'].includes(word)) index += 1
    else if (word === '--self-check' || !word.startsWith('-')) return index
  }
  return -1
}

/** `npm run` changes to the folder of the checkout, but relative paths are those of the user. */
function returnToUserFolder() {
  const { INIT_CWD: folder, npm_package_json: manifest, npm_lifecycle_event: script } = process.env
  const isOurs =
    manifest === path.join(root, 'package.json') &&
    ['start', 'dev', 'tabscope'].includes(script || '')
  if (isOurs && folder) process.chdir(folder)
}

async function launch() {
  if (isCheckout) {
    returnToUserFolder()
    if (await launchFromCheckout()) return
  }
  await import(pathToFileURL(path.join(root, 'out/main/cli.js')).href)
}

/** Builds first if necessary. True if it started Electron or the interface, so that no command is left to run. */
async function launchFromCheckout() {
  const words = process.argv.slice(2)
  const at = commandIndex(words)
  const command = words[at]
  const rest = words.filter((_word, index) => index !== at)
  const { isBuilt } = await import('../../build/built.mjs')
  const withInterface = words.length === 0 || words.some((word) => WITH_INTERFACE.includes(word))
  if (!isBuilt(root, withInterface)) {
    const { ensureBuilt } = await import('../../build/build.mjs')
    await ensureBuilt(root)
  }
  const asksForHelp = rest.some((word) => word === '--help' || word === '-h')
  if (command === 'start' && !asksForHelp) {
    const { start } = await import('../../build/start.mjs')
    await start(root, rest)
    return true
  }
  if (command === 'dev' && !asksForHelp) {
    const { develop } = await import('../../build/start.mjs')
    process.exit(await develop(root, rest))
  }
  if (command === '--self-check' && !asksForHelp) {
    const { selfCheck } = await import('../../build/start.mjs')
    await selfCheck(root, words)
    return true
  }
  return false
}

if (process.argv.length === 3 && ['--version', '-V', 'version'].includes(process.argv[2] || '')) {
  process.stdout.write(versionLine())
} else {
  const started = isOldNode() ? runUnderOwnNode() : launch()
  started.catch((error) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  })
}
