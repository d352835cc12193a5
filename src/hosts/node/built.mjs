// Whether `out/` matches the sources. Looked at before every start from a checkout, so it must cost a few milliseconds: paths, sizes and times
// are compared, never contents, and what builds is not loaded.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'

const FILES = ['package.json', 'package-lock.json', 'electron.vite.config.ts']
/** Of these only the interface, the exported page and the desktop app are made. They are two of five sources. */
const INTERFACE = ['src/renderer', 'src/viewer', 'src/hosts/electron']

/**
 * The state of all that a build reads: first what the command line is made of, then the rest.
 * @param {string} root
 * @returns {string}
 */
export function sourceState(root) {
  return commandLineState(root) + INTERFACE.map((folder) => walk(root, folder)).join('')
}

/**
 * @param {string} root
 * @param {boolean} withInterface false: only what the command line is made of is looked at
 * @returns {boolean} true where there are no sources, in a packaged or published Tabscope
 */
export function isBuilt(root, withInterface) {
  if (!existsSync(`${root}/electron.vite.config.ts`)) return true
  let stamp
  try {
    stamp = readFileSync(stampFile(root), 'utf8')
  } catch {
    return false
  }
  return withInterface ? stamp === sourceState(root) : stamp.startsWith(commandLineState(root))
}

/**
 * The file with the state of the sources that `out/` was built from.
 * @param {string} root
 * @returns {string}
 */
export function stampFile(root) {
  return `${root}/out/.stamp`
}

/** @param {string} root */
function commandLineState(root) {
  const files = FILES.filter((file) => existsSync(`${root}/${file}`))
  return `${files.map((file) => stateOf(root, file)).join('')}${walk(root, 'src')}\n`
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string}
 */
function walk(root, folder) {
  let state = ''
  for (const entry of entriesOf(`${root}/${folder}`)) {
    const file = `${folder}/${entry.name}`
    if (!entry.isDirectory()) state += stateOf(root, file)
    else if (!INTERFACE.includes(file)) state += walk(root, file)
  }
  return state
}

/** @param {string} folder */
function entriesOf(folder) {
  return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
}

/**
 * @param {string} root
 * @param {string} file
 */
function stateOf(root, file) {
  const { mtimeMs, size } = statSync(`${root}/${file}`)
  return `${file} ${mtimeMs} ${size}\n`
}
