import { shell, type MessageBoxOptions } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import type { InterfaceWindow } from './window/interface-window.ts'
import { showMessageBox } from './window/message-box.ts'

export interface UncaughtErrors {
  logTo(log: Log): void
  /** Later exceptions do not end the app. `notify` gets the ID of the log entry. */
  keepRunning(notify: (id: string) => Promise<void>): void
}

interface Parts {
  readonly failToStart: (error: unknown) => void
  readonly isQuitting: () => boolean
  readonly errors?: Pick<NodeJS.Process, 'on'>
}

/** Errors with the same stack are shown once. */
const MAX_KNOWN = 100

/** Electron's own handler shows each exception with its stack in a modal box and logs none. Rejections are logged and not shown. */
export function catchErrors({ failToStart, isQuitting, errors = process }: Parts): UncaughtErrors {
  const known = new Map<string, string>()
  let log: Log | null = null
  let notify: ((id: string) => Promise<void>) | null = null
  let isShown = false

  /** Returns the ID of the log entry; null if the error is already in the log. */
  function record(title: string, error: unknown): string | null {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const knownId = known.get(stack)
    if (knownId !== undefined) {
      log?.warn(`${title} again: [${knownId}]`)
      return null
    }
    const id = log?.error(title, error) ?? null
    if (id === null) process.stderr.write(`${title}: ${stack}\n`)
    else if (known.size < MAX_KNOWN) known.set(stack, id)
    return id
  }

  async function show(id: string, showError: (id: string) => Promise<void>): Promise<void> {
    isShown = true
    try {
      await showError(id)
    } catch (error) {
      log?.error('A dialog could not be shown', error)
    } finally {
      isShown = false
    }
  }

  errors.on('uncaughtException', (error) => {
    const id = record('Uncaught exception in the main process', error)
    if (notify === null) {
      if (!isQuitting()) failToStart(error)
      return
    }
    if (id === null || isShown || isQuitting()) return
    void show(id, notify)
  })
  errors.on('unhandledRejection', (reason) => {
    record('Unhandled rejection in the main process', reason)
  })

  return {
    logTo(opened) {
      log = opened
    },
    keepRunning(showError) {
      notify = showError
    },
  }
}

const LOG = 1
const QUIT = 2

/** Without the text of the error, which may contain confidential data. `logFile` is an absolute path. */
export async function showUncaughtError(
  id: string,
  { window, logFile, quit }: { window: InterfaceWindow; logFile: string; quit: () => void },
): Promise<void> {
  const options: MessageBoxOptions = {
    type: 'error',
    message: 'Tabscope ran into an unexpected error.',
    detail: `Tabscope keeps running. If something no longer works, quit and restart Tabscope.\n\nError ID: ${id}\nLog file: ${logFile}`,
    buttons: ['Continue', 'Show log', 'Quit'],
    defaultId: 0,
    cancelId: 0,
  }
  const response = await showMessageBox(window, options)
  if (response === LOG) shell.showItemInFolder(logFile)
  if (response === QUIT) quit()
}
