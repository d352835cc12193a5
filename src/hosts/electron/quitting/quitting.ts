import { app, dialog, type MessageBoxOptions } from 'electron'
import type { Log } from '#engine/ports.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import type { WorkInHand } from './work-in-hand.ts'

export interface Quitting {
  /** Whether Tabscope ends: from then on no window is opened and no engine started any more. */
  readonly hasBegun: boolean
  /** Ends Tabscope without asking: the system wants it so, or somebody was asked. */
  atOnce(): void
  /** From now on it is asked about what is in hand. */
  guard(work: WorkInHand, log: Log): void
}

const QUIT = 0
const STAY = 1

/** Whoever quits in the middle of a job, an export or an import is asked first. `begins` is called once it ends. */
export function createQuitting(window: InterfaceWindow, begins: () => void): Quitting {
  let guarded: { readonly work: WorkInHand; readonly log: Log } | null = null
  let hasBegun = false
  let isDecided = false
  let isAsking = false

  function atOnce(): void {
    isDecided = true
    app.quit()
  }

  app.on('before-quit', (event) => {
    const detail = isDecided ? null : (guarded?.work.sentence() ?? null)
    if (detail === null) return begin()
    event.preventDefault()
    if (isAsking) return
    isAsking = true
    ask(detail)
      .catch((error: unknown) => guarded?.log.error('Whether to quit could not be asked', error))
      .finally(() => (isAsking = false))
  })

  function begin(): void {
    if (hasBegun) return
    hasBegun = true
    begins()
  }

  async function ask(detail: string): Promise<void> {
    const options: MessageBoxOptions = {
      type: 'warning',
      title: 'Tabscope',
      message: 'Quit in the middle of it?',
      detail,
      buttons: ['Quit', 'Go on'],
      defaultId: STAY,
      cancelId: STAY,
      noLink: true,
    }
    const { current } = window
    const { response } = await (current === undefined
      ? dialog.showMessageBox(options)
      : dialog.showMessageBox(current, options))
    if (response === QUIT) return atOnce()
    // The last window may have been closed before: then nothing would show what goes on.
    if (window.current === undefined) await window.show()
  }

  return {
    get hasBegun() {
      return hasBegun
    },
    atOnce,
    guard(work, log) {
      guarded = { work, log }
    },
  }
}
