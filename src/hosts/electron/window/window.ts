import { BrowserWindow, nativeTheme, type WebContents } from 'electron'
import { isAppUrl } from '../app-url.ts'
import type { WindowPlace } from './window-place.ts'

/** `--bg` of the two themes, so that the window does not flash before the page has painted. */
const BACKGROUND = { light: '#f7f6f3', dark: '#141311' }

/** It becomes visible once it has content. `preload`: the built preload script. */
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
  // The wheel only reports it.
  const { webContents } = window
  webContents.on('zoom-changed', (_event, direction) => {
    webContents.zoomLevel += direction === 'in' ? 0.5 : -0.5
  })
  const loaded = load(window, url)
  revealOnce(window, place, loaded)
  return { window, loaded }
}

/** Also rejects for an error status, which Electron counts as loaded, with an empty page. */
async function load(window: BrowserWindow, url: string): Promise<void> {
  let status = 0
  window.webContents.once('did-navigate', (_event, _url, code) => (status = code))
  await window.loadURL(url)
  if (status >= 400) throw new Error(`The interface could not be loaded (status ${status}).`)
}

/** When the page has painted or its load has ended: on Wayland a hidden window does not paint (electron/electron#48859), and a failed page never does. */
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
  // Closing the window rejects its load while the page is being destroyed; showing it then would access that page.
  window.once('close', () => (revealed = true))
  loaded.then(reveal, () => setImmediate(reveal))
}

/** Links in deliveries must not open, in any window. `openAnother`: a page of the interface requests another window with this URL. */
export function confine(contents: WebContents, openAnother: (url: string) => void): void {
  contents.setWindowOpenHandler(({ url }) => {
    if (isAppUrl(url)) openAnother(url)
    return { action: 'deny' }
  })
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
