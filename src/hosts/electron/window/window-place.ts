import { app, screen, type BrowserWindow } from 'electron'
import path from 'node:path'
import {
  fitWindow,
  minimumSize,
  type Area,
  readPlace,
  writePlace,
  type StoredPlace,
} from './fit-window.ts'

/** The position is saved once the window has not moved for this time, in milliseconds. */
const saveAfterMs = 500

type Shape = Pick<StoredPlace, 'maximized' | 'fullScreen'>

/** How to open the interface window. */
export interface WindowPlace extends Area {
  readonly minWidth: number
  readonly minHeight: number
  readonly maximized: boolean
  readonly fullScreen: boolean
}

/** The last position of the window, or the default, adapted to the current displays. The app must be ready. */
export function lastPlace(): WindowPlace {
  const stored = readPlace(file())
  const areas = workAreas()
  const bounds = fitWindow(stored, areas)
  return {
    ...bounds,
    // On a small display, the usual minimum would extend beyond its edge.
    minWidth: Math.min(minimumSize.width, bounds.width),
    minHeight: Math.min(minimumSize.height, bounds.height),
    maximized: stored?.maximized ?? false,
    fullScreen: stored?.fullScreen ?? false,
  }
}

/** Saves the window's position for the next start, and moves the window into view when a display is removed. `opened` is how it was opened. */
export function followPlace(window: BrowserWindow, opened: WindowPlace): void {
  let timer: NodeJS.Timeout | undefined
  let shape: Shape = { maximized: opened.maximized, fullScreen: opened.fullScreen }
  const save = (): void => {
    clearTimeout(timer)
    if (window.isDestroyed()) return
    shape = shapeOf(window, shape)
    tryWrite({ ...boundsOf(window), ...shape })
  }
  const onMove = (): void => {
    clearTimeout(timer)
    shape = shapeOf(window, shape)
    timer = setTimeout(save, saveAfterMs)
  }
  const moveIntoView = (): void => {
    // A maximized, full-screen or minimized window is checked when it is restored.
    if (window.isDestroyed() || window.isMinimized()) return
    if (window.isMaximized() || window.isFullScreen()) return
    const bounds = boundsOf(window)
    const fitted = fitWindow(bounds, workAreas())
    if (!differs(bounds, fitted)) return
    // A minimum larger than the available space would prevent shrinking.
    window.setMinimumSize(
      Math.min(minimumSize.width, fitted.width),
      Math.min(minimumSize.height, fitted.height),
    )
    window.setBounds(fitted)
  }
  // Deferred: the system is still restoring the window during the event.
  const onRestored = (): void => void setImmediate(moveIntoView)
  const onMetricsChanged = (
    _event: unknown,
    _display: unknown,
    metrics: readonly string[],
  ): void => {
    // A desktop bar that appears or disappears changes only the work area, and must not move windows.
    if (metrics.some((metric) => metric !== 'workArea')) moveIntoView()
  }

  window.on('move', onMove)
  window.on('resize', onMove)
  window.on('maximize', onMove)
  window.on('unmaximize', onMove)
  window.on('enter-full-screen', onMove)
  window.on('leave-full-screen', onMove)
  // On `close`, not `closed`: a closed window has no bounds.
  window.on('close', save)
  window.on('restore', onRestored)
  window.on('unmaximize', onRestored)
  window.on('leave-full-screen', onRestored)
  screen.on('display-removed', moveIntoView)
  screen.on('display-metrics-changed', onMetricsChanged)
  window.on('closed', () => {
    clearTimeout(timer)
    screen.off('display-removed', moveIntoView)
    screen.off('display-metrics-changed', onMetricsChanged)
  })
}

function file(): string {
  return path.join(app.getPath('userData'), 'window.json')
}

function boundsOf(window: BrowserWindow): Area {
  const { x, y, width, height } = window.getNormalBounds()
  return { x, y, width, height }
}

/** A minimized window is neither; restoring it returns it to its `previous` state. */
function shapeOf(window: BrowserWindow, previous: Shape): Shape {
  if (window.isMinimized()) return previous
  return { maximized: window.isMaximized(), fullScreen: window.isFullScreen() }
}

function tryWrite(place: StoredPlace): void {
  try {
    writePlace(file(), place)
  } catch {
    // The next window opens at the earlier position. The engine reports a full disk.
  }
}

/** The primary display first. */
function workAreas(): [Area, ...Area[]] {
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  return [primary.workArea, ...others.map(({ workArea }) => workArea)]
}

function differs(a: Area, b: Area): boolean {
  return a.x !== b.x || a.y !== b.y || a.width !== b.width || a.height !== b.height
}
