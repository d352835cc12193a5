import { app, screen, type BrowserWindow, type Rectangle } from 'electron'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import { writeFileAt } from '#engine/platform/save-file.ts'

const DEFAULT_SIZE = { width: 1280, height: 820 }
const MIN_SIZE = { width: 760, height: 480 }

const StoredPlace = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(1),
  height: z.int().min(1),
  maximized: z.boolean(),
  fullScreen: z.boolean(),
})

export interface WindowPlace extends Rectangle {
  readonly minWidth: number
  readonly minHeight: number
  readonly maximized: boolean
  readonly fullScreen: boolean
}

const CASCADE = 32

/** Or the default, completely visible on one of the current displays. Next to `beside`, if there is one. The app must be ready. */
export function lastPlace(beside?: BrowserWindow): WindowPlace {
  const stored = beside === undefined ? readPlace() : placeBeside(beside)
  const bounds = fitToDisplay(stored ?? centered(screen.getPrimaryDisplay().workArea))
  return {
    ...bounds,
    // On a small display, the usual minimum would extend beyond its edge.
    minWidth: Math.min(MIN_SIZE.width, bounds.width),
    minHeight: Math.min(MIN_SIZE.height, bounds.height),
    maximized: stored?.maximized ?? false,
    fullScreen: stored?.fullScreen ?? false,
  }
}

/** When the window closes. A closed window has no bounds. */
export function rememberPlace(window: BrowserWindow): void {
  window.on('close', () => {
    const { x, y, width, height } = window.getNormalBounds()
    const shape = { maximized: window.isMaximized(), fullScreen: window.isFullScreen() }
    try {
      writeFileAt(file(), JSON.stringify({ x, y, width, height, ...shape }), true)
    } catch {
      // The next window opens at the earlier place. The engine reports a full disk.
    }
  })
}

function file(): string {
  return path.join(app.getPath('userData'), 'window.json')
}

function readPlace(): z.output<typeof StoredPlace> | null {
  try {
    return StoredPlace.parse(JSON.parse(readFileSync(file(), 'utf8')))
  } catch {
    return null
  }
}

function placeBeside(window: BrowserWindow): z.output<typeof StoredPlace> {
  const { x, y, width, height } = window.getNormalBounds()
  const state = { maximized: false, fullScreen: false }
  return { x: x + CASCADE, y: y + CASCADE, width, height, ...state }
}

function centered(area: Rectangle): Rectangle {
  const { width, height } = DEFAULT_SIZE
  return {
    x: area.x + Math.floor((area.width - width) / 2),
    y: area.y + Math.floor((area.height - height) / 2),
    width,
    height,
  }
}

function fitToDisplay(bounds: Rectangle): Rectangle {
  const area = screen.getDisplayMatching(bounds).workArea
  const width = Math.min(Math.max(bounds.width, MIN_SIZE.width), area.width)
  const height = Math.min(Math.max(bounds.height, MIN_SIZE.height), area.height)
  return {
    x: Math.min(Math.max(bounds.x, area.x), area.x + area.width - width),
    y: Math.min(Math.max(bounds.y, area.y), area.y + area.height - height),
    width,
    height,
  }
}
