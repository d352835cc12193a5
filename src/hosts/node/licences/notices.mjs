import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Licences under which a package may be shipped with an app under MIT, with no more to do than to name it and print its text. Another one is
 * for a person to read first, and then to be added here.
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

/** What is shipped beside the bundles: the native module with its loader, and Electron itself. */
export const beside = ['node_modules/better-sqlite3', 'node_modules/electron']

/**
 * @typedef {object} Shipped
 * @property {string} name
 * @property {string} version
 * @property {string} licence SPDX expression
 * @property {string} text
 */

/**
 * What a shipped package says of itself. Throws a sentence that says what to do when it may not be shipped, or has no text to print.
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
 * Whether an SPDX expression leaves us a way: one side of an OR, all of an AND.
 * @param {string} licence
 * @returns {boolean}
 */
export function isAllowed(licence) {
  const bare = licence.replaceAll(/[()]/g, '')
  return bare
    .split(/ OR /i)
    .some((side) => side.split(/ AND /i).every((one) => allowed.includes(one.trim())))
}

/**
 * The text of a package's licence, and of its notice where it has one; else the part of its read-me that has it, else what we keep for it.
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
        // What a builder took in for itself is not in what it builds.
        .map((text) => text.replace(/^# Licenses of bundled dependencies$[^]*/m, '').trim())
        .join('\n\n')
    )
  }
  const readMe = path.join(folder, 'README.md')
  const told = existsSync(readMe) ? /^#* ?Licen[cs]e\n[^]*/m.exec(read(readMe))?.[0] : undefined
  if (told?.includes('WITHOUT WARRANTY') === true)
    return told.replace(/^(\[.*\]: .*\n?)+$/m, '').trim()
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
 * The notices as one plain text. Packages of the same text share it.
 * @param {string} app name and version
 * @param {readonly Shipped[]} packages
 * @returns {string}
 */
export function noticesText(app, packages) {
  /** @type {Map<string, Shipped[]>} */
  const byText = new Map()
  const sorted = [...packages].sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const one of sorted) byText.set(one.text, [...(byText.get(one.text) ?? []), one])
  const parts = [...byText].map(([text, ones]) =>
    [
      rule,
      ...ones.map(({ name, version, licence }) => `${name} ${version} (${licence})`),
      '',
      text,
    ].join('\n'),
  )
  return [
    `${app}: licences of what it is made of`,
    '',
    'Tabscope itself is under the MIT licence. It contains the packages below, each under its own licence.',
    'The native part of better-sqlite3 contains SQLite, which is in the public domain.',
    'The notices of Chromium, Node and all else in Electron are in LICENSES.chromium.html: beside the app, on macOS in its Contents/Resources.',
    '',
    ...parts,
    '',
  ].join('\n')
}
