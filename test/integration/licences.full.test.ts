import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { packageFolderOf } from '#hosts/node/licences/collect.ts'
import { readAsset } from '#hosts/node/assets.ts'
import { unbundled, readPackage } from '#hosts/node/licences/notices.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(root, 'out/renderer')
const notices = readFileSync(path.join(folder, 'licences.txt'), 'utf8')

function packagesInMaps(): Set<string> {
  const found = new Set<string>()
  const maps = globSync('out/main/**/*.map', { cwd: root })
  for (const map of maps) {
    const file = path.join(root, map)
    const { sources } = z
      .object({ sources: z.array(z.string().nullable()) })
      .parse(JSON.parse(readFileSync(file, 'utf8')))
    for (const source of sources) {
      const of = source && packageFolderOf(path.resolve(path.dirname(file), source))
      if (of) found.add(of)
    }
  }
  return found
}

/** Packages that the source of the interface uses, by imports and by fonts in styles. */
function packagesImported(): Set<string> {
  const found = new Set<string>()
  const files = globSync('src/{renderer,viewer,contract}/**/*.{ts,tsx,css}', {
    cwd: root,
  })
  for (const file of files) {
    const text = readFileSync(path.join(root, file), 'utf8')
    // Types are not part of the build.
    const named =
      /^(?:import (?!type).*|\} )(?:from )?'((?:@[^/']+\/)?[\w-]+)|url\('((?:@[^/']+\/)?[\w-]+)\//gm
    for (const [, module, font] of text.matchAll(named)) {
      found.add(`node_modules/${module ?? font}`)
    }
  }
  return found
}

describe('the notices of what is shipped', () => {
  it('name each package in the build with its version and the text of its licence', () => {
    const inMaps = packagesInMaps()
    const imported = packagesImported()
    // Otherwise nothing was checked.
    expect([...inMaps]).toEqual(expect.arrayContaining(['node_modules/ws', 'node_modules/zod']))
    expect([...imported]).toEqual(
      expect.arrayContaining(['node_modules/react', 'node_modules/@fontsource-variable/inter']),
    )
    imported.delete('node_modules/radix-ui')
    const missing = [...new Set([...inMaps, ...imported, ...unbundled])].filter((shipped) => {
      const { name, version, licence, text } = readPackage(path.join(root, shipped))
      return !notices.includes(`\n${name} ${version} (${licence})\n`) || !notices.includes(text)
    })
    expect(missing).toEqual([])
    // It only re-exports its parts, which are listed separately.
    expect(notices.includes('\n@radix-ui/react-dialog ')).toBe(true)
  })

  it('include everything that the build bundles', () => {
    const taken = globSync('out/.packages/*.json', { cwd: root })
    expect(taken.map((file) => path.basename(file, '.json')).sort()).toEqual([
      'main',
      'preload',
      'renderer',
      'viewer',
    ])
    for (const file of taken) {
      const folders = z
        .array(z.string())
        .parse(JSON.parse(readFileSync(path.join(root, file), 'utf8')))
      for (const shipped of folders) {
        // Throws with instructions if a package may not be redistributed, or has no license text.
        const { name, version } = readPackage(path.join(root, shipped))
        expect(notices.includes(`\n${name} ${version} (`), name).toBe(true)
      }
    }
  })

  it('are served with the interface, as plain text', async () => {
    const asset = await readAsset(folder, '/licences.txt')
    expect(asset?.type).toBe('text/plain; charset=utf-8')
    expect(asset?.bytes.toString()).toBe(notices)
  })
})
