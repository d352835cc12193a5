import {
  app,
  BrowserWindow,
  type Session,
  type WebContents,
  type WindowOpenHandlerResponse,
} from 'electron'
import { isHttp } from '#shared/text/address.ts'
import { judgeReturn } from '#engine/authorization/oauth/redirect.ts'
import type { AuthorizationWindow } from '#engine/platform/ports.ts'
import { describeCertificateRequest, watchPage, type PageRules, titleOf } from './pages.ts'
import { openAuthorizationSession } from './session.ts'

type OpenRequest = Parameters<AuthorizationWindow['open']>[0]
type Listener = Parameters<AuthorizationWindow['open']>[1]

/** In addition to the first window of a run. */
const MAX_NEW_WINDOWS = 4
/** Per run. Each new window takes the focus, so a page that keeps opening and closing windows would lock the user out. */
const MAX_OPENED = 12
/** Steps and load failures of a run: a page that keeps navigating must not fill the record. */
const MAX_REPORTED = 200
const MAX_ADDRESS = 20_000
/** A page in an endless loop never closes. */
const CLOSE_MS = 1_000

export interface AuthorizationWindows extends AuthorizationWindow {
  /** Call it for all new WebContents. Restricts those in the session of a run and returns true. The session cannot be left, and is known before any page. */
  adopt(contents: WebContents): boolean
  /** As if the user had closed them. */
  closeAll(): void
}

/** One run at a time. The app must be ready. */
export function createAuthorizationWindows(): AuthorizationWindows {
  /** Also holds ended runs: a page that is created late is blocked by its ended run. */
  const runs = new WeakMap<Session, AuthorizationRun>()
  let current: AuthorizationRun | undefined

  // `guards.ts` refuses it. Electron emits it only if the system has a certificate, and without contents for requests of main.
  app.on('select-client-certificate', (_event, contents: WebContents | null, address) => {
    if (contents === null) return
    runs.get(contents.session)?.failed(describeCertificateRequest(address))
  })

  return {
    open(request, on) {
      current?.close()
      const run = new AuthorizationRun(request, on)
      runs.set(run.session, run)
      current = run
      run.openFirstWindow()
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

class AuthorizationRun implements PageRules {
  readonly #request: OpenRequest
  readonly #on: Listener
  readonly #session = openAuthorizationSession((url) => this.mayNavigate(url))
  readonly #windows = new Set<BrowserWindow>()
  /** Separate from the windows: a page can exist before it has a window. */
  readonly #pages = new Set<WebContents>()
  #isOver = false
  #isCleared = false
  #reportedCount = 0
  #openedCount = 0

  constructor(request: OpenRequest, on: Listener) {
    this.#request = request
    this.#on = on
  }

  get session(): Session {
    return this.#session.session
  }

  openFirstWindow(): void {
    const window = new BrowserWindow(this.#session.windowOptions)
    this.#addWindow(window)
    window.on('closed', () => this.close())
    const { url } = this.#request
    // Loads that main starts emit no event, so the scheme is checked here: the engine, which reads untrusted input, must not open anything but web pages.
    if (!isPage(url)) this.failed('The authorization URL is not an HTTP or HTTPS URL.')
    // The page's own event reports the failure; a handled redirect also rejects this promise.
    else window.loadURL(url).catch(() => undefined)
  }

  watch(contents: WebContents): void {
    this.#pages.add(contents)
    contents.once('destroyed', () => {
      this.#pages.delete(contents)
      this.#clearIfOver()
    })
    watchPage(contents, this)
  }

  close(): void {
    this.end(() => this.#on.closed())
  }

  /** Calls `notifyListener` unless the run has already ended. */
  end(notifyListener?: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    // Deferred: this may run inside a navigation event, whose page must not be destroyed.
    setImmediate(() => {
      for (const window of this.#windows) if (!window.isDestroyed()) window.destroy()
      this.#clearIfOver()
    })
    notifyListener?.()
  }

  mayNavigate(url: string): boolean {
    return !this.#isOver && !this.#isFinalRedirect(url) && isPage(url)
  }

  navigates(url: string): boolean {
    const isAllowed = this.mayNavigate(url)
    // An address that is blocked for its scheme is reported too, so that the record shows where the page tried to navigate.
    if (url.length <= MAX_ADDRESS) this.#report(() => this.#on.hop(url))
    return isAllowed
  }

  opensWindow(url: string): WindowOpenHandlerResponse {
    const isFull = this.#windows.size > MAX_NEW_WINDOWS || this.#openedCount >= MAX_OPENED
    if (!this.mayNavigate(url) || isFull) return { action: 'deny' }
    this.#openedCount += 1
    return { action: 'allow', overrideBrowserWindowOptions: this.#session.windowOptions }
  }

  failed(message: string): void {
    this.#report(() => this.#on.failed(message))
  }

  #report(send: () => void): void {
    if (this.#isOver || this.#reportedCount >= MAX_REPORTED) return
    this.#reportedCount += 1
    send()
  }

  /** Returns true if the request must not be sent. */
  #isFinalRedirect(url: string): boolean {
    const judgement = judgeReturn(url, this.#request)
    if (judgement.kind === 'elsewhere') return false
    if (judgement.kind === 'refused' && !judgement.final) return false
    // Never requested, since it may contain a code. The run continues, and the step is reported like any other.
    if (judgement.kind === 'unsolicited') return true
    this.end(() => this.#on.returned(url))
    return true
  }

  /** A page that the user closes is destroyed before its window, a page that we close after its window. Runs at whichever comes last. */
  #clearIfOver(): void {
    if (!this.#isOver || this.#isCleared || this.#pages.size > 0) return
    this.#isCleared = true
    // Nothing else can be done: no later run uses this session.
    this.#session.clear().catch(() => undefined)
  }

  #addWindow(window: BrowserWindow): void {
    const { webContents } = window
    this.#windows.add(window)
    window.on('closed', () => this.#windows.delete(window))
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
      this.#addWindow(child)
      // This page wrote the initial content of the new window.
      child.setTitle(titleOf('', child.webContents.mainFrame.origin))
      // The page must not choose the position.
      child.center()
    })
  }
}

/** Any other scheme could open a file, the interface or another program. */
function isPage(url: string): boolean {
  if (url === '' || url === 'about:blank') return true
  const protocol = URL.parse(url)?.protocol
  return isHttp({ protocol })
}
