// Builds `out/` when the sources are newer than it. Runs before every start from a checkout, so the common case
// (nothing changed) must cost a few milliseconds: paths, sizes and times are compared, never contents.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { withBuildLock } from './build-lock.mjs'

const BUILDER = 'node_modules/electron-vite/bin/electron-vite.js'
const FILES = ['package.json', 'package-lock.json', 'electron.vite.config.ts']
/** Both hosts and their interface; the page of the `html` format, which is of one piece; then the notices of all that is in them. */
const STEPS = [
  [BUILDER, 'build'],
  ['node_modules/vite/bin/vite.js', 'build', '--config', 'src/hosts/node/viewer.vite.config.ts'],
  ['src/hosts/node/licences/write.mjs'],
]

/**
 * One word for the state of all that a build reads.
 * @param {string} root
 * @returns {string}
 */
export function fingerprint(root) {
  const hash = createHash('sha256')
  const add = (/** @type {string} */ file) => {
    const { mtimeMs, size } = statSync(path.join(root, file))
    hash.update(`${file}\0${mtimeMs}\0${size}\n`)
  }
  for (const file of FILES) if (existsSync(path.join(root, file))) add(file)
  const walk = (/** @type {string} */ folder) => {
    const entries = readdirSync(path.join(root, folder), { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isDirectory()) walk(`${folder}/${entry.name}`)
      else add(`${folder}/${entry.name}`)
    }
  }
  walk('src')
  return hash.digest('hex')
}

/**
 * Makes `out/` match the sources; returns at once when it does. Safe against launches at the same time: one builds,
 * the others wait for it. Without sources (a packaged or published Tabscope) there is nothing to do.
 * @param {string} root
 * @param {{ force?: boolean }} [options]
 * @returns {Promise<void>}
 */
export async function ensureBuilt(root, options = {}) {
  if (!existsSync(path.join(root, 'electron.vite.config.ts'))) return
  const stampFile = path.join(root, 'out/.stamp')
  const isFresh = () => readStamp(stampFile) === fingerprint(root)
  if (options.force !== true && isFresh()) return
  if (!existsSync(path.join(root, BUILDER))) {
    throw new Error('Tabscope is not built and its packages are not here: run `npm ci` first.')
  }
  mkdirSync(path.join(root, 'out'), { recursive: true })
  await withBuildLock(path.join(root, 'out/.lock'), () => {
    // Whoever waited finds it done.
    if (options.force !== true && isFresh()) return
    process.stderr.write('Building Tabscope…\n')
    // Taken before the build: what is edited meanwhile makes the result stale, not fresh.
    const stamp = fingerprint(root)
    rmSync(stampFile, { force: true })
    build(root)
    writeFileSync(stampFile, stamp)
  })
}

/** @param {string} stampFile */
function readStamp(stampFile) {
  try {
    return readFileSync(stampFile, 'utf8')
  } catch {
    return undefined
  }
}

/** @param {string} root */
function build(root) {
  for (const step of STEPS) run(root, step)
}

/**
 * @param {string} root
 * @param {readonly string[]} step
 */
function run(root, [script = '', ...args]) {
  const result = spawnSync(process.execPath, [path.join(root, script), ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (result.error !== undefined) throw result.error
  if (result.status === 0) return
  process.stderr.write(result.stdout + result.stderr)
  throw new Error('Tabscope could not be built: see above.')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureBuilt(path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..'), {
    force: true,
  })
}
