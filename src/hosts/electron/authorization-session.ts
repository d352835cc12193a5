import {
  session,
  type BrowserWindowConstructorOptions,
  type Session,
  type WebPreferences,
} from 'electron'
import { randomUUID } from 'node:crypto'
import { refusePermissions } from './permissions.ts'

export interface AuthorizationSession {
  readonly session: Session
  /** Of every window that lives in it, the first one and those that a page opens. */
  readonly windowOptions: BrowserWindowConstructorOptions
}

/**
 * A session for one run, in memory and under a name of its own, so that nobody is logged in yet and another user can log in. `mayRequest`
 * is asked before a main frame's request leaves.
 */
export function openAuthorizationSession(
  mayRequest: (url: string) => boolean,
): AuthorizationSession {
  // Without `persist:` in front nothing of it reaches the disk.
  const partition = `authorization-${randomUUID()}`
  const held = session.fromPartition(partition)
  refusePermissions(held)
  held.on('will-download', (event) => event.preventDefault())
  held.webRequest.onBeforeRequest(
    { urls: ['<all_urls>'], types: ['mainFrame'] },
    (details, answer) => answer({ cancel: !mayRequest(details.url) }),
  )
  return { session: held, windowOptions: { ...SHAPE, webPreferences: closed(partition) } }
}

/** All that a page could ask for in `window.open` and by which it would hide where it comes from is named here. */
const SHAPE = {
  title: 'Authorization',
  width: 560,
  height: 760,
  frame: true,
  closable: true,
  kiosk: false,
  fullscreenable: false,
  transparent: false,
  alwaysOnTop: false,
  skipTaskbar: false,
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
    webviewTag: false,
    devTools: false,
    spellcheck: false,
    disableDialogs: true,
  }
}
