// Builds `out/` when the sources are newer than it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { withBuildLock } from './build-lock.mjs'
import { isBuilt, sourceState, stampFile } from './built.mjs'
import { compileCache } from '../hosts/node/compile-cache.mjs'

const BUILDER = 'node_modules/electron-vite/bin/electron-vite.js'
/** The license notices come last: they cover everything in the outputs of the other steps. */
const STEPS = [
  [BUILDER, 'build'],
  ['src/build/single-file-threads.mjs'],
  ['--experimental-vm-modules', 'src/build/check-syntax.mjs'],
  ['src/build/licences/write.mjs'],
]

/**
 * Builds `out/` unless it matches the sources. Safe with concurrent launches: one builds, the others wait for it.
 * @param {string} root
 * @param {{ force?: boolean }} [options]
 * @returns {Promise<void>}
 */
export async function ensureBuilt(root, options = {}) {
  if (options.force !== true && isBuilt(root, true)) return
  if (!existsSync(path.join(root, BUILDER))) {
    throw new Error('Tabscope is not built and its packages are not installed. Run `npm ci` first.')
  }
  mkdirSync(path.join(root, 'out'), { recursive: true })
  await withBuildLock(path.join(root, 'out/.lock'), () => {
    // Another process has built it meanwhile.
    if (options.force !== true && isBuilt(root, true)) return
    process.stderr.write('Building Tabscope…\n')
    // Taken before the build, so that an edit during the build makes the result stale.
    const stamp = sourceState(root)
    rmSync(stampFile(root), { force: true })
    // The compile cache of the previous build is never read again.
    rmSync(compileCache(root), { recursive: true, force: true })
    build(root)
    writeFileSync(stampFile(root), stamp)
  })
}

/** @param {string} root */
function build(root) {
  for (const step of STEPS) run(root, step)
}

/**
 * @param {string} root
 * @param {readonly string[]} step arguments of Node
 */
function run(root, step) {
  const result = spawnSync(process.execPath, step, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (result.error !== undefined) throw result.error
  if (result.status === 0) return
  process.stderr.write(result.stdout + result.stderr)
  throw new Error('Could not build Tabscope. See the output above.')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureBuilt(path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..'), {
    force: true,
  })
}
