import { type BrowserWindow } from 'electron'
import type { WebContents } from 'electron'
import { APP_URL } from './app-url.ts'
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

/** `preload` is the path of the built preload script. Only after the app is ready. */
export function createInterfaceWindow(preload: string): InterfaceWindow {
  const opened: ((window: BrowserWindow) => void)[] = []
  const closed: (() => void)[] = []
  let current: BrowserWindow | undefined

  async function open(url: string): Promise<void> {
    const { window, loaded } = createWindow(preload, url)
    current = window
    window.on('closed', () => {
      if (current === window) current = undefined
      for (const listener of closed) listener()
    })
    for (const listener of opened) listener(window)
    await loaded
  }

  return {
    get current() {
      return current
    },
    owns: (contents) => current?.webContents === contents,
    async show(url) {
      if (current === undefined) return open(url ?? APP_URL)
      if (current.isMinimized()) current.restore()
      current.focus()
      // The page is there already: to load it again would lose what is open on it.
      if (url !== undefined && current.webContents.getURL() !== url) await current.loadURL(url)
    },
    onOpened: (listener) => void opened.push(listener),
    onClosed: (listener) => void closed.push(listener),
  }
}
