import { powerMonitor } from 'electron'
import type { Quitting } from './quitting/quitting.ts'
import type { InterfaceWindow } from './window/interface-window.ts'

/**
 * Ends Tabscope in order when the system shuts down or the user logs off, whether or not it has a window. Without this the engine would be
 * ended in the middle: what was answered is on the disk even so, and is taken in at the next start.
 */
export function startEndings(window: InterfaceWindow, quitting: Quitting): void {
  if (process.platform === 'win32') {
    // Told to windows alone. In the tray nothing is told, and the process is ended by the system.
    window.onOpened((opened) => {
      opened.on('session-end', () => quitting.atOnce())
    })
    return
  }
  // The event is not in Electron's types, but in its documentation: prevented, the system waits a moment for us.
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault()
    quitting.atOnce()
  })
}
