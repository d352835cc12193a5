import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readIcns } from '../../support/icons/icns.ts'
import { readIco } from '../../support/icons/ico.ts'
import {
  appEdges,
  drawings,
  hashOf,
  icoEdges,
  linuxTray,
  macTray,
  Manifest,
  readDrawing,
  resources,
  trayIcoEdges,
  trayStates,
} from '../../support/icons/plan.ts'

const read = (name: string): Buffer => readFileSync(path.join(resources, name))
const manifest = Manifest.parse(JSON.parse(read('icons.json').toString()))

/** Width and height in the header of a PNG. */
function sizeOf(png: Buffer): string {
  expect(png.toString('latin1', 1, 4)).toBe('PNG')
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`
}

describe('the icons', () => {
  it('match the drawings: if not, run `npm run icons`', () => {
    const now = drawings.map((name) => [name, hashOf(readDrawing(name))])
    expect(manifest.drawings).toEqual(Object.fromEntries(now))
    const made = globSync(['icon.{ico,icns}', 'icons/*', 'tray/*/*'], { cwd: resources })
    const kept = made.map((name) => [name.replaceAll('\\', '/'), hashOf(read(name))])
    expect(Object.fromEntries(kept)).toEqual(manifest.pictures)
  })

  it('of the app exist in each size', () => {
    for (const edge of appEdges) {
      expect(sizeOf(read(`icons/${edge}x${edge}.png`))).toBe(`${edge}x${edge}`)
    }
    expect(readIco(read('icon.ico'))).toEqual(icoEdges)
    expect(readIcns(read('icon.icns')).map(({ kind, png }) => `${kind} ${sizeOf(png)}`)).toEqual([
      'ic11 32x32',
      'ic12 64x64',
      'ic07 128x128',
      'ic13 256x256',
      'ic08 256x256',
      'ic14 512x512',
      'ic09 512x512',
      'ic10 1024x1024',
    ])
  })

  it('of the tray exist for each state, system and scale, each with a distinct shape', () => {
    const shapes = new Set<string>()
    for (const state of trayStates) {
      for (const [suffix, edge] of Object.entries(macTray)) {
        const png = read(`tray/mac/${state}Template${suffix}.png`)
        expect(sizeOf(png)).toBe(`${edge}x${edge}`)
        // Black and alpha alone: one that differs differs in shape.
        shapes.add(hashOf(png))
      }
      for (const [suffix, edge] of Object.entries(linuxTray)) {
        expect(sizeOf(read(`tray/linux/${state}${suffix}.png`))).toBe(`${edge}x${edge}`)
      }
      expect(readIco(read(`tray/windows/${state}.ico`))).toEqual(trayIcoEdges)
      // All icons have the same color, so color carries no meaning.
      expect(readDrawing(`tray/${state}.svg`)).not.toMatch(/#(?!fff\b|000\b|gap|mark)/)
    }
    expect(shapes.size).toBe(trayStates.length * Object.keys(macTray).length)
  })
})
