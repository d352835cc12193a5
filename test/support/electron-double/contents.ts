import { EventEmitter } from 'node:events'
import { PreventableEvent } from './app.ts'
import { NativeImage } from './images.ts'
import { disentangle, type MessagePortMain } from './ports.ts'
import type { Shape } from './placed.ts'
import type { Session } from './sessions.ts'

/** What Electron says of a frame that is gone. */
export const DISPOSED = 'Render frame was disposed before WebFrameMain could be accessed'

/** What `WebFrameMain::PostMessage` does with ports: they are taken from the sender, and lost where the frame is gone. */
export function postToFrame(
  ports: readonly MessagePortMain[],
  isThere: boolean,
  post: (ports: readonly MessagePortMain[]) => void,
): void {
  const moved = disentangle(ports)
  if (isThere) return post(moved)
  for (const port of moved) port.close()
  throw new Error(DISPOSED)
}

/** The one argument of `will-navigate`, `will-frame-navigate` and `will-redirect`. */
export class NavigationEvent extends PreventableEvent {
  readonly isSameDocument = false
  readonly url: string
  readonly isMainFrame: boolean

  constructor(url: string, isMainFrame: boolean) {
    super()
    this.url = url
    this.isMainFrame = isMainFrame
  }
}

export interface WebPreferences {
  readonly preload?: string
  readonly partition?: string
  readonly sandbox?: boolean
  readonly contextIsolation?: boolean
  readonly nodeIntegration?: boolean
  readonly nodeIntegrationInWorker?: boolean
  readonly nodeIntegrationInSubFrames?: boolean
  readonly webSecurity?: boolean
  readonly webviewTag?: boolean
  readonly allowRunningInsecureContent?: boolean
  readonly experimentalFeatures?: boolean
  readonly navigateOnDragDrop?: boolean
  readonly disableDialogs?: boolean
}

export interface WindowOptions extends Shape {
  readonly title?: string
  readonly webPreferences?: WebPreferences
}

export interface OpenAnswer {
  readonly action: 'allow' | 'deny'
  readonly overrideBrowserWindowOptions?: WindowOptions
}

type OpenHandler = (details: { url: string; frameName: string; features: string }) => OpenAnswer

export class WebContents extends EventEmitter {
  readonly session: Session
  openHandler: OpenHandler = () => ({ action: 'allow' })
  /** For the double: where its main frame is. */
  url = ''
  /** Of the document that is there, whatever its address. */
  readonly mainFrame = { origin: 'null' }
  /** For the double: its renderer is gone. */
  crashed = false

  constructor(session: Session) {
    super()
    this.session = session
  }

  /** For the double: how the page behind is told. Nobody hears what is sent before it is there. */
  behind: {
    send(channel: string, args: readonly unknown[], ports?: readonly MessagePortMain[]): void
    zoom(factor: number): void
    crash(): void
    /** Runs a script in the main world of the page. */
    evaluate(code: string): Promise<unknown>
    /** A PNG of what the page shows. */
    capture(): Promise<Buffer>
  } = {
    send: () => undefined,
    zoom: () => undefined,
    crash: () => undefined,
    // As in Electron: it waits for a page, and there is none yet.
    evaluate: () => new Promise(() => undefined),
    capture: async () => Buffer.alloc(0),
  }
  #zoom = 1

  send(channel: string, ...args: unknown[]): void {
    this.behind.send(channel, args)
  }

  /** To the main frame, with ports that live on in the page. */
  postMessage(channel: string, message: unknown, ports: readonly MessagePortMain[] = []): void {
    postToFrame(ports, !this.crashed, (moved) => this.behind.send(channel, [message], moved))
  }

  async executeJavaScript(code: string): Promise<unknown> {
    return this.behind.evaluate(code)
  }

  /** `url` is set once a page has committed, so until then it loads. */
  isLoadingMainFrame(): boolean {
    return this.url === ''
  }

  async capturePage(): Promise<NativeImage> {
    return new NativeImage('page', await this.behind.capture())
  }

  /** As documented: `render-process-gone` follows. */
  forcefullyCrashRenderer(): void {
    this.behind.crash()
  }

  isCrashed(): boolean {
    return this.crashed
  }

  setZoomFactor(factor: number): void {
    if (!(factor > 0)) throw new Error("'zoomFactor' must be a double greater than 0.0")
    if (factor === this.#zoom) return
    this.#zoom = factor
    process.stderr.write(`[window] zoom ${factor}\n`)
    this.behind.zoom(factor)
  }

  getZoomFactor(): number {
    return this.#zoom
  }

  getURL(): string {
    return this.url
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler
  }

  /**
   * For the double: what Electron asks before a navigation that a page began, in its order: any frame, then the main frame. True: it must
   * not happen.
   */
  isNavigationPrevented(url: string, isMainFrame: boolean): boolean {
    return (
      this.#isPrevented('will-frame-navigate', url, isMainFrame) ||
      (isMainFrame && this.#isPrevented('will-navigate', url, isMainFrame))
    )
  }

  /** For the double: what Electron asks when a server has answered with a redirect, before the new address is requested. */
  isRedirectPrevented(url: string, isMainFrame: boolean): boolean {
    return this.#isPrevented('will-redirect', url, isMainFrame)
  }

  #isPrevented(name: string, url: string, isMainFrame: boolean): boolean {
    const event = new NavigationEvent(url, isMainFrame)
    this.emit(name, event)
    return event.defaultPrevented
  }
}
