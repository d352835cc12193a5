import { shell, type MessageBoxOptions } from 'electron'
import type { ErrorCode } from '#contract/errors.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import { showMessageBox } from '../window/message-box.ts'

/** Why the engine is not restarted without asking. */
export type EngineFailure =
  | {
      readonly kind: 'not-opened'
      readonly message: string
      readonly code: ErrorCode | null
    }
  | { readonly kind: 'keeps-ending' }

/** Over the window if it is visible. False: quit Tabscope. */
export type RestartPrompt = (
  text: { readonly message: string; readonly detail: string },
  abort: AbortSignal,
) => Promise<boolean>

const RESTART = 0
const LOG = 1
const QUIT = 2

/** `logFile` is an absolute path. In a self-check there is no user to ask. */
export function createRestartPrompt(
  window: Pick<InterfaceWindow, 'current' | 'show'>,
  logFile: string,
  selfCheck: { abort(reason: string): void } | null,
  platform: NodeJS.Platform = process.platform,
): RestartPrompt {
  const prompt: RestartPrompt = async ({ message, detail }, abort) => {
    if (selfCheck !== null) {
      selfCheck.abort(`${message} ${detail}`)
      return false
    }
    const options: MessageBoxOptions = {
      type: 'error',
      message,
      detail: `${detail}\n\nLog file: ${logFile}`,
      buttons: ['Restart', 'Show log', 'Quit'],
      defaultId: RESTART,
      cancelId: QUIT,
      signal: abort,
    }
    const response = await showMessageBox(window, options, platform)
    if (abort.aborted) return false
    if (response !== LOG) return response === RESTART
    shell.showItemInFolder(logFile)
    return prompt({ message, detail }, abort)
  }
  return prompt
}

export function describeFailure(failure: EngineFailure): { message: string; detail: string } {
  switch (failure.kind) {
    case 'not-opened':
      return {
        message: 'Tabscope could not open its data.',
        detail: `${causeOf(failure)}${advice(failure.code)}`,
      }
    case 'keeps-ending':
      return {
        message: 'The engine stopped several times within a minute.',
        detail:
          'Tabscope is not receiving deliveries. Deliveries received so far are stored. Restart the engine; if it stops again, check the log.',
      }
  }
}

/** Without one of our codes, it comes from the system or a library, with its own message. */
function causeOf({ message, code }: { message: string; code: ErrorCode | null }): string {
  return code === null ? `Cause: ${message.replace(/\.+$/, '')}.` : message
}

function advice(code: ErrorCode | null): string {
  switch (code) {
    case 'store_in_use':
    case 'store_too_new':
      // The message says what to do.
      return ''
    default:
      return ' Nothing in the data folder was changed. Fix the cause, then restart.'
  }
}
