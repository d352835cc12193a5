import { app, screen, type BrowserWindow } from 'electron'
import path from 'node:path'
import { fitWindow, least, type Area, readPlace, writePlace, type StoredPlace } from './fit-window.ts'

/** A window that is moved is written down once it has been still so long, in milliseconds. */
const stillFor = 500

type Shape = Pick<StoredPlace, 'maximized' | 'fullScreen'>

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

/** Keeps for the next start where the window is, and the window where it can be seen when a display goes away. `opened`: how it was opened. */
export function followPlace(window: BrowserWindow, opened: WindowPlace): void {
  let timer: NodeJS.Timeout | undefined
  let shape: Shape = { maximized: opened.maximized, fullScreen: opened.fullScreen }
  const keep = (): void => {
    clearTimeout(timer)
    if (window.isDestroyed()) return
    shape = shapeOf(window, shape)
    tryWrite({ ...boundsOf(window), ...shape })
  }
  const moved = (): void => {
    clearTimeout(timer)
    shape = shapeOf(window, shape)
    timer = setTimeout(keep, stillFor)
  }
  const pull = (): void => {
    // One that is large or in the task bar now is looked at when it comes out of that.
    if (window.isDestroyed() || window.isMinimized()) return
    if (window.isMaximized() || window.isFullScreen()) return
    const bounds = boundsOf(window)
    const fitted = fitWindow(bounds, workAreas())
    if (!isOther(bounds, fitted)) return
    // Where there is less room than the usual least, that would not let it shrink.
    window.setMinimumSize(
      Math.min(least.width, fitted.width),
      Math.min(least.height, fitted.height),
    )
    window.setBounds(fitted)
  }
  // Not within the event: the system is still at it.
  const back = (): void => void setImmediate(pull)
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
  window.on('restore', back)
  window.on('unmaximize', back)
  window.on('leave-full-screen', back)
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

function boundsOf(window: BrowserWindow): Area {
  const { x, y, width, height } = window.getNormalBounds()
  return { x, y, width, height }
}

/** In the task bar it is neither, and is what it was `before` as soon as it comes back. */
function shapeOf(window: BrowserWindow, before: Shape): Shape {
  if (window.isMinimized()) return before
  return { maximized: window.isMaximized(), fullScreen: window.isFullScreen() }
}

function tryWrite(place: StoredPlace): void {
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
