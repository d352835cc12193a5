import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { readAsset } from '#hosts/static-files.ts'

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(root, 'out/renderer')
const notices = readFileSync(path.join(folder, 'licences.txt'), 'utf8')
/** Of each package its title and its text. */
const parts = notices.split(`${'-'.repeat(80)}\n`).slice(1)
const listed = parts.map((part) => /^(\S+) (\S+) \((.*)\)\n\n/.exec(part)?.slice(1) ?? [])

/**
 * Licences that allow shipping a package with an app under MIT if its name and text are included. Read any other licence before you add it
 * here.
 */
const allowed =
  /^(?:0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|CC0-1\.0|ISC|MIT|OFL-1\.1|Unlicense)$/

function packagesInMaps(): Set<string> {
  const found = new Set<string>()
  for (const map of globSync('out/main/**/*.map', { cwd: root })) {
    const { sources } = z
      .object({ sources: z.array(z.string().nullable()) })
      .parse(JSON.parse(readFileSync(path.join(root, map), 'utf8')))
    for (const source of sources) {
      const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source ?? '') ?? []
      if (name !== undefined) found.add(name)
    }
  }
  return found
}

/** Packages that the source of the interface uses, by imports and by fonts in styles. */
function packagesImported(): Set<string> {
  const found = new Set<string>()
  for (const file of globSync('src/{renderer,contract}/**/*.{ts,tsx,css}', { cwd: root })) {
    const text = readFileSync(path.join(root, file), 'utf8')
    // Types are not part of the build.
    const named =
      /^(?:import (?!type).*|\} )(?:from )?'((?:@[^/']+\/)?[\w-]+)|url\('((?:@[^/']+\/)?[\w-]+)\//gm
    for (const [, module, font] of text.matchAll(named)) found.add(module ?? font ?? '')
  }
  return found
}

it('names each package in the build', () => {
  const inMaps = packagesInMaps()
  const imported = packagesImported()
  // Otherwise nothing was checked.
  expect([...inMaps]).toEqual(expect.arrayContaining(['ws', 'zod', 'electron-updater']))
  expect([...imported]).toEqual(expect.arrayContaining(['react', '@fontsource-variable/inter']))
  // It only re-exports its parts, which are listed separately.
  imported.delete('radix-ui')
  const names = new Set(listed.map(([name]) => name))
  const shipped = [...inMaps, ...imported, 'better-sqlite3', 'electron', 'vite', 'rolldown']
  expect([...shipped, '@radix-ui/react-dialog'].filter((name) => !names.has(name))).toEqual([])
})

it('has a licence that may be redistributed, and its text, for each package', () => {
  for (const [at, [name, version, licence = '']] of listed.entries()) {
    const sides = licence.replaceAll(/[()]/g, '').split(' OR ')
    const isAllowed = sides.some((side) => side.split(' AND ').every((one) => allowed.test(one)))
    expect(isAllowed, `${name} ${version} is under "${licence}"`).toBe(true)
    // Put the text of its repository's licence into src/build/licences/texts.
    expect(parts[at]?.length, `the text of ${name}`).toBeGreaterThan(400)
  }
})

it('is served with the interface, as plain text', async () => {
  const asset = await readAsset(folder, '/licences.txt')
  expect(asset?.type).toBe('text/plain; charset=utf-8')
  expect(asset?.bytes.toString()).toBe(notices)
})
