import { app, dialog, type MessageBoxOptions } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import { messageBoxParent } from '../window/message-box.ts'
import type { RunningWork } from './running-work.ts'

export interface Quitting {
  /** Whether Tabscope is quitting. From then on no window is opened and no engine is started. */
  readonly hasBegun: boolean
  /** Quits without asking, because the system requires it or the user was already asked. */
  quitNow(): void
  /** Begins a quit that is already decided, for example by an update: the user is not asked, and no more windows are opened. */
  begin(): void
  /** Asks before quitting while this work is running. */
  guard(work: RunningWork, log: Log): void
}

const QUIT = 0
const CANCEL = 1

/** Asks before quitting during a job, an export or an import. `onBegin` is called once the app starts to quit. */
export function createQuitting(
  window: InterfaceWindow,
  onBegin: () => void,
  platform: NodeJS.Platform = process.platform,
): Quitting {
  let protectedWork: { readonly work: RunningWork; readonly log: Log } | null = null
  let hasBegun = false
  let isDecided = false
  /** The message box that is open. Aborting it closes the box without a response. */
  let prompt: AbortController | null = null

  function quitNow(): void {
    isDecided = true
    app.quit()
  }

  app.on('before-quit', (event) => {
    // Not asked again once quitting has begun: while the engine closes, it may still report a running job.
    const detail = hasBegun || isDecided ? null : (protectedWork?.work.describe() ?? null)
    if (detail === null) {
      prompt?.abort()
      return begin()
    }
    event.preventDefault()
    ask(detail).catch((error: unknown) =>
      protectedWork?.log.error('The quit dialog could not be shown', error),
    )
  })

  function begin(): void {
    isDecided = true
    if (hasBegun) return
    hasBegun = true
    onBegin()
  }

  async function ask(detail: string): Promise<void> {
    // A second quit shows the box again, in front, since the user may not see the first one.
    prompt?.abort()
    const controller = new AbortController()
    prompt = controller
    try {
      const response = await show(detail, controller.signal)
      if (controller.signal.aborted) return
      if (response === QUIT) return quitNow()
      // If the last window was closed, nothing would show the work that continues.
      if (window.current === undefined) await window.show()
    } finally {
      if (prompt === controller) prompt = null
    }
  }

  async function show(detail: string, signal: AbortSignal): Promise<number> {
    const options: MessageBoxOptions = {
      type: 'warning',
      title: 'Tabscope',
      message: 'Quit Tabscope?',
      detail,
      buttons: ['Quit', 'Cancel'],
      defaultId: CANCEL,
      cancelId: CANCEL,
      noLink: true,
      signal,
    }
    const parent = messageBoxParent(window, platform)
    const { response } = await (parent === null
      ? dialog.showMessageBox(options)
      : dialog.showMessageBox(parent, options))
    return response
  }

  return {
    get hasBegun() {
      return hasBegun
    },
    quitNow,
    begin,
    guard(work, log) {
      protectedWork = { work, log }
    },
  }
}
