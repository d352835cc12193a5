import { session, type BrowserWindowConstructorOptions, type WebPreferences } from 'electron'
import { randomUUID } from 'node:crypto'
import { refuseDownloads, refusePermissions } from '../permissions.ts'

/** In memory, without data of other runs, so that no user is logged in yet. `mayRequest` is called before each main-frame request is sent. */
export function openAuthorizationSession(mayRequest: (url: string) => boolean) {
  // Without the prefix `persist:`, nothing is written to disk.
  const partition = `authorization-${randomUUID()}`
  const runSession = session.fromPartition(partition)
  refusePermissions(runSession)
  refuseDownloads(runSession)
  runSession.webRequest.onBeforeRequest(
    { urls: ['<all_urls>'], types: ['mainFrame'] },
    (details, respond) => respond({ cancel: !mayRequest(details.url) }),
  )
  return {
    session: runSession,
    /** Also of windows that a page opens. */
    windowOptions: { ...WINDOW_OPTIONS, webPreferences: webPreferencesFor(partition) },
    /** Electron keeps the session until the app ends. Call it only after the last page is destroyed. */
    async clear(): Promise<void> {
      // A service worker or a request with `keepalive` outlives its page, and must not store anything after the session was cleared.
      runSession.webRequest.onBeforeRequest({ urls: ['<all_urls>'] }, (_details, respond) =>
        respond({ cancel: true }),
      )
      await runSession.closeAllConnections()
      await runSession.clearData()
    },
  }
}

/**
 * A page can set any option that is not set here with `window.open`, so every option that could hide its origin or trap the user is set. (The position
 * cannot be set here: `window.ts` centers the window.)
 */
const WINDOW_OPTIONS = {
  title: 'Authorization',
  show: true,
  width: 560,
  height: 760,
  minWidth: 320,
  minHeight: 240,
  maxWidth: 10_000,
  maxHeight: 10_000,
  useContentSize: false,
  enableLargerThanScreen: false,
  type: 'normal',
  modal: false,
  frame: true,
  thickFrame: true,
  titleBarStyle: 'default',
  titleBarOverlay: false,
  opacity: 1,
  transparent: false,
  focusable: true,
  movable: true,
  resizable: true,
  minimizable: true,
  closable: true,
  kiosk: false,
  fullscreen: false,
  simpleFullscreen: false,
  fullscreenable: false,
  alwaysOnTop: false,
  skipTaskbar: false,
  hiddenInMissionControl: false,
  maximizable: true,
  windowStatePersistence: false,
  disableAutoHideCursor: false,
  autoHideMenuBar: true,
} as const satisfies BrowserWindowConstructorOptions

/** No preload: a page of the service gets no access to Tabscope. */
function webPreferencesFor(partition: string): WebPreferences {
  return {
    partition,
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
    javascript: true,
    zoomFactor: 1,
    devTools: false,
    spellcheck: false,
    disableDialogs: true,
  }
}
