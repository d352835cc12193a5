import { EventEmitter } from 'node:events'
import { PreventableEvent } from './app.ts'
import { NativeImage } from './images.ts'
import { disentangle, type MessagePortMain } from './ports.ts'
import type { Shape } from './window-bounds.ts'
import type { Session } from './sessions.ts'

/** Electron's error message for a disposed frame. */
export const DISPOSED = 'Render frame was disposed before WebFrameMain could be accessed'

/** Like `WebFrameMain::PostMessage`: transfers ports from the sender, and drops them if the frame is disposed. */
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

/** The argument of `will-navigate`, `will-frame-navigate` and `will-redirect`. */
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
  /** For the double: URL of the main frame. */
  url = ''
  /** Title of the current document. */
  readonly mainFrame = { origin: 'null' }
  /** For the double: true after the renderer has ended. */
  crashed = false

  constructor(session: Session) {
    super()
    this.session = session
  }

  /** For the double: sends messages to the page. Messages before the page exists are lost. */
  behind: {
    send(channel: string, args: readonly unknown[], ports?: readonly MessagePortMain[]): void
    crash(): void
    /** Runs a script in the main world of the page. */
    evaluate(code: string): Promise<unknown>
    capture(): Promise<Buffer>
  } = {
    send: () => undefined,
    crash: () => undefined,
    // Like in Electron: waits for a page, which does not exist yet.
    evaluate: () => new Promise(() => undefined),
    capture: async () => Buffer.alloc(0),
  }

  send(channel: string, ...args: unknown[]): void {
    this.behind.send(channel, args)
  }

  /** Sends a message to the main frame, and transfers ports to the page. */
  postMessage(channel: string, message: unknown, ports: readonly MessagePortMain[] = []): void {
    postToFrame(ports, !this.crashed, (moved) => this.behind.send(channel, [message], moved))
  }

  async executeJavaScript(code: string): Promise<unknown> {
    return this.behind.evaluate(code)
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

  getURL(): string {
    return this.url
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler
  }

  /** For the double: emits the navigation events in Electron's order. True: prevented. */
  isNavigationPrevented(url: string, isMainFrame: boolean): boolean {
    return (
      this.#isPrevented('will-frame-navigate', url, isMainFrame) ||
      (isMainFrame && this.#isPrevented('will-navigate', url, isMainFrame))
    )
  }

  /** For the double: emits the event for a server redirect, before the new URL is requested. */
  isRedirectPrevented(url: string, isMainFrame: boolean): boolean {
    return this.#isPrevented('will-redirect', url, isMainFrame)
  }

  #isPrevented(name: string, url: string, isMainFrame: boolean): boolean {
    const event = new NavigationEvent(url, isMainFrame)
    this.emit(name, event)
    return event.defaultPrevented
  }
}
