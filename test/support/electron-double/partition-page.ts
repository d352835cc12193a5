import { app, PreventableEvent } from './app.ts'
import type { WebContents, WebPreferences, WindowOptions } from './contents.ts'
import type { PageBehind } from './interface-page.ts'
import { holdDocuments } from './held-documents.ts'
import { watchTitle } from './page-title.ts'
import { partitions, type StoppedPage } from './partitions.ts'

/** A page that another page has opened, and that the app has allowed. */
export interface Popup {
  readonly opener: WebContents
  readonly page: StoppedPage
}

export interface PartitionWindow {
  readonly contents: WebContents
  readonly webPreferences: WebPreferences
  readonly popup: Popup | undefined
  closed(): void
  titled(title: string): void
  /** The page did not let it close, or go on. */
  stays(): void
  /** Makes the window of a page that was opened and allowed. */
  opened(options: WindowOptions, popup: Popup): { isDestroyed(): boolean; destroy(): void }
}

/** A page of a session of its own, without preload, that goes wherever the app lets it. */
export async function openPartitionPage(window: PartitionWindow): Promise<PageBehind> {
  const { contents } = window
  const browser = await partitions()
  const page = window.popup?.page ?? (await browser.newPage(contents.session))
  const { cdp, targetId } = page
  const closed = Promise.withResolvers<true>()
  let refused = Promise.withResolvers<false>()
  const children = new Set<{ isDestroyed(): boolean; destroy(): void }>()

  browser.watch(targetId, {
    closed() {
      closed.resolve(true)
      // They do not outlive who opened them.
      for (const child of children) if (!child.isDestroyed()) child.destroy()
      window.closed()
    },
    popup: (opened) => void answerPopup(opened),
  })

  const asked: PromiseWithResolvers<WindowOpen>[] = []
  const told: WindowOpen[] = []
  cdp.on('Page.windowOpen', (open) => {
    const waiting = asked.shift()
    if (waiting === undefined) told.push(open)
    else waiting.resolve(open)
  })

  /** The page exists already, but has made no step: refused, it makes none. */
  async function answerPopup(opened: StoppedPage): Promise<void> {
    const waiting = Promise.withResolvers<WindowOpen>()
    const known = told.shift()
    if (known === undefined) asked.push(waiting)
    const { url, windowName, windowFeatures } = known ?? (await waiting.promise)
    const { action, overrideBrowserWindowOptions = {} } = contents.openHandler({
      url: url === '' ? 'about:blank' : url,
      frameName: windowName,
      features: windowFeatures.join(','),
    })
    if (action === 'deny') return turnAway(opened)
    const own = overrideBrowserWindowOptions.webPreferences ?? {}
    // Whoever keeps a hold on its opener shares its session and how closed it is; nobody else inherits a session.
    const { partition: _, ...inherited } = window.webPreferences
    const base = keepsOpener(opened) ? window.webPreferences : inherited
    const options = { ...overrideBrowserWindowOptions, webPreferences: { ...base, ...own } }
    try {
      const child = window.opened(options, {
        opener: contents,
        page: opened,
      })
      children.add(child)
      contents.emit('did-create-window', child, { url, frameName: windowName, options })
    } catch (error) {
      // Else the end of this process would let go of the page.
      await turnAway(opened)
      throw error
    }
  }

  async function turnAway(opened: StoppedPage): Promise<void> {
    // Closing lets go of a page that is stopped, and its first request would leave.
    opened.gate(async () => 'Aborted')
    // A page that is closed while it is stopped stops the process that it shares with its opener.
    await opened.cdp.send('Runtime.runIfWaitingForDebugger').catch(() => undefined)
    return browser.closePage(opened.targetId)
  }

  const answerDialog = (accept: boolean): void => {
    // Its page may be gone meanwhile, and the dialog with it.
    cdp.send('Page.handleJavaScriptDialog', { accept }).catch(() => undefined)
  }
  cdp.on('Page.javascriptDialogOpening', ({ type, message }) => {
    if (type === 'beforeunload') {
      const event = new PreventableEvent()
      contents.emit('will-prevent-unload', event)
      if (!event.defaultPrevented) {
        refused.resolve(false)
        window.stays()
      }
      answerDialog(event.defaultPrevented)
    } else if (window.webPreferences.disableDialogs === true) {
      answerDialog(false)
    } else process.stderr.write(`[double] dialog: ${message}\n`)
  })

  const documents = holdDocuments(cdp, targetId, contents, {
    // In Electron main itself loads the address of a window that has no opener.
    ownFirst: window.popup !== undefined && !keepsOpener(page),
  })
  watchTitle(cdp, (title) => window.titled(title))
  page.gate(async (paused) => documents.verdictAtGate(paused))
  await cdp.send('Runtime.runIfWaitingForDebugger')
  await documents.ready

  contents.behind = {
    ...contents.behind,
    async evaluate(expression) {
      const { result } = await cdp.send('Runtime.evaluate', { expression, returnByValue: true })
      return result.value
    },
  }

  return {
    async load(url) {
      documents.expectOwn()
      const { errorText } = await cdp.send('Page.navigate', { url })
      if (errorText !== undefined) throw new Error(`${errorText.slice(5)} loading '${url}'`)
    },
    async close() {
      refused = Promise.withResolvers<false>()
      await cdp.send('Page.close').catch(() => undefined)
      return Promise.race([closed.promise, refused.promise])
    },
    destroy: async () => browser.closePage(targetId),
  }
}

/** Pages that run without a sandbox share no process with a window that is to have one: the new window loses its opener, here in what main sees of it. */
function keepsOpener(page: StoppedPage): boolean {
  return page.hasOpener && !app.commandLine.hasSwitch('no-sandbox')
}

interface WindowOpen {
  readonly url: string
  readonly windowName: string
  readonly windowFeatures: readonly string[]
}
