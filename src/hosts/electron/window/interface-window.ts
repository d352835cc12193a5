import type { BrowserWindow, WebContents } from 'electron'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { APP_URL, isAppUrl } from '../app-url.ts'
import { lastPlace, rememberPlace } from './window-place.ts'
import { createWindow } from './window.ts'

/** Authorization windows are separate and not counted here. */
export interface InterfaceWindow {
  /** Had the focus last; undefined: none is open. */
  readonly current: BrowserWindow | undefined
  readonly all: readonly BrowserWindow[]
  owns(contents: WebContents): boolean
  /** Shows the current window, or opens one. `url`: `APP_URL…`. Resolves when the page is loaded. */
  show(url?: string): Promise<void>
  /** Beside the current one. Does nothing if too many are open. */
  openAnother(url: string): Promise<void>
  onOpened(listener: (window: BrowserWindow) => void): void
  /** The last one was closed. */
  onClosed(listener: () => void): void
}

/** A page in a loop must not fill the screen. */
const MAX_WINDOWS = 10

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
  /** The current one is the last. */
  const windows: BrowserWindow[] = []
  const loading = new WeakMap<BrowserWindow, Promise<void>>()
  /** Open when the last window was closed; the next window opens on it. */
  let place = APP_URL

  function remove(window: BrowserWindow): void {
    const at = windows.indexOf(window)
    if (at !== -1) windows.splice(at, 1)
  }

  async function open(url: string): Promise<void> {
    const { window, loaded } = createWindow(preload, url, lastPlace(windows.at(-1)))
    windows.push(window)
    rememberPlace(window)
    loading.set(window, loaded)
    window.on('focus', () => {
      remove(window)
      windows.push(window)
    })
    window.on('close', () => {
      const currentUrl = window.webContents.getURL()
      if (isAppUrl(currentUrl)) place = currentUrl
    })
    window.on('closed', () => {
      remove(window)
      if (windows.length > 0) return
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
      return windows.at(-1)
    },
    all: windows,
    owns: (contents) => windows.some(({ webContents }) => webContents === contents),
    async show(url) {
      const window = windows.at(-1)
      if (window === undefined) return open(url ?? place)
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
      if (url === undefined) return
      // Navigating earlier would cancel the page's load, which then counts as failed.
      await loading.get(window)?.catch(() => undefined)
      if (!window.isDestroyed()) await navigateTo(window, new URL(url).hash)
    },
    async openAnother(url) {
      if (windows.length < MAX_WINDOWS) await open(url)
    },
    onOpened: (listener) => void opened.push(listener),
    onClosed: (listener) => void closed.push(listener),
  }
}
