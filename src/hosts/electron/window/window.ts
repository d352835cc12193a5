import { BrowserWindow, nativeTheme, type WebContents } from 'electron'
import { isAppUrl } from '../app-url.ts'
import type { WindowPlace } from './window-place.ts'

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
  const loaded = load(window, url)
  revealOnce(window, place, loaded)
  return { window, loaded }
}

/** Rejects for an error status as well: Electron shows an empty page then, and counts it as loaded. */
async function load(window: BrowserWindow, url: string): Promise<void> {
  let status = 0
  window.webContents.once('did-navigate', (_event, _url, code) => (status = code))
  await window.loadURL(url)
  if (status >= 400) throw new Error(`The interface could not be loaded (status ${status}).`)
}

/**
 * Shows the window when its page has painted, or when its load has ended in whatever way, whichever comes first: on Wayland a hidden window
 * does not paint (electron/electron#48859), and a page that failed to load never does.
 */
function revealOnce(window: BrowserWindow, place: WindowPlace, loaded: Promise<void>): void {
  let revealed = false
  const reveal = (): void => {
    if (revealed || window.isDestroyed()) return
    revealed = true
    if (place.maximized) window.maximize()
    window.show()
    if (place.fullScreen) window.setFullScreen(true)
  }
  window.once('ready-to-show', reveal)
  // A window that closes rejects its load while its page is being destroyed: showing it then would call into that page.
  window.once('close', () => (revealed = true))
  loaded.then(reveal, () => setImmediate(reveal))
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
