import { BrowserWindow } from 'electron'
import type { DesktopMemory } from '../desktop-memory.ts'
import type { InterfaceWindow } from './interface-window.ts'

/** As in browsers. Smaller ones would be unreadable. */
const steps = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3]

/** Stays at the last step. */
export function nextZoom(factor: number, to: 'in' | 'out' | 'reset'): number {
  const [first = 1] = steps
  const last = steps.at(-1) ?? 1
  switch (to) {
    case 'in':
      return steps.find((step) => step > factor + 0.01) ?? last
    case 'out':
      return steps.findLast((step) => step < factor - 0.01) ?? first
    case 'reset':
      return 1
  }
}

export function clampZoom(factor: number): number {
  return Math.min(Math.max(factor, steps[0] ?? 1), steps.at(-1) ?? 1)
}

/** Stored for the next start. Returns a function that zooms by one step; a focused authorization window zooms alone. */
export function startZoom(
  window: InterfaceWindow,
  memory: DesktopMemory,
): (step: 'in' | 'out' | 'reset') => void {
  const apply = (): void => {
    for (const { webContents } of window.all)
      webContents.setZoomFactor(clampZoom(memory.current.zoom))
  }
  const zoom = (step: 'in' | 'out' | 'reset'): void => {
    memory.remember({ zoom: nextZoom(memory.current.zoom, step) })
    apply()
  }
  window.onOpened(({ webContents }) => {
    // Chromium stores a zoom factor for each origin with a delay; a new page starts with ours.
    webContents.on('did-navigate', apply)
    webContents.on('zoom-changed', (_event, direction) => zoom(direction))
  })
  return (step) => {
    const focused = BrowserWindow.getFocusedWindow()?.webContents
    if (focused === undefined || window.owns(focused)) zoom(step)
    else focused.setZoomFactor(nextZoom(focused.getZoomFactor(), step))
  }
}
