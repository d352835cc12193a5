import type { BrowserContext, Page, Request as PageRequest, Route } from 'playwright-core'
import { setTimeout as sleep } from 'node:timers/promises'
import { PreventableEvent } from './app.ts'
import { postToFrame, type WebContents } from './contents.ts'
import { connectCdp } from './cdp.ts'
import { applyPermissions } from './permissions.ts'
import { createIpcEvent, ipcMain } from './ipc.ts'
import { bridgePage, type PageBridge } from './page-bridge.ts'
import type { MessagePortMain } from './ports.ts'
import { protocol } from './services.ts'

const APP = 'app://tabscope'
/** Custom schemes cannot be registered in Chromium from outside, so the interface uses this unresolvable origin. */
const PAGE_ORIGIN = 'https://tabscope.invalid'
const toPageUrl = (url: string): string => url.replace(APP, PAGE_ORIGIN)
const fromPageUrl = (url: string): string => url.replace(PAGE_ORIGIN, APP)

export interface PageBehind {
  load(url: string): Promise<void>
  /** Resolves when main knows the page's URL, which reaches the double slightly later than the test. */
  settled?(): Promise<void>
  /** Requests the page to close; false if it prevents closing. */
  close(): Promise<boolean>
  destroy(): Promise<void>
}

/** A page of the default session: it has a preload script, and can load only content that the app serves. */
export async function openInterfacePage(
  contents: WebContents,
  preload: string,
  on: { closed(): void; crashed(): void },
): Promise<PageBehind> {
  const context = await connect()
  await applyPermissions(
    await connectCdp(browserEndpoint()),
    contents.session,
    `${APP}/index.html`,
    { origin: PAGE_ORIGIN },
  )
  const page = await context.newPage()
  /** Navigations started by main emit no events. */
  let loading = ''
  await page.route('**', answer)
  page.on('popup', (popup) => void popup.close())
  const devtools = await context.newCDPSession(page)
  devtools.on('Page.windowOpen', ({ url, windowName, windowFeatures }) => {
    const details = { frameName: windowName, features: windowFeatures.join(',') }
    const { action } = contents.openHandler({ url: fromPageUrl(url), ...details })
    if (action !== 'deny') throw new Error('The double has no popups in the default session')
  })
  await devtools.send('Page.enable')
  // A denied window is `null` for the page, although Chromium has already opened it.
  await page.addInitScript(() => {
    const open = window.open.bind(window)
    window.open = (...args) => {
      open(...args)
      return null
    }
  })
  page.on('close', () => on.closed())
  page.on('crash', () => on.crashed())
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) contents.url = fromPageUrl(frame.url())
  })
  const bridge: PageBridge = await bridgePage(page, preload, (channel, args) => {
    const senderFrame = { url: fromPageUrl(page.url()), parent: null, detached: false, postMessage }
    const event = createIpcEvent(contents, () => senderFrame)
    contents.emit('ipc-message', event, channel, ...args)
    ipcMain.emit(channel, event, ...args)
  })

  contents.behind = {
    send: (channel, args, ports = []) => bridge.send(channel, args, ports),
    crash() {
      // Chromium really crashes the page, so there is no reply.
      void context
        .newCDPSession(page)
        .then(async (session) => session.send('Page.crash'))
        .catch(() => undefined)
    },
    evaluate: async (code) => {
      const value: unknown = await page.evaluate(code)
      return value === undefined ? undefined : JSON.parse(fromPageUrl(JSON.stringify(value)))
    },
    capture: async () => page.screenshot(),
  }
  let status = 200
  page.on('response', (response) => {
    if (response.request().isNavigationRequest() && response.frame() === page.mainFrame())
      status = response.status()
  })
  page.on('domcontentloaded', () => {
    contents.emit('did-navigate', new PreventableEvent(), fromPageUrl(page.url()), status, '')
  })

  function postMessage(
    name: string,
    message: unknown,
    ports: readonly MessagePortMain[] = [],
  ): void {
    const isThere = !page.isClosed() && !contents.crashed
    postToFrame(ports, isThere, (moved) => bridge.send(name, [message], moved))
  }

  /** Handles all requests of the page. Requests that the app does not serve are aborted. */
  async function answer(route: Route): Promise<void> {
    const request = route.request()
    const url = fromPageUrl(request.url())
    if (isOwnNavigation(page, request) && contents.isNavigationPrevented(url, true)) {
      // A browser does not navigate on a response without content.
      return route.fulfill({ status: 204 })
    }
    if (!url.startsWith(`${APP}/`)) return route.abort()
    const response = await protocol.answer(
      new Request(url, { method: request.method(), headers: request.headers() }),
    )
    if (response.type === 'error') return route.abort('failed')
    const body = Buffer.from(await response.arrayBuffer())
    // Electron shows an empty page for an error without a body, and the load succeeds.
    const isBlank = body.length === 0 && request.isNavigationRequest()
    return route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: isBlank ? ' ' : body,
    })
  }

  function isOwnNavigation(of: Page, request: PageRequest): boolean {
    return (
      request.isNavigationRequest() &&
      request.frame() === of.mainFrame() &&
      request.url() !== loading
    )
  }

  return {
    async load(url) {
      loading = toPageUrl(url)
      await page.goto(loading)
      loading = ''
    },
    async settled() {
      const asked = page.evaluate('location.href').catch(() => null)
      // A page that has ended or does not respond keeps its last URL.
      const href = await Promise.race([asked, sleep(500, null)])
      if (typeof href === 'string') contents.url = fromPageUrl(href)
    },
    async close() {
      await page.close()
      return true
    },
    destroy: async () => page.close(),
  }
}

let connected: Promise<BrowserContext> | undefined

/** Connects to the browser of the test, so that the test sees the same pages. */
async function connect(): Promise<BrowserContext> {
  connected ??= openContext()
  return connected
}

async function openContext(): Promise<BrowserContext> {
  // Loaded only for a window of the interface: loading Playwright takes longer than everything else that an app without one does.
  const { chromium } = await import('playwright-core')
  const browser = await chromium.connectOverCDP(browserEndpoint())
  const [context] = browser.contexts()
  if (context === undefined) throw new Error('The browser has no context')
  // Playwright dismisses dialogs without a listener, but they belong to the window.
  context.on('dialog', () => undefined)
  return context
}

export function browserEndpoint(): string {
  const endpoint = process.env['DOUBLE_CDP']
  if (endpoint === undefined) throw new Error('DOUBLE_CDP must name the browser to open windows in')
  return endpoint
}
