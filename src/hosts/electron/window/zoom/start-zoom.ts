import type { DesktopMemory } from '../../desktop-memory.ts'
import type { InterfaceWindow } from '../interface-window.ts'
import { stepOf, within } from './steps.ts'

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
