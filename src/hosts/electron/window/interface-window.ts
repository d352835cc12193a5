import { type BrowserWindow, type WebContents } from 'electron'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { APP_URL, isAppUrl } from '../app-url.ts'
import { lastPlace, rememberPlace } from './window-place.ts'
import { createWindow } from './window.ts'

/** Authorization windows are separate and not counted here. */
export interface InterfaceWindow {
  readonly current: BrowserWindow | undefined
  owns(contents: WebContents): boolean
  /** Opens the window if needed. `url`: `APP_URL…`. Resolves when the page is loaded. */
  show(url?: string): Promise<void>
  onOpened(listener: (window: BrowserWindow) => void): void
  onClosed(listener: () => void): void
}

/** Reloading the page would lose what is open on it. */
async function navigateTo(window: BrowserWindow, hash: string): Promise<void> {
  const url = new URL(window.webContents.getURL())
  if (url.hash === hash) return
  url.hash = hash
  await window.loadURL(url.href)
}

/** `preload`: the built preload script. The app must be ready. */
export function createInterfaceWindow(preload: string): InterfaceWindow {
  const opened: ((window: BrowserWindow) => void)[] = []
  const closed: (() => void)[] = []
  let current: BrowserWindow | undefined
  let loading: Promise<void> = Promise.resolve()
  /** Open when the window was closed; the next window opens on it. */
  let place = APP_URL

  async function open(url: string): Promise<void> {
    const { window, loaded } = createWindow(preload, url, lastPlace())
    current = window
    rememberPlace(window)
    loading = loaded
    window.on('close', () => {
      const currentUrl = window.webContents.getURL()
      if (isAppUrl(currentUrl)) place = currentUrl
    })
    window.on('closed', () => {
      if (current === window) current = undefined
      for (const listener of closed) listener()
    })
    for (const listener of opened) listener(window)
    await loaded.catch(async (error: unknown) => {
      // The event for a crashed page follows a moment after its load fails.
      await nextTurn()
      // A window that was closed, or a page that crashed and is reloaded, is not an error of this call.
      if (!window.isDestroyed() && !window.webContents.isCrashed()) throw error
    })
  }

  return {
    get current() {
      return current
    },
    owns: (contents) => current?.webContents === contents,
    async show(url) {
      if (current === undefined) return open(url ?? place)
      const window = current
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
      if (url === undefined) return
      // Navigating earlier would cancel the page's load, which then counts as failed.
      await loading.catch(() => undefined)
      if (!window.isDestroyed()) await navigateTo(window, new URL(url).hash)
    },
    onOpened: (listener) => void opened.push(listener),
    onClosed: (listener) => void closed.push(listener),
  }
}
