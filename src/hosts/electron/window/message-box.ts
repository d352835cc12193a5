import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron'
import type { InterfaceWindow } from './interface-window.ts'

/** Over the window if it is visible. Resolves to the index of the clicked button. */
export async function showMessageBox(
  window: Pick<InterfaceWindow, 'current' | 'show'>,
  options: MessageBoxOptions,
  platform: NodeJS.Platform = process.platform,
): Promise<number> {
  const complete = { title: 'Tabscope', noLink: true, ...options }
  const parent = parentFor(window, platform)
  const { response } = await (parent === null
    ? dialog.showMessageBox(complete)
    : dialog.showMessageBox(parent, complete))
  return response
}

/**
 * A box over a hidden or minimized window is not visible, and disables that window. On macOS, a box without a window blocks the main process until it is
 * closed and ignores its abort signal, so a window is opened or restored first.
 */
function parentFor(
  window: Pick<InterfaceWindow, 'current' | 'show'>,
  platform: NodeJS.Platform,
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
