import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

export const resources = path.resolve(import.meta.dirname, '../../../resources')

/** Sizes of the PNGs for Linux in pixels. */
export const appEdges = [16, 22, 24, 32, 48, 64, 96, 128, 256, 512, 1024]
/** Sizes that Windows uses at 100, 125, 150 and 200 %, and in large lists. */
export const icoEdges = [16, 20, 24, 32, 40, 48, 64, 128, 256]

/** States of the tray icon. Each has its own shape, because color may be removed by the system or not be perceived. */
export const trayStates = ['idle', 'listening', 'online', 'attention'] as const
export const trayIcoEdges = [16, 20, 24, 32, 40, 48]
/** The suffix by which Electron finds the image for a screen scale. */
export const macTray = { '': 16, '@2x': 32 } as const
export const linuxTray = { '': 22, '@1.5x': 33, '@2x': 44 } as const

/** Hashes of drawings and rendered images. A test fails if a drawing is changed without `npm run icons`. */
export const Manifest = z.object({
  drawings: z.record(z.string(), z.string()),
  pictures: z.record(z.string(), z.string()),
})

export const drawings = ['icon.svg', ...trayStates.map((state) => `tray/${state}.svg`)]

/** Returns the text of a drawing with normalized line ends, which a checkout on Windows may change. */
export function readDrawing(name: string): string {
  return readFileSync(path.join(resources, name), 'utf8').replaceAll('\r\n', '\n')
}

export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
