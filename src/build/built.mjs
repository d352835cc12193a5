// Whether `out/` matches the sources. Checked before every start from a checkout, so it must take only a few milliseconds: it compares paths,
// sizes and times, never contents, and does not load the builder.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'

const FILES = ['package.json', 'package-lock.json', 'electron.vite.config.ts']
const COMMAND_LINE = [
  'src',
  ...['generate', 'masking', 'relay', 'skills'].map((name) => `resources/${name}`),
]
/** About 40% of all files. The command line does not need them. */
const INTERFACE = ['src/renderer', 'src/hosts/electron', 'resources/docs']

/**
 * The state of all files that a build reads: first those of the command line, then the rest.
 * @param {string} root
 * @returns {string}
 */
export function sourceState(root) {
  return commandLineState(root) + INTERFACE.map((folder) => walk(root, folder)).join('')
}

/**
 * @param {string} root
 * @param {boolean} withInterface false to check only the sources of the command line
 * @returns {boolean}
 */
export function isBuilt(root, withInterface) {
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
  return `${files.map((file) => stateOf(root, file)).join('')}${COMMAND_LINE.map((folder) => walk(root, folder)).join('')}\n`
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
