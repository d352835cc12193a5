import { app, assertReady, PreventableEvent } from './app.ts'
import { WebContents, type WindowOptions } from './contents.ts'
import { FocusedWindow } from './focus.ts'
import type { PageBehind } from './interface-page.ts'
import { openReloadablePage } from './reloadable-page.ts'
import { grantRole, usePopupWindow } from './menus.ts'
import { openPartitionPage, type Popup } from './partition-page.ts'
import { WindowWithBounds } from './window-bounds.ts'
import { session, type Session } from './sessions.ts'
import { onAction } from './actions.ts'
import type { NativeImage } from './images.ts'

const windows = new Set<BrowserWindow>()
let lastId = 0
const isWayland = process.env['DOUBLE_OZONE'] === 'wayland'

export class BrowserWindow extends WindowWithBounds {
  readonly id: number
  readonly webContents: WebContents
  readonly #behind: Promise<PageBehind>
  #title: string
  #destroyed = false

  static getAllWindows(): BrowserWindow[] {
    return [...windows]
  }

  static fromWebContents(contents: WebContents): BrowserWindow | null {
    return [...windows].find((window) => window.webContents === contents) ?? null
  }

  static getFocusedWindow(): BrowserWindow | null {
    return [...windows].find((window) => window.isFocused()) ?? null
  }

  /** `popup`: for the double, the popup's page. */
  constructor(options: WindowOptions = {}, popup?: Popup) {
    super(options)
    assertReady('Cannot create BrowserWindow')
    const held = sessionOf(options)
    if (popup !== undefined && popup.opener.session !== held)
      throw new Error('The new window is not in the session of the page that opened it')
    lastId += 1
    this.id = lastId
    this.#title = options.title ?? ''
    this.webContents = new WebContents(held)
    if (popup?.page.hasOpener === true)
      this.webContents.mainFrame.origin = popup.opener.mainFrame.origin
    windows.add(this)
    app.emit('web-contents-created', new PreventableEvent(), this.webContents)
    this.#behind = this.#open(options, popup)
    // Callers of load and close also see the error.
    this.#behind.catch((error: unknown) => process.stderr.write(`[double] ${String(error)}\n`))
    if (options.show !== false) this.show()
    app.emit('browser-window-created', new PreventableEvent(), this)
  }

  async #open({ webPreferences = {} }: WindowOptions, popup?: Popup): Promise<PageBehind> {
    const { preload } = webPreferences
    const closed = (): void => this.#closed('page')
    if (this.webContents.session === session.defaultSession)
      return openReloadablePage(this.webContents, preload ?? '', closed)
    if (preload !== undefined)
      throw new Error('The double has no preload outside the default session')
    return openPartitionPage({
      contents: this.webContents,
      webPreferences,
      popup,
      closed,
      stays: () => void process.stderr.write(`[window ${this.id}] stays\n`),
      titled: (title) => this.#titled(title),
      opened: (inner, opened) => new BrowserWindow(inner, opened),
    })
  }

  #titled(title: string): void {
    if (this.#destroyed) return
    const event = new PreventableEvent()
    this.webContents.emit('page-title-updated', new PreventableEvent(), title, true)
    this.emit('page-title-updated', event, title, true)
    if (!event.defaultPrevented) this.setTitle(title)
  }

  /** `first`: what is destroyed first. When a page ends, its window is destroyed; when the app destroys a window, its page ends. */
  #closed(first: 'page' | 'window'): void {
    if (this.#destroyed) return
    const { webContents } = this
    if (first === 'page') webContents.emit('destroyed')
    this.#destroyed = true
    windows.delete(this)
    process.stderr.write(`[window ${this.id}] closed\n`)
    this.blur()
    makeUnusable(this)
    this.emit('closed')
    void this.#behind
      .then(async (page) => page.destroy())
      .catch(() => undefined)
      .then(() => first === 'window' && webContents.emit('destroyed'))
    if (windows.size === 0) app.windowsClosed()
  }

  async loadURL(url: string): Promise<void> {
    await (await this.#behind).load(url)
    if (this.#destroyed) return
    // A hidden window does not render on Wayland (electron/electron#48859).
    if (isWayland && !this.isVisible()) this.once('show', () => this.#painted())
    else this.#painted()
    this.webContents.emit('did-finish-load')
  }

  #painted(): void {
    this.webContents.emit('ready-to-show')
    process.nextTick(() => this.emit('ready-to-show'))
  }

  /** Nothing is rendered. */
  setIcon(icon: NativeImage): void {
    process.stderr.write(`[window ${this.id}] icon: ${icon.file}\n`)
  }

  /** The title bar, reported on stderr for tests. */
  setTitle(title: string): void {
    this.#title = title
    process.stderr.write(`[window ${this.id}] title: ${title}\n`)
  }

  getTitle(): string {
    return this.#title
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  close(): void {
    void this.asksToClose()
  }

  /** For the double: false if the page prevents closing. */
  async asksToClose(): Promise<boolean> {
    const behind = await this.#behind
    await behind.settled?.()
    const event = new PreventableEvent()
    this.emit('close', event)
    if (event.defaultPrevented) return false
    return behind.close()
  }

  /** Destroys the window immediately without asking the page, like in Electron. */
  destroy(): void {
    this.#closed('window')
  }

  center(): void {
    process.stderr.write(`[window ${this.id}] centred\n`)
  }
}

/** Electron marks the object as destroyed before it emits `closed`. Any further access throws. */
function makeUnusable(window: BrowserWindow): void {
  for (const { prototype } of [BrowserWindow, WindowWithBounds, FocusedWindow])
    for (const name of Object.getOwnPropertyNames(prototype))
      if (!['constructor', 'isDestroyed', 'asksToClose'].includes(name))
        Object.defineProperty(window, name, { value: refuseDestroyed })
  Object.defineProperty(window, 'webContents', { get: refuseDestroyed })
}

function refuseDestroyed(): never {
  throw new TypeError('Object has been destroyed')
}

grantRole('close', () => BrowserWindow.getFocusedWindow()?.close())

usePopupWindow((asked) => {
  const known = [...windows].find((one) => one === asked)
  const window = known ?? BrowserWindow.getFocusedWindow() ?? [...windows][0]
  if (window === undefined) throw new Error('Cannot open Menu without a BaseWindow present')
  return window.id
})

/** Returns the session of a window. Rejects sessions without restrictions for untrusted pages. */
function sessionOf({ webPreferences = {} }: WindowOptions): Session {
  const { partition, sandbox, contextIsolation, webSecurity } = webPreferences
  if (sandbox !== true || contextIsolation !== true) throw new Error('The window is not sandboxed')
  const opens = [
    webPreferences.nodeIntegration,
    webPreferences.nodeIntegrationInWorker,
    webPreferences.nodeIntegrationInSubFrames,
    webPreferences.webviewTag,
    webPreferences.allowRunningInsecureContent,
    webPreferences.experimentalFeatures,
    webPreferences.navigateOnDragDrop,
  ]
  if (opens.includes(true) || webSecurity === false) throw new Error('The window is not closed')
  const held = partition === undefined ? session.defaultSession : session.fromPartition(partition)
  if (held.handlers.size < 3) throw new Error('Permissions are not refused yet')
  if (held.checksSpelling) throw new Error('The spelling checker of the session is not disabled')
  return held
}

onAction('close-window', ({ window }) => {
  for (const one of windows) if (one.id === window) one.close()
})

app.windows = {
  all: () => [...windows],
  async closeAll() {
    const closed = await Promise.all([...windows].map(async (window) => window.asksToClose()))
    return !closed.includes(false)
  },
  destroyAll() {
    for (const window of windows) window.destroy()
  },
}
