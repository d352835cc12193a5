#!/usr/bin/env node
// The one way in: `npm start`, `npm run tabscope -- …` and the package's `bin`. It must parse on any Node that a
// shell may have (14 and later), or the sentence that says which one is needed would never be printed. Hence no
// top-level await, no newer syntax, and the rest behind a dynamic import. Nothing here writes to stdout: that belongs
// to the command.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { passSignalsOn } from './child-signals.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const root = path.resolve(here, '../../..')
/** better-sqlite3 13 crashes on Node 20 instead of refusing it, and Electron's installer needs 22.12. */
const OLDEST = { major: 22, minor: 12 }

function isOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor)
}

/** Hands over to the Node that came with the packages; our end is its end. */
function runUnderOwnNode() {
  const ownNode = path.join(
    root,
    'node_modules/node/bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
  if (!existsSync(ownNode)) {
    process.stderr.write(
      `Tabscope needs Node ${OLDEST.major}.${OLDEST.minor} or later and this is ${process.versions.node}: ` +
        'run `npm ci` in its folder, which brings one along, or install a newer Node.\n',
    )
    process.exit(1)
  }
  const child = spawn(ownNode, process.argv.slice(1), { stdio: 'inherit' })
  const signals = passSignalsOn(child)
  child.on('error', (error) => {
    process.stderr.write(`${ownNode} could not be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code === null ? 1 : code)
    signals.stop()
    process.kill(process.pid, signal)
  })
}

async function launch() {
  const { ensureBuilt } = await import('./build.mjs')
  await ensureBuilt(root)
  const [command, ...rest] = process.argv.slice(2)
  const asksForHelp = rest.some((word) => word === '--help' || word === '-h')
  if (command === 'start' && !asksForHelp) {
    const { start } = await import('./start.mjs')
    await start(root, rest)
    return
  }
  if (command === 'dev' && !asksForHelp) {
    const { develop } = await import('./start.mjs')
    process.exit(await develop(root, rest))
  }
  if (command === '--self-check' && !asksForHelp) {
    const { selfCheck } = await import('./start.mjs')
    return selfCheck(root, process.argv.slice(2))
  }
  await import(pathToFileURL(path.join(root, 'out/main/cli.js')).href)
}

if (isOldNode()) {
  runUnderOwnNode()
} else {
  launch().catch((error) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  })
}
