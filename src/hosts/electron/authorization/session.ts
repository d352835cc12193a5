import {
  session,
  type BrowserWindowConstructorOptions,
  type Session,
  type WebPreferences,
} from 'electron'
import { randomUUID } from 'node:crypto'
import { refuseDownloads, refusePermissions } from '../permissions.ts'

export interface AuthorizationSession {
  readonly session: Session
  /** Of every window that lives in it, the first one and those that a page opens. */
  readonly windowOptions: BrowserWindowConstructorOptions
  /**
   * Clears the session and offers it to the next run. Only after the last page of this run is destroyed. Rejects where something could not be
   * cleared: then the session is never used again.
   */
  recycle(): Promise<void>
}

/** Partitions that were cleared. They are used again, since Electron keeps the session of each partition until the app ends. */
const cleared: string[] = []

/**
 * A session for one run, in memory and with nothing of other runs in it, so that nobody is logged in yet and another user can log in.
 * `mayRequest` is asked before a main frame's request leaves.
 */
export function openAuthorizationSession(
  mayRequest: (url: string) => boolean,
): AuthorizationSession {
  // Without `persist:` in front nothing of it reaches the disk.
  const partition = cleared.pop() ?? `authorization-${randomUUID()}`
  const held = session.fromPartition(partition)
  refusePermissions(held)
  // A session that is used again has the listener of the run before.
  held.removeAllListeners('will-download')
  refuseDownloads(held)
  held.webRequest.onBeforeRequest(
    { urls: ['<all_urls>'], types: ['mainFrame'] },
    (details, answer) => answer({ cancel: !mayRequest(details.url) }),
  )
  return {
    session: held,
    windowOptions: { ...SHAPE, webPreferences: closed(partition) },
    async recycle() {
      // What outlives its page (a service worker, a request with `keepalive`) must store nothing behind what is cleared.
      held.webRequest.onBeforeRequest({ urls: ['<all_urls>'] }, (_details, answer) =>
        answer({ cancel: true }),
      )
      await held.closeAllConnections()
      await held.clearData()
      await held.clearCache()
      await held.clearAuthCache()
      await held.clearHostResolverCache()
      cleared.push(partition)
    },
  }
}

/**
 * Whatever a page names in the third argument of `window.open` is an option of its window, unless it stands here: so all by which it would
 * hide where it comes from, or would not let go, is named. (Where it stands cannot be: `authorization-window.ts` centres it.)
 */
const SHAPE = {
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

/** No preload: a page of the service gets nothing of ours. */
function closed(partition: string): WebPreferences {
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
