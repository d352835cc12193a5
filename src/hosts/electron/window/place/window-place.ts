import { app, screen, type BrowserWindow } from 'electron'
import path from 'node:path'
import { fitWindow, least, type Area } from './fit.ts'
import { readPlace, writePlace, type KeptPlace } from './kept-place.ts'

/** A window that is moved is written down once it has been still so long, in milliseconds. */
const stillFor = 500

/** How the interface's window is to be opened. */
export interface WindowPlace extends Area {
  readonly minWidth: number
  readonly minHeight: number
  readonly maximized: boolean
  readonly fullScreen: boolean
}

/** Where the window was the last time, or usually is, on the displays that are there now. Only after the app is ready. */
export function lastPlace(): WindowPlace {
  const kept = readPlace(file())
  const areas = workAreas()
  const bounds = fitWindow(kept, areas)
  return {
    ...bounds,
    // On a display that has no room for it the usual least would reach beyond its edge.
    minWidth: Math.min(least.width, bounds.width),
    minHeight: Math.min(least.height, bounds.height),
    maximized: kept?.maximized ?? false,
    fullScreen: kept?.fullScreen ?? false,
  }
}

/** Keeps for the next start where the window is, and the window where it can be seen when a display goes away. */
export function followPlace(window: BrowserWindow): void {
  let timer: NodeJS.Timeout | undefined
  const keep = (): void => {
    clearTimeout(timer)
    if (!window.isDestroyed()) tryWrite(placeOf(window))
  }
  const moved = (): void => {
    clearTimeout(timer)
    timer = setTimeout(keep, stillFor)
  }
  const pull = (): void => {
    if (window.isDestroyed() || window.isMaximized() || window.isFullScreen()) return
    const bounds = window.getNormalBounds()
    const fitted = fitWindow(bounds, workAreas())
    if (isOther(bounds, fitted)) window.setBounds(fitted)
  }
  const changed = (_event: unknown, _display: unknown, metrics: readonly string[]): void => {
    // A bar of the desktop that comes and goes changes the work area alone, and moves nobody's windows.
    if (metrics.some((metric) => metric !== 'workArea')) pull()
  }

  window.on('move', moved)
  window.on('resize', moved)
  window.on('maximize', moved)
  window.on('unmaximize', moved)
  window.on('enter-full-screen', moved)
  window.on('leave-full-screen', moved)
  // Here and not when it is closed: then it has no place any more.
  window.on('close', keep)
  screen.on('display-removed', pull)
  screen.on('display-metrics-changed', changed)
  window.on('closed', () => {
    clearTimeout(timer)
    screen.off('display-removed', pull)
    screen.off('display-metrics-changed', changed)
  })
}

function file(): string {
  return path.join(app.getPath('userData'), 'window.json')
}

function placeOf(window: BrowserWindow): KeptPlace {
  const { x, y, width, height } = window.getNormalBounds()
  return {
    x,
    y,
    width,
    height,
    maximized: window.isMaximized(),
    fullScreen: window.isFullScreen(),
  }
}

function tryWrite(place: KeptPlace): void {
  try {
    writePlace(file(), place)
  } catch {
    // The next window begins where the one before did. A full disk is said by the engine.
  }
}

/** The primary one first. */
function workAreas(): [Area, ...Area[]] {
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  return [primary.workArea, ...others.map(({ workArea }) => workArea)]
}

function isOther(a: Area, b: Area): boolean {
  return a.x !== b.x || a.y !== b.y || a.width !== b.width || a.height !== b.height
}
