import type { BrowserWindow, MessageBoxOptions } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import { APP_URL, isAppUrl } from '../app-url.ts'
import type { RestartPrompt } from '../engine/engine-failure.ts'
import type { InterfaceWindow } from './interface-window.ts'
import { planRestarts } from '../engine/restarts.ts'
import { showMessageBox } from './message-box.ts'

/** Tells the page that it was reloaded (`renderer/app/LostBanner.tsx`). */
const RESTARTED = '?restarted'

const WAIT = 0
const RELOAD = 1

interface Parts {
  readonly window: InterfaceWindow
  readonly ask: RestartPrompt
  readonly log: Log
  readonly quit: () => void
  /** False: no user can respond to a dialog. */
  readonly isAttended: boolean
}

/** Everything that the page showed, including drafts, is stored by the engine. If it keeps ending or does not respond, the user decides. */
export function startRendererWatch(parts: Parts): void {
  const { window, log } = parts
  const restarts = planRestarts()

  window.onOpened((opened) => {
    const { webContents } = opened
    const abort = new AbortController()
    opened.on('closed', () => abort.abort())
    let timer: NodeJS.Timeout | undefined
    opened.on('closed', () => clearTimeout(timer))

    webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
      if (reason === 'clean-exit') return
      log.error(`The page's process ended: ${reason}, code ${exitCode}`, undefined)
      const wait = restarts.ended(performance.now())
      if (wait === null) void decide(opened, abort.signal)
      else timer = setTimeout(() => void reload(opened), wait)
    })
    webContents.on('preload-error', (_event, _path, error) =>
      log.error('The preload script failed', error),
    )
    if (parts.isAttended) askWhenUnresponsive(opened, window, log)
  })

  async function decide(opened: BrowserWindow, abort: AbortSignal): Promise<void> {
    const shouldReload = await parts.ask(
      {
        message: 'The window of Tabscope stopped several times within a minute.',
        detail: 'Deliveries are still received and stored.',
      },
      abort,
    )
    if (abort.aborted) return
    if (!shouldReload) return parts.quit()
    restarts.reset()
    await reload(opened)
  }

  async function reload(opened: BrowserWindow): Promise<void> {
    if (opened.isDestroyed()) return
    const currentUrl = opened.webContents.getURL()
    const url = new URL(isAppUrl(currentUrl) ? currentUrl : APP_URL)
    url.search = RESTARTED
    await opened
      .loadURL(url.href)
      .catch((error: unknown) => log.error('The page could not be reloaded', error))
  }
}

/** Once while the page is not responding. The box closes by itself when the page responds or has ended. */
function askWhenUnresponsive(
  window: BrowserWindow,
  interfaceWindow: InterfaceWindow,
  log: Log,
): void {
  let openBox: AbortController | null = null

  async function ask(signal: AbortSignal): Promise<void> {
    const options: MessageBoxOptions = {
      type: 'warning',
      message: 'The window is not responding.',
      detail: 'Deliveries are still received and stored. Wait, or reload the window.',
      buttons: ['Wait', 'Reload'],
      defaultId: WAIT,
      cancelId: WAIT,
      signal,
    }
    const response = await showMessageBox(interfaceWindow, options)
    if (signal.aborted || window.isDestroyed() || response !== RELOAD) return
    log.warn('The user chose to reload the window.')
    // A page in an endless loop cannot be reloaded; the handler above reloads it after its process has ended.
    window.webContents.forcefullyCrashRenderer()
  }

  const closeBox = (): void => {
    openBox?.abort()
    openBox = null
  }
  window.on('closed', closeBox)
  window.webContents.on('responsive', closeBox)
  // A late response must not end the reloaded page.
  window.webContents.on('render-process-gone', closeBox)
  window.webContents.on('unresponsive', () => {
    if (openBox !== null) return
    log.warn('The window is not responding.')
    const controller = new AbortController()
    openBox = controller
    ask(controller.signal)
      .catch((error: unknown) => log.error('A dialog could not be shown', error))
      .finally(() => {
        if (openBox === controller) openBox = null
      })
  })
}
