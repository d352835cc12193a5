import { app, dialog, type MessageBoxOptions } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import { messageBoxParent } from '../window/message-box.ts'
import type { RunningWork } from './running-work.ts'

export interface Quitting {
  /** Whether Tabscope ends: from then on no window is opened and no engine started any more. */
  readonly hasBegun: boolean
  /** Quits without asking: the system wants it so, or somebody was asked. */
  atOnce(): void
  /** The quit that follows is decided, for example by an update: nobody is asked, and no window is opened any more. */
  begin(): void
  /** From now on it is asked about what is in hand. */
  guard(work: RunningWork, log: Log): void
}

const QUIT = 0
const STAY = 1

/** Whoever quits in the middle of a job, an export or an import is asked first. `begins` is called once it ends. */
export function createQuitting(
  window: InterfaceWindow,
  begins: () => void,
  platform: NodeJS.Platform = process.platform,
): Quitting {
  let guarded: { readonly work: RunningWork; readonly log: Log } | null = null
  let hasBegun = false
  let isDecided = false
  /** The question that is open. Aborted, it is closed without an answer. */
  let question: AbortController | null = null

  function atOnce(): void {
    isDecided = true
    app.quit()
  }

  app.on('before-quit', (event) => {
    // Not asked again once it has begun: while the engine ends it may still say that a job is running.
    const detail = hasBegun || isDecided ? null : (guarded?.work.sentence() ?? null)
    if (detail === null) {
      question?.abort()
      return begin()
    }
    event.preventDefault()
    ask(detail).catch((error: unknown) =>
      guarded?.log.error('Whether to quit could not be asked', error),
    )
  })

  function begin(): void {
    isDecided = true
    if (hasBegun) return
    hasBegun = true
    begins()
  }

  async function ask(detail: string): Promise<void> {
    // Who quits again does not see the question: it is asked anew, in front.
    question?.abort()
    const asked = new AbortController()
    question = asked
    try {
      const response = await show(detail, asked.signal)
      if (asked.signal.aborted) return
      if (response === QUIT) return atOnce()
      // The last window may have been closed before: then nothing would show what goes on.
      if (window.current === undefined) await window.show()
    } finally {
      if (question === asked) question = null
    }
  }

  async function show(detail: string, signal: AbortSignal): Promise<number> {
    const options: MessageBoxOptions = {
      type: 'warning',
      title: 'Tabscope',
      message: 'Quit Tabscope?',
      detail,
      buttons: ['Quit', 'Cancel'],
      defaultId: STAY,
      cancelId: STAY,
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
    atOnce,
    begin,
    guard(work, log) {
      guarded = { work, log }
    },
  }
}
