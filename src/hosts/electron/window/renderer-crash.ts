import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import { APP_URL, isAppUrl } from '../app-url.ts'
import type { RestartPrompt } from '../engine/engine-failure.ts'
import type { InterfaceWindow } from './interface-window.ts'
import { planRestarts } from '../engine/restarts.ts'
import { messageBoxParent } from './message-box.ts'

/** The query by which the page learns that it was loaded again (`renderer/features/shell/restarts.ts`). */
const RESTARTED = '?restarted'

const WAIT = 0
const LOAD = 1

interface Parts {
  readonly window: InterfaceWindow
  readonly ask: RestartPrompt
  readonly log: Log
  readonly quit: () => void
}

/**
 * Loads the page again, where it was, when its process has ended: what it showed is the engine's, drafts included. One that ends again and
 * again is left, and a person asked; one that does not answer is waited for or loaded again, as they say.
 */
export function startRendererWatch(parts: Parts): void {
  const { window, log } = parts
  const restarts = planRestarts()

  window.onOpened((opened) => {
    const { webContents } = opened
    const over = new AbortController()
    opened.on('closed', () => over.abort())
    let timer: NodeJS.Timeout | undefined
    opened.on('closed', () => clearTimeout(timer))

    webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
      if (reason === 'clean-exit') return
      log.error(`The window's page ended: ${reason}, code ${exitCode}`, undefined)
      const wait = restarts.ended(performance.now())
      if (wait === null) void decide(opened, over.signal)
      else timer = setTimeout(() => void load(opened), wait)
    })
    webContents.on('preload-error', (_event, _path, error) =>
      log.error('The preload script failed', error),
    )
    askWhenSilent(opened, window, log)
  })

  async function decide(opened: BrowserWindow, over: AbortSignal): Promise<void> {
    const again = await parts.ask(
      {
        message: 'The window of Tabscope stopped several times within a minute.',
        detail: 'Deliveries are still received and stored.',
      },
      over,
    )
    if (over.aborted) return
    if (!again) return parts.quit()
    restarts.reset()
    await load(opened)
  }

  async function load(opened: BrowserWindow): Promise<void> {
    if (opened.isDestroyed()) return
    const left = opened.webContents.getURL()
    const url = new URL(isAppUrl(left) ? left : APP_URL)
    url.search = RESTARTED
    await opened
      .loadURL(url.href)
      .catch((error: unknown) => log.error('The page could not be loaded again', error))
  }
}

/**
 * Asks once while the page does not answer; the question goes away by itself when it does, or has ended. Who waits is asked again when they
 * next do something and nothing comes of it.
 */
function askWhenSilent(window: BrowserWindow, shown: InterfaceWindow, log: Log): void {
  let asking: AbortController | null = null

  async function ask(signal: AbortSignal): Promise<void> {
    const options: MessageBoxOptions = {
      type: 'warning',
      title: 'Tabscope',
      message: 'The window is not responding.',
      detail: 'Deliveries are still received and stored. Wait, or reload the window.',
      buttons: ['Wait', 'Reload'],
      defaultId: WAIT,
      cancelId: WAIT,
      noLink: true,
      signal,
    }
    const parent = messageBoxParent(shown)
    const { response } = await (parent === null
      ? dialog.showMessageBox(options)
      : dialog.showMessageBox(parent, options))
    if (signal.aborted || window.isDestroyed() || response !== LOAD) return
    log.warn('The window is loaded again, as the user wanted.')
    // A page that computes for ever would not let itself be loaded again; its end is seen above.
    window.webContents.forcefullyCrashRenderer()
  }

  const answered = (): void => {
    asking?.abort()
    asking = null
  }
  window.on('closed', answered)
  window.webContents.on('responsive', answered)
  // What is loaded in its place must not be ended by a late answer.
  window.webContents.on('render-process-gone', answered)
  window.webContents.on('unresponsive', () => {
    if (asking !== null) return
    log.warn('The window does not answer.')
    const question = new AbortController()
    asking = question
    ask(question.signal)
      .catch((error: unknown) => log.error('A dialog could not be shown', error))
      .finally(() => {
        if (asking === question) asking = null
      })
  })
}
