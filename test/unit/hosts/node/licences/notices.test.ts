import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { packageFolderOf } from '#hosts/node/licences/collect.ts'
import { isAllowed, noticesText, readPackage } from '#hosts/node/licences/notices.mjs'

const home = mkdtempSync(path.join(tmpdir(), 'tabscope-licences-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

function made(manifest: object, files: Record<string, string> = {}): string {
  const folder = mkdtempSync(path.join(home, 'p'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest))
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  return folder
}
const mit = { name: 'a', version: '1.0.0', license: 'MIT' }

describe('the notices', () => {
  it('contain the license text and notice of a package, without additions of its builder', () => {
    const folder = made(mit, {
      LICENSE: 'Copyright A\r\nMIT',
      NOTICE: 'By A',
      'LICENSE.md': 'MIT too\n# Licenses of bundled dependencies\nGPL',
      'licenser.js': 'no text',
    })
    expect(readPackage(folder)).toEqual({
      name: 'a',
      version: '1.0.0',
      licence: 'MIT',
      text: 'Copyright A\nMIT\n\nMIT too\n\nBy A',
    })
  })

  it('use the license section of the README if there is no other text', () => {
    const text = 'License\n-------\nCopyright B\nWITHOUT WARRANTY OF ANY KIND'
    const folder = made(mit, { 'README.md': `# a\nWhat it does\n\n${text}\n\n[link]: https://a\n` })
    expect(readPackage(folder).text).toBe(text)
  })

  it.each([
    ['GPL-3.0-only', 'not on the list'],
    ['AGPL-3.0', 'not on the list'],
    ['MIT AND LGPL-2.1', 'not on the list'],
    ['SEE LICENSE IN x', 'not on the list'],
    [undefined, '"unknown"'],
    [{ type: 'MIT' }, '"unknown"'],
  ])('reject a package with the license %j', (license, sentence) => {
    expect(() => readPackage(made({ ...mit, license }, { LICENSE: 'x' }))).toThrow(sentence)
  })

  it('reject a package without a license text', () => {
    expect(() => readPackage(made(mit, { 'README.md': '# License\nMIT' }))).toThrow('texts/')
  })

  it('parse license expressions', () => {
    expect(isAllowed('(MIT OR GPL-2.0)')).toBe(true)
    expect(isAllowed('(MIT AND Zlib)')).toBe(false)
    expect(isAllowed('(MPL-2.0 OR Apache-2.0)')).toBe(true)
  })

  it('print a shared text once, under all of its packages', () => {
    const text = 'T'.repeat(50)
    const both = ['b', 'a'].map((name) => ({ name, version: '1', licence: 'MIT', text }))
    const notices = noticesText('app 1', both)
    expect(notices.split(text)).toHaveLength(2)
    expect(notices).toMatch(/a 1 \(MIT\)\nb 1 \(MIT\)\n\nT/)
  })
})

it.each([
  ['src/renderer/main.tsx', null],
  ['node_modules/react/index.js', 'node_modules/react'],
  ['node_modules/@a/b/c/d.js?worker', 'node_modules/@a/b'],
  ['\0node_modules/a/index.js?commonjs', null],
  ['node_modules/a/node_modules/@b/c/d.js', 'node_modules/a/node_modules/@b/c'],
])('finds the package of %j', (file, folder) => {
  const id = file.startsWith('\0')
    ? file.replace('\0', `\0${process.cwd()}/`)
    : path.join(process.cwd(), file)
  expect(packageFolderOf(id)).toBe(file.startsWith('\0') ? 'node_modules/a' : folder)
})

it('assigns code added by a builder to the builder', () => {
  expect(packageFolderOf('\0vite/preload-helper.js')).toBe('node_modules/vite')
  expect(packageFolderOf('\0rolldown/runtime.js')).toBe('node_modules/rolldown')
})
