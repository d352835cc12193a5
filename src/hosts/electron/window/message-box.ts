import type { BrowserWindow } from 'electron'
import type { InterfaceWindow } from './interface-window.ts'

/**
 * The window that a message box is attached to; null: it gets none. A box over a window that is hidden or minimised cannot be seen, and
 * disables that window. On macOS a box without a window blocks the main process until it is answered and ignores its abort signal, so there a
 * window is opened or restored first.
 */
export function messageBoxParent(
  window: Pick<InterfaceWindow, 'current' | 'show'>,
  platform: NodeJS.Platform = process.platform,
): BrowserWindow | null {
  if (platform === 'darwin') {
    // Not awaited: a page that never loads must not hold up the question.
    window.show().catch(() => undefined)
    window.current?.show()
    return window.current ?? null
  }
  const { current } = window
  return current?.isVisible() === true && !current.isMinimized() ? current : null
}
