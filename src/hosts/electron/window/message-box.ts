import type { BrowserWindow } from 'electron'
import type { InterfaceWindow } from './interface-window.ts'

/**
 * The window to attach a message box to; null for none. A box over a hidden or minimized window is not visible, and disables that window. On macOS, a box
 * without a window blocks the main process until it is closed and ignores its abort signal, so a window is opened or restored first.
 */
export function messageBoxParent(
  window: Pick<InterfaceWindow, 'current' | 'show'>,
  platform: NodeJS.Platform = process.platform,
): BrowserWindow | null {
  if (platform === 'darwin') {
    // Not awaited: a page that never loads must not delay the box.
    window.show().catch(() => undefined)
    window.current?.show()
    return window.current ?? null
  }
  const { current } = window
  return current?.isVisible() === true && !current.isMinimized() ? current : null
}
