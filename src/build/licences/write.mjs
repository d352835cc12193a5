// The last step of a build: writes the licences of everything in `out/` to the file that both hosts serve.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** @typedef {{ name: string, version: string, identifier?: string, text?: string }} Shipped */

const root = path.resolve(import.meta.dirname, '../../..')

/** What Vite does not list: packages that are not bundled, fonts, and code that a builder adds. */
const others = [
  'better-sqlite3',
  'electron',
  '@fontsource-variable/inter',
  '@fontsource-variable/jetbrains-mono',
  'rolldown',
  'vite',
]
/** Of a package that is not installed: see renderer/kit/icons.tsx. */
const lucide = { name: 'lucide', version: '1.75.0', identifier: 'ISC' }

/** @type {Map<string, Shipped>} */
const packages = new Map()
for (const shipped of [...bundled(), ...others.flatMap(installed), lucide]) {
  packages.set(`${shipped.name} ${shipped.version}`, shipped)
}
const { name, version } = read('package.json')
const parts = [
  `${name} ${version}: licences of third-party software`,
  'Tabscope itself is under the MIT licence. It contains the packages below, each under its own licence.\n' +
    'The native part of better-sqlite3 contains SQLite, which is in the public domain.\n' +
    'The notices of Chromium, Node and other parts of Electron are in LICENSES.chromium.html next to the app, on macOS in Contents/Resources.',
  ...[...packages]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, shipped]) => {
      const text = shipped.text ?? keptText(shipped.name)
      return `${'-'.repeat(80)}\n${title} (${shipped.identifier})\n\n${text}`
    }),
]
writeFileSync(path.join(root, 'out/renderer/licences.txt'), `${parts.join('\n\n')}\n`)

/** As listed by Vite in each part of the build, which does not need the lists any more. @returns {Shipped[]} */
function bundled() {
  return ['main', 'preload', 'renderer'].flatMap((part) => {
    const file = `out/${part}/licences.json`
    if (!existsSync(path.join(root, file))) return []
    const list = read(file)
    rmSync(path.join(root, file))
    return list
  })
}

/** @param {string} name @returns {Shipped[]} */
function installed(name) {
  const folder = path.join(root, 'node_modules', name)
  if (!existsSync(folder)) return []
  const { version, license } = read(`node_modules/${name}/package.json`)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file && readFileSync(path.join(folder, file), 'utf8').trim()
  return [{ name, version, identifier: license, ...(text && { text }) }]
}

/** Of a package that has no file with its licence. A test fails where there is none either. @param {string} name */
function keptText(name) {
  const file = path.join(import.meta.dirname, 'texts', `${name.replace('/', '__')}.txt`)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '(no text)'
}

/** @param {string} file */
function read(file) {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'))
}
