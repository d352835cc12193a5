import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** A rectangle of the desktop in device-independent pixels. Displays to the left of or above the primary one have negative coordinates. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Default size, and the minimum size where the display has room for it. */
const defaultSize = { width: 1280, height: 820 }
export const minimumSize = { width: 760, height: 480 }

/**
 * Bounds for a window that was last at `previous` (null: never), so that all of it is visible. `areas` are the work areas of the current displays, the primary
 * one first. A window that is completely visible keeps its position, even across two displays. Otherwise it moves, and shrinks if needed, to the display that
 * shows most of it, or to the primary one if none does.
 */
export function fitWindow(previous: Area | null, areas: readonly [Area, ...Area[]]): Area {
  const [primary] = areas
  if (previous === null) return centered(defaultSize, primary)
  const display = mostVisibleOn(previous, areas)
  if (display === null) return centered(previous, primary)
  const window = { ...previous, ...atLeast(previous, display) }
  if (uncovered(window, areas).length === 0) return window
  const width = Math.min(window.width, display.width)
  const height = Math.min(window.height, display.height)
  return {
    x: clamp(window.x, display.x, display.x + display.width - width),
    y: clamp(window.y, display.y, display.y + display.height - height),
    width,
    height,
  }
}

function centered(size: { width: number; height: number }, area: Area): Area {
  const fitted = atLeast(size, area)
  const width = Math.min(fitted.width, area.width)
  const height = Math.min(fitted.height, area.height)
  return {
    x: area.x + Math.floor((area.width - width) / 2),
    y: area.y + Math.floor((area.height - height) / 2),
    width,
    height,
  }
}

/** The size, but not smaller than the minimum that the area has room for. */
function atLeast(size: { width: number; height: number }, area: Area) {
  return {
    width: Math.max(size.width, Math.min(minimumSize.width, area.width)),
    height: Math.max(size.height, Math.min(minimumSize.height, area.height)),
  }
}

/** The area that shows the largest part of the window; null if none shows any. */
function mostVisibleOn(window: Area, areas: readonly Area[]): Area | null {
  let best: Area | null = null
  let largest = 0
  for (const area of areas) {
    const { width, height } = intersection(window, area)
    if (width > 0 && height > 0 && width * height > largest) {
      best = area
      largest = width * height
    }
  }
  return best
}

function intersection(a: Area, b: Area): Area {
  const x = Math.max(a.x, b.x)
  const y = Math.max(a.y, b.y)
  return {
    x,
    y,
    width: Math.min(a.x + a.width, b.x + b.width) - x,
    height: Math.min(a.y + a.height, b.y + b.height) - y,
  }
}

/** The parts of the window outside of all areas. Areas may overlap, such as those of mirrored displays. */
export function uncovered(window: Area, areas: readonly Area[]): Area[] {
  return areas.reduce<Area[]>(
    (left, area) => left.flatMap((piece) => subtract(piece, area)),
    [window],
  )
}

/** The parts of `rect` above, below, left and right of `area`. */
function subtract(rect: Area, area: Area): Area[] {
  const overlap = intersection(rect, area)
  if (overlap.width <= 0 || overlap.height <= 0) return [rect]
  const bottom = overlap.y + overlap.height
  const right = overlap.x + overlap.width
  return [
    { ...rect, height: overlap.y - rect.y },
    { ...rect, y: bottom, height: rect.y + rect.height - bottom },
    { x: rect.x, y: overlap.y, width: overlap.x - rect.x, height: overlap.height },
    { x: right, y: overlap.y, width: rect.x + rect.width - right, height: overlap.height },
  ].filter(({ width, height }) => width > 0 && height > 0)
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}

/** Larger than any desktop: greater values are invalid. */
const Coordinate = z.int().min(-100_000).max(100_000)
const Length = z.int().min(1).max(100_000)

/** Bounds of the interface window when it is neither maximized nor full screen, and its state. */
const StoredPlace = z.object({
  x: Coordinate,
  y: Coordinate,
  width: Length,
  height: Length,
  maximized: z.boolean(),
  fullScreen: z.boolean(),
})
export type StoredPlace = z.infer<typeof StoredPlace>

/** Null if nothing is stored, or it cannot be read. */
export function readPlace(file: string): StoredPlace | null {
  try {
    return StoredPlace.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Throws the system's error. */
export function writePlace(file: string, place: StoredPlace): void {
  mkdirSync(path.dirname(file), { recursive: true })
  // Written under another name first, so that a crash does not leave a partial file.
  writeFileSync(`${file}.new`, `${JSON.stringify(place)}\n`)
  renameSync(`${file}.new`, file)
}
