import type { DesktopMemory } from '../desktop-memory.ts'
import type { InterfaceWindow } from './interface-window.ts'

/** As browsers have them. Smaller ones than the first could not be read. */
const steps = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3]

/** The next size that differs enough from `factor` to be another one; at the end of the steps it stays. */
export function stepOf(factor: number, to: 'in' | 'out' | 'reset'): number {
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

/** A size that was kept in a file, within the limits. */
export function within(factor: number): number {
  return Math.min(Math.max(factor, steps[0] ?? 1), steps.at(-1) ?? 1)
}

/** Sets the size of the interface and keeps it for the next start. Answers what does a step. */
export function startZoom(
  window: InterfaceWindow,
  memory: DesktopMemory,
): (step: 'in' | 'out' | 'reset') => void {
  const apply = (): void => {
    window.current?.webContents.setZoomFactor(within(memory.now.zoom))
  }
  const zoom = (step: 'in' | 'out' | 'reset'): void => {
    memory.remember({ zoom: stepOf(memory.now.zoom, step) })
    apply()
  }
  window.onOpened(({ webContents }) => {
    // Chromium keeps a size for each origin, and in its own time: a page that is new begins with ours.
    webContents.on('did-navigate', apply)
    webContents.on('zoom-changed', (_event, direction) => zoom(direction))
  })
  return zoom
}
