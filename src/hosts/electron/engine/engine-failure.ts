import { dialog, shell, type MessageBoxOptions } from 'electron'
import type { ErrorCode } from '#contract/errors.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import { messageBoxParent } from '../window/message-box.ts'

/** Why there is no engine, and none is started without being asked. */
export type EngineFailure =
  | {
      readonly kind: 'not-opened'
      /** A sentence for people. */
      readonly message: string
      readonly code: ErrorCode | null
    }
  | { readonly kind: 'ends-again' }

/** Asks over the window, where there is one to be seen, whether to start again; false: Tabscope is to be closed. */
export type RestartPrompt = (
  words: { readonly message: string; readonly detail: string },
  over: AbortSignal,
) => Promise<boolean>

const START = 0
const LOG = 1
const QUIT = 2

/** `logFile` is an absolute path. */
export function createRestartPrompt(
  window: Pick<InterfaceWindow, 'current' | 'show'>,
  logFile: string,
  platform: NodeJS.Platform = process.platform,
): RestartPrompt {
  const ask: RestartPrompt = async ({ message, detail }, over) => {
    const options: MessageBoxOptions = {
      type: 'error',
      title: 'Tabscope',
      message,
      detail: `${detail}\n\nLog file: ${logFile}`,
      buttons: ['Restart', 'Show log', 'Quit'],
      defaultId: START,
      cancelId: QUIT,
      noLink: true,
      signal: over,
    }
    const parent = messageBoxParent(window, platform)
    const { response } = await (parent === null
      ? dialog.showMessageBox(options)
      : dialog.showMessageBox(parent, options))
    if (over.aborted) return false
    if (response !== LOG) return response === START
    shell.showItemInFolder(logFile)
    return ask({ message, detail }, over)
  }
  return ask
}

/** What is said of the trouble: what is wrong, and what to do. */
export function describeFailure(trouble: EngineFailure): { message: string; detail: string } {
  switch (trouble.kind) {
    case 'not-opened':
      return {
        message: 'Tabscope could not open its data.',
        detail: `${asSentence(trouble)}${advice(trouble.code)}`,
      }
    case 'ends-again':
      return {
        message: 'The engine stopped several times within a minute.',
        detail:
          'Tabscope is not receiving deliveries. Deliveries received so far are stored. Restart the engine; if it stops again, check the log.',
      }
  }
}

/** What is none of our own errors is the system's or a library's, in its words. */
function asSentence({ message, code }: { message: string; code: ErrorCode | null }): string {
  return code === null ? `Cause: ${message.replace(/\.+$/, '')}.` : message
}

function advice(code: ErrorCode | null): string {
  switch (code) {
    case 'store_in_use':
    case 'store_too_new':
      // The sentence says what to do.
      return ''
    default:
      return ' Nothing in the data folder was changed. Fix the cause, then restart.'
  }
}
