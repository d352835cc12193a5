import { BrowserWindow, type Session, type WebContents } from 'electron'
import { isHttp } from '#shared/text/address.ts'
import { judgeReturn } from '#engine/oauth/redirect.ts'
import type { AuthorizationWindow } from '#engine/platform/ports.ts'
import { openersAreKept } from '../guards.ts'
import { watchPage, type PageRules, titleOf } from './pages.ts'
import { openAuthorizationSession } from './session.ts'

type Wish = Parameters<AuthorizationWindow['open']>[0]
type Listener = Parameters<AuthorizationWindow['open']>[1]

/** Windows that pages of one run may have open beside the first. */
const MAX_NEW_WINDOWS = 4
/** Windows that they may open in all: each comes in front, so one that opens and closes them for ever would not let the user work. */
const MAX_OPENED = 12
/** Steps, and pages that could not be shown, that one run tells of: a page that never rests must not fill the record. */
const MAX_TOLD = 200
/** Characters of an address that is told as a step. */
const MAX_ADDRESS = 20_000
/** How long (ms) a page may take to let its window close: one that computes for ever does not. */
const CLOSE_MS = 1_000

const CUT_OFF =
  'The page opened a window that cannot report back to it, because Tabscope was started with --no-sandbox. If you cannot sign in, start Tabscope without this switch.'

export interface AuthorizationWindows extends AuthorizationWindow {
  /**
   * For every contents when it is created: watches it if it lives in the session of a run, and answers whether it does. The session cannot
   * be left, and is known before there is a page in it.
   */
  adopt(contents: WebContents): boolean
  /** Closes what is open, as if the user had. */
  closeAll(): void
}

interface Run {
  /** Watches a page that lives in the session of this run. */
  watch(contents: WebContents): void
  end(): void
  /** As if the user had closed it. */
  close(): void
}

/** Shows authorization pages, one run at a time. Opening needs an app that is ready and hands each new contents to `adopt`. */
export function createAuthorizationWindows(): AuthorizationWindows {
  /** Runs that are over too, until their session is used again: a page that comes late is watched by a run that lets nothing pass. */
  const runs = new WeakMap<Session, Run>()
  let current: Run | undefined

  return {
    open(wish, on) {
      current?.close()
      const run = openRun(wish, on, (session, opened) => {
        runs.set(session, opened)
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

/** `register` is told of the session before the first window is made in it. */
function openRun(wish: Wish, on: Listener, register: (session: Session, run: Run) => void): Run {
  const windows = new Set<BrowserWindow>()
  /** Windows and pages are apart: a page may exist that has no window yet. */
  const pages = new Set<WebContents>()
  let over = false
  let recycled = false
  let told = 0
  let opened = 0

  /** A page that the user closes is destroyed before its window is closed, one that we end is destroyed after: whichever comes last. */
  function recycleIfOver(): void {
    if (!over || recycled || pages.size > 0) return
    recycled = true
    // A session that could not be cleared is not used again.
    held.recycle().catch(() => undefined)
  }

  function end(last?: () => void): void {
    if (over) return
    over = true
    // Not at once: this may run inside an event of a navigation, which must not lose its page under it.
    setImmediate(() => {
      for (const window of windows) if (!window.isDestroyed()) window.destroy()
      recycleIfOver()
    })
    last?.()
  }

  function watch(contents: WebContents): void {
    pages.add(contents)
    contents.once('destroyed', () => {
      pages.delete(contents)
      recycleIfOver()
    })
    watchPage(contents, way)
  }

  /** Takes the way back, wherever a main frame was about to go there. */
  function isBack(url: string): boolean {
    const judgement = judgeReturn(url, wish)
    if (judgement.kind === 'elsewhere') return false
    if (judgement.kind === 'refused' && !judgement.final) return false
    // Never requested, since it may carry a code. The run goes on, and is told of it as of every step.
    if (judgement.kind === 'unsolicited') return true
    end(() => on.returned(url))
    return true
  }

  const mayGo = (url: string): boolean => !over && !isBack(url) && isPage(url)

  function tell(one: () => void): void {
    if (over || told >= MAX_TOLD) return
    told += 1
    one()
  }

  const way: PageRules = {
    mayGo,
    goes(url) {
      const may = mayGo(url)
      // An address that is refused for its scheme is told as well: the record shows where the page wanted to go.
      if (url.length <= MAX_ADDRESS) tell(() => on.hop(url))
      return may
    },
    opens(url) {
      if (!mayGo(url) || windows.size > MAX_NEW_WINDOWS || opened >= MAX_OPENED) {
        return { action: 'deny' }
      }
      opened += 1
      if (!openersAreKept()) tell(() => on.failed(CUT_OFF))
      return { action: 'allow', overrideBrowserWindowOptions: held.windowOptions }
    },
    failed: (message) => tell(() => on.failed(message)),
  }

  function hold(window: BrowserWindow): void {
    const { webContents } = window
    windows.add(window)
    window.on('closed', () => windows.delete(window))
    window.on('close', () => {
      // Not at once: Electron does not always survive a window that is destroyed within this event.
      const timer = setTimeout(() => {
        if (!window.isDestroyed()) window.destroy()
      }, CLOSE_MS)
      window.on('closed', () => clearTimeout(timer))
    })
    // Only we name a window: by its title the user knows whose page it is.
    window.on('page-title-updated', (event) => event.preventDefault())
    webContents.on('did-navigate', (_event, url) =>
      window.setTitle(titleOf(url, webContents.mainFrame.origin)),
    )
    webContents.on('did-create-window', (child) => {
      hold(child)
      // What stands in it at first, this page has written.
      child.setTitle(titleOf('', child.webContents.mainFrame.origin))
      // Wherever the page wanted it.
      child.center()
    })
  }

  const held = openAuthorizationSession(mayGo)
  const close = (): void => end(() => on.closed())
  const run: Run = { watch, end, close }
  register(held.session, run)
  const first = new BrowserWindow(held.windowOptions)
  hold(first)
  first.on('closed', close)
  // No event announces what main itself loads. The engine, which reads what strangers send, has no way out of the web either.
  if (!isPage(wish.url)) way.failed('The authorization URL is not an HTTP or HTTPS URL.')
  // Why it failed is told by the page's own event; a way back that was taken rejects this too.
  else first.loadURL(wish.url).catch(() => undefined)
  return run
}

/** Every other scheme would leave the web: a file, the interface, another program. */
function isPage(url: string): boolean {
  if (url === '' || url === 'about:blank') return true
  const protocol = URL.parse(url)?.protocol
  return isHttp({ protocol })
}
