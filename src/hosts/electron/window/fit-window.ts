import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** A rectangle of the desktop in device-independent pixels. Displays to the left of the primary one, or above it, begin below zero. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** What a window is where nobody has said otherwise, and what it must not be less than where the display has room for it. */
const usual = { width: 1280, height: 820 }
export const least = { width: 760, height: 480 }

/**
 * Where a window may be that was last at `wanted` (null: never), so that all of it is to be seen. `areas` are the work areas of the displays
 * that are there now, the primary one first. It stays where it was if all of it is to be seen there, be it on two displays; else it moves,
 * and shrinks if it must, on the display that has most of it; on the primary one where none has anything of it.
 */
export function fitWindow(wanted: Area | null, areas: readonly [Area, ...Area[]]): Area {
  const [primary] = areas
  if (wanted === null) return centred(usual, primary)
  const home = mostOf(wanted, areas)
  if (home === null) return centred(wanted, primary)
  const window = { ...wanted, ...atLeast(wanted, home) }
  if (uncovered(window, areas).length === 0) return window
  const width = Math.min(window.width, home.width)
  const height = Math.min(window.height, home.height)
  return {
    x: between(window.x, home.x, home.x + home.width - width),
    y: between(window.y, home.y, home.y + home.height - height),
    width,
    height,
  }
}

function centred(size: { width: number; height: number }, area: Area): Area {
  const wanted = atLeast(size, area)
  const width = Math.min(wanted.width, area.width)
  const height = Math.min(wanted.height, area.height)
  return {
    x: area.x + Math.floor((area.width - width) / 2),
    y: area.y + Math.floor((area.height - height) / 2),
    width,
    height,
  }
}

/** The size, but not smaller than the least that the area has room for. */
function atLeast(size: { width: number; height: number }, area: Area) {
  return {
    width: Math.max(size.width, Math.min(least.width, area.width)),
    height: Math.max(size.height, Math.min(least.height, area.height)),
  }
}

/** The area that has the most of it; null: none has anything. */
function mostOf(window: Area, areas: readonly Area[]): Area | null {
  let best: Area | null = null
  let most = 0
  for (const area of areas) {
    const { width, height } = shared(window, area)
    if (width > 0 && height > 0 && width * height > most) {
      best = area
      most = width * height
    }
  }
  return best
}

function shared(a: Area, b: Area): Area {
  const x = Math.max(a.x, b.x)
  const y = Math.max(a.y, b.y)
  return {
    x,
    y,
    width: Math.min(a.x + a.width, b.x + b.width) - x,
    height: Math.min(a.y + a.height, b.y + b.height) - y,
  }
}

/** What of the window is on none of the areas. They may overlap, as those of mirrored displays do. */
export function uncovered(window: Area, areas: readonly Area[]): Area[] {
  return areas.reduce<Area[]>(
    (left, area) => left.flatMap((piece) => without(piece, area)),
    [window],
  )
}

/** The pieces of `from` beside `area`: above, below, left and right of it. */
function without(from: Area, area: Area): Area[] {
  const cut = shared(from, area)
  if (cut.width <= 0 || cut.height <= 0) return [from]
  const bottom = cut.y + cut.height
  const right = cut.x + cut.width
  return [
    { ...from, height: cut.y - from.y },
    { ...from, y: bottom, height: from.y + from.height - bottom },
    { x: from.x, y: cut.y, width: cut.x - from.x, height: cut.height },
    { x: right, y: cut.y, width: from.x + from.width - right, height: cut.height },
  ].filter(({ width, height }) => width > 0 && height > 0)
}

function between(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}

/** Far beyond any desktop: what is more is a mistake. */
const Coordinate = z.int().min(-100_000).max(100_000)
const Length = z.int().min(1).max(100_000)

/** Where the interface's window was, when it was neither maximised nor full screen. */
const StoredPlace = z.object({
  x: Coordinate,
  y: Coordinate,
  width: Length,
  height: Length,
  maximized: z.boolean(),
  fullScreen: z.boolean(),
})
export type StoredPlace = z.infer<typeof StoredPlace>

/** Null: nothing was kept, or it cannot be read, which is as good. */
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
  // By another name first: a crash must not leave half of it.
  writeFileSync(`${file}.new`, `${JSON.stringify(place)}\n`)
  renameSync(`${file}.new`, file)
}
