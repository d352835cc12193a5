import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { drawings, hashOf, Manifest, readDrawing, resources } from '../../support/icons/plan.ts'

const read = (name: string): Buffer => readFileSync(path.join(resources, name))
const manifest = Manifest.parse(JSON.parse(read('icons.json').toString()))

it('the icons match the drawings: if not, run `npm run icons`', () => {
  const now = drawings.map((name) => [name, hashOf(readDrawing(name))])
  expect(manifest.drawings).toEqual(Object.fromEntries(now))
  const made = globSync(['icon.{ico,icns}', 'icons/*', 'tray/*/*'], { cwd: resources })
  const kept = made.map((name) => [name.replaceAll('\\', '/'), hashOf(read(name))])
  expect(Object.fromEntries(kept)).toEqual(manifest.pictures)
})
