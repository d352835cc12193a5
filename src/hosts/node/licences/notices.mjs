import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Licences that allow shipping a package with an app under MIT if its name and text are included. Read any other licence before you add it
 * here.
 */
export const allowed = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Unlicense',
]

/** The native module with its loader, and Electron. */
export const unbundled = ['node_modules/better-sqlite3', 'node_modules/electron']

/**
 * @typedef {object} Shipped
 * @property {string} name
 * @property {string} version
 * @property {string} licence SPDX expression
 * @property {string} text
 */

/** From packages that are not installed: see renderer/ui/icons.tsx. */
export const copied = [
  {
    name: 'lucide',
    version: '1.75.0',
    licence: 'ISC',
    text: read(path.join(import.meta.dirname, 'texts/lucide.txt')).trim(),
  },
]

/**
 * Throws an error that says what to do if the licence is not allowed or has no text.
 * @param {string} folder
 * @returns {Shipped}
 */
export function readPackage(folder) {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const { name, version, license } = manifest
  const licence = typeof license === 'string' ? license : 'unknown'
  if (!isAllowed(licence)) {
    throw new Error(
      `${name} ${version} is shipped under "${licence}", which is not on the list in src/hosts/node/licences/notices.mjs. ` +
        'Read the licence and add it there, or use another package.',
    )
  }
  const text = textOf(folder)
  if (text === null) {
    throw new Error(
      `${name} ${version} is shipped, but has no file with its licence. Put the text of its repository's licence into ` +
        `src/hosts/node/licences/texts/${name.replace('/', '__')}.txt.`,
    )
  }
  return { name, version, licence, text }
}

/**
 * Whether an SPDX expression is allowed: any side of an OR, all sides of an AND.
 * @param {string} licence
 * @returns {boolean}
 */
export function isAllowed(licence) {
  const bare = licence.replaceAll(/[()]/g, '')
  return bare
    .split(/ OR /i)
    .some((side) => side.split(/ AND /i).every((name) => allowed.includes(name.trim())))
}

/**
 * The text of a package's licence and notice, else the licence section of its README, else the text stored in `texts/`.
 * @param {string} folder
 * @returns {string | null}
 */
function textOf(folder) {
  const files = readdirSync(folder).filter((name) =>
    /^(licen[cs]e|copying|notice)([.-]|$)/i.test(name),
  )
  if (files.length > 0) {
    return (
      files
        .sort()
        .map((name) => read(path.join(folder, name)))
        // Dependencies bundled in a builder are not part of its output.
        .map((text) => text.replace(/^# Licenses of bundled dependencies$[^]*/m, '').trim())
        .join('\n\n')
    )
  }
  const readMe = path.join(folder, 'README.md')
  const section = existsSync(readMe) ? /^#* ?Licen[cs]e\n[^]*/m.exec(read(readMe))?.[0] : undefined
  if (section?.includes('WITHOUT WARRANTY') === true)
    return section.replace(/^(\[.*\]: .*\n?)+$/m, '').trim()
  const name = folder.replaceAll('\\', '/').replace(/^.*node_modules\//, '')
  const kept = path.join(import.meta.dirname, 'texts', `${name.replace('/', '__')}.txt`)
  return existsSync(kept) ? read(kept).trim() : null
}

/** @param {string} file */
function read(file) {
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n')
}

const rule = '-'.repeat(80)

/**
 * Packages of the same text share it.
 * @param {string} app name and version
 * @param {readonly Shipped[]} packages
 * @returns {string}
 */
export function noticesText(app, packages) {
  /** @type {Map<string, Shipped[]>} */
  const byText = new Map()
  const sorted = [...packages].sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const item of sorted) byText.set(item.text, [...(byText.get(item.text) ?? []), item])
  const parts = [...byText].map(([text, items]) =>
    [
      rule,
      ...items.map(({ name, version, licence }) => `${name} ${version} (${licence})`),
      '',
      text,
    ].join('\n'),
  )
  return [
    `${app}: licences of third-party software`,
    '',
    'Tabscope itself is under the MIT licence. It contains the packages below, each under its own licence.',
    'The native part of better-sqlite3 contains SQLite, which is in the public domain.',
    'The notices of Chromium, Node and other parts of Electron are in LICENSES.chromium.html next to the app, on macOS in Contents/Resources.',
    '',
    ...parts,
    '',
  ].join('\n')
}
