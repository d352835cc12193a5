import { app, dialog, type MessageBoxOptions } from 'electron'
import type { Log } from '#engine/ports.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import type { WorkInHand } from './work-in-hand.ts'

export interface Quitting {
  /** Ends Tabscope without asking: the system wants it so, or somebody was asked. */
  atOnce(): void
}

interface Parts {
  readonly window: InterfaceWindow
  readonly work: WorkInHand
  readonly log: Log
}

const QUIT = 0
const STAY = 1

/** Whoever quits in the middle of a job, an export or an import is asked first. */
export function guardQuitting({ window, work, log }: Parts): Quitting {
  let isDecided = false
  let isAsking = false

  function atOnce(): void {
    isDecided = true
    app.quit()
  }

  app.on('before-quit', (event) => {
    if (isDecided) return
    const detail = work.sentence()
    if (detail === null) return
    event.preventDefault()
    if (isAsking) return
    isAsking = true
    ask(detail)
      .catch((error: unknown) => log.error('Whether to quit could not be asked', error))
      .finally(() => (isAsking = false))
  })

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

  return { atOnce }
}
