import { app, PreventableEvent } from './app.ts'
import type { WebContents, WebPreferences, WindowOptions } from './contents.ts'
import type { PageBehind } from './interface-page.ts'
import { gateDocuments } from './document-gate.ts'
import { watchTitle } from './page-title.ts'
import { partitions, type StoppedPage } from './partitions.ts'

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
  /** The page prevented closing or the navigation. */
  stays(): void
  opened(options: WindowOptions, popup: Popup): { isDestroyed(): boolean; destroy(): void }
}

/** A page of a separate session, without a preload script, that can navigate wherever the app allows it. */
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
      // Popups close with their opener.
      for (const child of children) if (!child.isDestroyed()) child.destroy()
      window.closed()
    },
    popup: (opened) => void answerPopup(opened),
  })

  const asked: PromiseWithResolvers<WindowOpen>[] = []
  const announced: WindowOpen[] = []
  cdp.on('Page.windowOpen', (open) => {
    const waiting = asked.shift()
    if (waiting === undefined) announced.push(open)
    else waiting.resolve(open)
  })

  /** The page already exists, but is paused. If it is denied, it never runs. */
  async function answerPopup(opened: StoppedPage): Promise<void> {
    const waiting = Promise.withResolvers<WindowOpen>()
    const known = announced.shift()
    if (known === undefined) asked.push(waiting)
    const { url, windowName, windowFeatures } = known ?? (await waiting.promise)
    const { action, overrideBrowserWindowOptions = {} } = contents.openHandler({
      url: url === '' ? 'about:blank' : url,
      frameName: windowName,
      features: windowFeatures.join(','),
    })
    if (action === 'deny') return turnAway(opened)
    const own = overrideBrowserWindowOptions.webPreferences ?? {}
    // A popup with an opener shares its session and restrictions. Other popups inherit no session.
    const { partition: _, ...inherited } = window.webPreferences
    const base = keepsOpener(opened) ? window.webPreferences : inherited
    const options = { ...overrideBrowserWindowOptions, webPreferences: { ...base, ...own } }
    try {
      const child = window.opened(options, { opener: contents, page: opened })
      children.add(child)
      contents.emit('did-create-window', child, { url, frameName: windowName, options })
    } catch (error) {
      // Otherwise the end of this process would resume the page.
      await turnAway(opened)
      throw error
    }
  }

  async function turnAway(opened: StoppedPage): Promise<void> {
    // Closing resumes a paused page, and its first request would be sent.
    opened.gate(async () => 'Aborted')
    // Closing a paused page pauses the process that it shares with its opener.
    await opened.cdp.send('Runtime.runIfWaitingForDebugger').catch(() => undefined)
    return browser.closePage(opened.targetId)
  }

  const answerDialog = (accept: boolean): void => {
    // The page may have closed meanwhile, including the dialog.
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

  const documents = gateDocuments(cdp, targetId, contents, {
    // In Electron, main loads the URL of a window without an opener.
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

/** Unsandboxed pages share no process with a sandboxed window, so the new window loses its opener. Here this affects only what main sees. */
function keepsOpener(page: StoppedPage): boolean {
  return page.hasOpener && !app.commandLine.hasSwitch('no-sandbox')
}

interface WindowOpen {
  readonly url: string
  readonly windowName: string
  readonly windowFeatures: readonly string[]
}
