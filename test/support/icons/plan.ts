import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

export const resources = path.resolve(import.meta.dirname, '../../../resources')

/** Edges in pixels of the PNGs for Linux, of which each desktop takes what it needs. */
export const appEdges = [16, 22, 24, 32, 48, 64, 96, 128, 256, 512, 1024]
/** Windows asks for these at 100, 125, 150, 200 % and in its larger lists. */
export const icoEdges = [16, 20, 24, 32, 40, 48, 64, 128, 256]

/** What the tray says, each by a shape of its own: colour may be taken away by the system, and some cannot see it. */
export const trayStates = ['idle', 'listening', 'online', 'attention'] as const
export const trayIcoEdges = [16, 20, 24, 32, 40, 48]
/** The suffix by which Electron finds the picture for a screen's scale. */
export const macTray = { '': 16, '@2x': 32 } as const
export const linuxTray = { '': 22, '@1.5x': 33, '@2x': 44 } as const

/** What the pictures were made from and what was made, as hashes: who changes a drawing and forgets `npm run icons` is told by a test. */
export const Manifest = z.object({
  drawings: z.record(z.string(), z.string()),
  pictures: z.record(z.string(), z.string()),
})

export const drawings = ['icon.svg', ...trayStates.map((state) => `tray/${state}.svg`)]

/** The text of a drawing. A checkout on Windows may have changed the ends of its lines, which is no change of the drawing. */
export function readDrawing(name: string): string {
  return readFileSync(path.join(resources, name), 'utf8').replaceAll('\r\n', '\n')
}

export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
