import { EventEmitter } from 'node:events'
import {
  chromium,
  type BrowserContext,
  type Page,
  type Request as PageRequest,
  type Route,
} from 'playwright-core'
import { app, assertReady, PreventableEvent } from './app.ts'
import { bridgePage, type PageBridge } from './page-bridge.ts'
import type { MessagePortMain } from './ports.ts'
import { protocol, session } from './services.ts'

export const ipcMain = new EventEmitter()

const APP = 'app://tabscope'
/** Chromium cannot be taught a scheme from outside: to it the interface has this origin, which resolves nowhere. */
const STAND_IN = 'https://tabscope.invalid'
const toStandIn = (url: string): string => url.replace(APP, STAND_IN)
const fromStandIn = (url: string): string => url.replace(STAND_IN, APP)

class NavigationEvent extends PreventableEvent {
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
  }
}

type OpenHandler = (details: { url: string }) => { action: 'allow' | 'deny' }

class WebContents extends EventEmitter {
  openHandler: OpenHandler = () => ({ action: 'allow' })

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler
  }
}

interface WebPreferences {
  readonly preload?: string
  readonly sandbox?: boolean
  readonly contextIsolation?: boolean
  readonly nodeIntegration?: boolean
  readonly webSecurity?: boolean
}

const windows = new Set<BrowserWindow>()

export class BrowserWindow extends EventEmitter {
  readonly webContents = new WebContents()
  readonly #page: Promise<Page>
  readonly #preload: string
  #bridge: PageBridge | undefined
  /** A navigation that main began itself is not announced. */
  #loading = ''

  static getAllWindows(): BrowserWindow[] {
    return [...windows]
  }

  constructor(options: { webPreferences?: WebPreferences } = {}) {
    super()
    assertReady('Cannot create BrowserWindow')
    const { preload, sandbox, contextIsolation, nodeIntegration, webSecurity } =
      options.webPreferences ?? {}
    if (sandbox !== true || contextIsolation !== true)
      throw new Error('The window is not sandboxed')
    if (nodeIntegration === true || webSecurity === false)
      throw new Error('The window is not closed')
    if (session.defaultSession.handlers.size < 3) throw new Error('Permissions are not refused yet')
    this.#preload = preload ?? ''
    this.#page = this.#open()
    windows.add(this)
    app.emit('web-contents-created', new PreventableEvent(), this.webContents)
  }

  async #open(): Promise<Page> {
    const context = await connect()
    const page = await context.newPage()
    await page.route('**', (route) => this.#answer(page, route))
    page.on('popup', (popup) => {
      if (this.webContents.openHandler({ url: popup.url() }).action === 'deny') void popup.close()
    })
    page.on('close', () => {
      windows.delete(this)
      this.emit('closed')
      if (windows.size === 0 && !app.emit('window-all-closed')) app.quit()
    })
    this.#bridge = await bridgePage(page, this.#preload, (channel, args) => {
      const send = (name: string, message: unknown, ports: readonly MessagePortMain[] = []): void =>
        this.#bridge?.send(name, [message], ports)
      const senderFrame = { url: fromStandIn(page.url()), parent: null, postMessage: send }
      ipcMain.emit(channel, { sender: this.webContents, senderFrame, ports: [] }, ...args)
    })
    return page
  }

  /** Every request of the page ends here; what the app does not serve goes nowhere. */
  async #answer(page: Page, route: Route): Promise<void> {
    const request = route.request()
    const url = fromStandIn(request.url())
    if (this.#isOwnNavigation(page, request) && this.#isPrevented(url)) {
      // To an answer without content a browser stays where it is.
      return route.fulfill({ status: 204 })
    }
    if (!url.startsWith(`${APP}/`)) return route.abort()
    const response = await protocol.answer(new Request(url, { method: request.method() }))
    return route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    })
  }

  #isOwnNavigation(page: Page, request: PageRequest): boolean {
    return (
      request.isNavigationRequest() &&
      request.frame() === page.mainFrame() &&
      request.url() !== this.#loading
    )
  }

  #isPrevented(url: string): boolean {
    const event = new NavigationEvent(url)
    this.webContents.emit('will-frame-navigate', event)
    if (!event.defaultPrevented) this.webContents.emit('will-navigate', event)
    return event.defaultPrevented
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.#page
    this.#loading = toStandIn(url)
    const response = await page.goto(this.#loading)
    this.#loading = ''
    if (response?.ok() !== true) throw new Error(`ERR_FAILED loading '${url}'`)
    this.emit('ready-to-show')
  }

  async close(): Promise<void> {
    await (await this.#page).close()
  }

  show(): void {
    process.stderr.write('[window] shown\n')
  }

  focus(): void {
    process.stderr.write('[window] focused\n')
  }

  isMinimized(): boolean {
    return false
  }

  restore(): void {}
}

app.closeWindows = async () => {
  await Promise.all([...windows].map((window) => window.close()))
  return windows.size === 0
}

let connected: Promise<BrowserContext> | undefined

/** The browser belongs to the test, which thus sees the same pages. */
function connect(): Promise<BrowserContext> {
  const endpoint = process.env['DOUBLE_CDP']
  if (endpoint === undefined) throw new Error('DOUBLE_CDP must name the browser to open windows in')
  connected ??= chromium.connectOverCDP(endpoint).then((browser) => {
    const [context] = browser.contexts()
    if (context === undefined) throw new Error('The browser has no context')
    return context
  })
  return connected
}
