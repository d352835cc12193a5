import { type BrowserWindow, type WebContents } from 'electron'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { APP_URL, isAppUrl } from '../app-url.ts'
import { followPlace, lastPlace } from './window-place.ts'
import { createWindow } from './window.ts'

/** The interface's one window. An authorization window beside it is none, wherever windows are counted. */
export interface InterfaceWindow {
  readonly current: BrowserWindow | undefined
  owns(contents: WebContents): boolean
  /** Shows it in front, at `url` (`APP_URL…`) where one is given; opens it where there is none. Resolves when the page is loaded. */
  show(url?: string): Promise<void>
  onOpened(listener: (window: BrowserWindow) => void): void
  onClosed(listener: () => void): void
}

/** Leads the page that is there to another place in it: to load it anew would lose what is open on it. */
async function lead(window: BrowserWindow, hash: string): Promise<void> {
  const url = new URL(window.webContents.getURL())
  if (url.hash === hash) return
  url.hash = hash
  await window.loadURL(url.href)
}

/** `preload` is the path of the built preload script. Only after the app is ready. */
export function createInterfaceWindow(preload: string): InterfaceWindow {
  const opened: ((window: BrowserWindow) => void)[] = []
  const closed: (() => void)[] = []
  let current: BrowserWindow | undefined
  let loading: Promise<void> = Promise.resolve()
  /** Where the window was when it was closed: there the next one begins. */
  let place = APP_URL

  async function open(url: string): Promise<void> {
    const at = lastPlace()
    const { window, loaded } = createWindow(preload, url, at)
    current = window
    followPlace(window, at)
    loading = loaded
    window.on('close', () => {
      const left = window.webContents.getURL()
      if (isAppUrl(left)) place = left
    })
    window.on('closed', () => {
      if (current === window) current = undefined
      for (const listener of closed) listener()
    })
    for (const listener of opened) listener(window)
    await loaded.catch(async (error: unknown) => {
      // That a page has ended is told a moment after its load was given up.
      await nextTurn()
      // Closed before it was there, or ended and loaded again: whoever wanted it shown has no fault to hear of.
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
      // A page that is still coming would be given up, and its load would have failed.
      await loading.catch(() => undefined)
      if (!window.isDestroyed()) await lead(window, new URL(url).hash)
    },
    onOpened: (listener) => void opened.push(listener),
    onClosed: (listener) => void closed.push(listener),
  }
}
