import { BrowserWindow, type Session, type WebContents } from 'electron'
import { isHttp } from '#shared/text/address.ts'
import { judgeReturn } from '#engine/oauth/redirect.ts'
import type { AuthorizationWindow } from '#engine/platform/ports.ts'
import { keepsOpeners } from '../guards.ts'
import { watchPage, type PageRules, titleOf } from './pages.ts'
import { openAuthorizationSession } from './session.ts'

type OpenRequest = Parameters<AuthorizationWindow['open']>[0]
type Listener = Parameters<AuthorizationWindow['open']>[1]

/** Maximum number of windows that pages of one run may have open in addition to the first. */
const MAX_NEW_WINDOWS = 4
/**
 * Maximum number of windows that pages of one run may open in total. Each new window takes the focus, so a page that keeps opening and closing windows would
 * lock the user out.
 */
const MAX_OPENED = 12
/** Maximum number of steps and load failures that one run reports, so that a page that keeps navigating does not fill the record. */
const MAX_REPORTED = 200
/** Maximum length of a reported address, in characters. */
const MAX_ADDRESS = 20_000
/** How long a page may take to close, in milliseconds. A page in an endless loop never does. */
const CLOSE_MS = 1_000

const CUT_OFF =
  'The page opened a window that cannot report back to it, because Tabscope was started with --no-sandbox. If you cannot sign in, start Tabscope without this switch.'

export interface AuthorizationWindows extends AuthorizationWindow {
  /**
   * Call it for every WebContents when it is created. If the contents belong to the session of a run, restricts them and returns true. The session cannot be
   * left, and is known before it has a page.
   */
  adopt(contents: WebContents): boolean
  /** Closes all windows, as if the user had closed them. */
  closeAll(): void
}

interface Run {
  /** Restricts a page in the session of this run. */
  watch(contents: WebContents): void
  end(): void
  /** Ends the run as if the user had closed the window. */
  close(): void
}

/** Shows authorization pages, one run at a time. The app must be ready, and must pass each new WebContents to `adopt`. */
export function createAuthorizationWindows(): AuthorizationWindows {
  /** Also holds ended runs until their session is reused: a page that is created late is blocked by its ended run. */
  const runs = new WeakMap<Session, Run>()
  let current: Run | undefined

  return {
    open(request, on) {
      current?.close()
      const run = openRun(request, on, (session, openedRun) => {
        runs.set(session, openedRun)
      })
      current = run
      return { close: () => run.end() }
    },
    adopt(contents) {
      const run = runs.get(contents.session)
      if (run === undefined) return false
      run.watch(contents)
      return true
    },
    closeAll: () => current?.close(),
  }
}

/** Calls `register` with the session before the first window is created in it. */
function openRun(
  request: OpenRequest,
  on: Listener,
  register: (session: Session, run: Run) => void,
): Run {
  const windows = new Set<BrowserWindow>()
  /** Separate from the windows: a page can exist before it has a window. */
  const pages = new Set<WebContents>()
  let isOver = false
  let recycled = false
  let reported = 0
  let openedCount = 0

  /** A page that the user closes is destroyed before its window, a page that we close after its window. Runs at whichever comes last. */
  function recycleIfOver(): void {
    if (!isOver || recycled || pages.size > 0) return
    recycled = true
    // A session that could not be cleared is not reused.
    runSession.recycle().catch(() => undefined)
  }

  function end(notifyListener?: () => void): void {
    if (isOver) return
    isOver = true
    // Deferred: this may run inside a navigation event, whose page must not be destroyed.
    setImmediate(() => {
      for (const window of windows) if (!window.isDestroyed()) window.destroy()
      recycleIfOver()
    })
    notifyListener?.()
  }

  function watch(contents: WebContents): void {
    pages.add(contents)
    contents.once('destroyed', () => {
      pages.delete(contents)
      recycleIfOver()
    })
    watchPage(contents, rules)
  }

  /** Handles the redirect to the integration. Returns true if the request must not be sent. */
  function isFinalRedirect(url: string): boolean {
    const judgement = judgeReturn(url, request)
    if (judgement.kind === 'elsewhere') return false
    if (judgement.kind === 'refused' && !judgement.final) return false
    // Never requested, since it may contain a code. The run continues, and the step is reported like any other.
    if (judgement.kind === 'unsolicited') return true
    end(() => on.returned(url))
    return true
  }

  const mayNavigate = (url: string): boolean => !isOver && !isFinalRedirect(url) && isPage(url)

  function report(send: () => void): void {
    if (isOver || reported >= MAX_REPORTED) return
    reported += 1
    send()
  }

  const rules: PageRules = {
    mayNavigate,
    navigates(url) {
      const isAllowed = mayNavigate(url)
      // An address that is blocked for its scheme is reported too, so that the record shows where the page tried to navigate.
      if (url.length <= MAX_ADDRESS) report(() => on.hop(url))
      return isAllowed
    },
    opensWindow(url) {
      if (!mayNavigate(url) || windows.size > MAX_NEW_WINDOWS || openedCount >= MAX_OPENED) {
        return { action: 'deny' }
      }
      openedCount += 1
      if (!keepsOpeners()) report(() => on.failed(CUT_OFF))
      return { action: 'allow', overrideBrowserWindowOptions: runSession.windowOptions }
    },
    failed: (message) => report(() => on.failed(message)),
  }

  function addWindow(window: BrowserWindow): void {
    const { webContents } = window
    windows.add(window)
    window.on('closed', () => windows.delete(window))
    window.on('close', () => {
      // Deferred: Electron can crash when a window is destroyed within this event.
      const timer = setTimeout(() => {
        if (!window.isDestroyed()) window.destroy()
      }, CLOSE_MS)
      window.on('closed', () => clearTimeout(timer))
    })
    // A page must not set the title, which shows the user whose page it is.
    window.on('page-title-updated', (event) => event.preventDefault())
    webContents.on('did-navigate', (_event, url) =>
      window.setTitle(titleOf(url, webContents.mainFrame.origin)),
    )
    webContents.on('did-create-window', (child) => {
      addWindow(child)
      // This page wrote the initial content of the new window.
      child.setTitle(titleOf('', child.webContents.mainFrame.origin))
      // The page must not choose the position.
      child.center()
    })
  }

  const runSession = openAuthorizationSession(mayNavigate)
  const close = (): void => end(() => on.closed())
  const run: Run = { watch, end, close }
  register(runSession.session, run)
  const first = new BrowserWindow(runSession.windowOptions)
  addWindow(first)
  first.on('closed', close)
  // Loads that main starts emit no event, so the scheme is checked here: the engine, which reads untrusted input, must not open anything but web pages.
  if (!isPage(request.url)) rules.failed('The authorization URL is not an HTTP or HTTPS URL.')
  // The page's own event reports the failure; a handled redirect also rejects this promise.
  else first.loadURL(request.url).catch(() => undefined)
  return run
}

/** Any other scheme could open a file, the interface or another program. */
function isPage(url: string): boolean {
  if (url === '' || url === 'about:blank') return true
  const protocol = URL.parse(url)?.protocol
  return isHttp({ protocol })
}
