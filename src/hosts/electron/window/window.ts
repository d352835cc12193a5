import { BrowserWindow, nativeTheme, type WebContents } from 'electron'
import { isAppUrl } from '../app-url.ts'
import type { WindowPlace } from './place/window-place.ts'

/** `--bg` of the two themes: what is there before the page has painted must not flash. */
const BACKGROUND = { light: '#f7f6f3', dark: '#141311' }

/**
 * Opens the interface's window at `url`, which shows itself once it has something to show. `preload` is the path of the built preload
 * script.
 */
export function createWindow(
  preload: string,
  url: string,
  place: WindowPlace,
): { window: BrowserWindow; loaded: Promise<void> } {
  const window = new BrowserWindow({
    title: 'Tabscope',
    x: place.x,
    y: place.y,
    width: place.width,
    height: place.height,
    minWidth: place.minWidth,
    minHeight: place.minHeight,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      navigateOnDragDrop: false,
      webviewTag: false,
      spellcheck: false,
    },
  })
  window.once('ready-to-show', () => {
    if (place.maximized) window.maximize()
    window.show()
    if (place.fullScreen) window.setFullScreen(true)
  })
  return { window, loaded: window.loadURL(url) }
}

/** Keeps a page where it belongs, whichever window it is in: a delivery is data, and a link in one leads nowhere. */
export function confine(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-navigate', (event) => {
    if (!isAppUrl(event.url)) event.preventDefault()
  })
  contents.on('will-frame-navigate', (event) => {
    if (!isAppUrl(event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => {
    if (!isAppUrl(event.url)) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.on('content-bounds-updated', (event) => event.preventDefault())
}
