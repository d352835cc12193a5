import { dialog, shell, type MessageBoxOptions } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import type { InterfaceWindow } from './window/interface-window.ts'
import { messageBoxParent } from './window/message-box.ts'

/** Errors of the main process that nothing catches. */
export interface UncaughtErrors {
  /** From now on they are logged. */
  logTo(log: Log): void
  /** The app has started: from now on an exception does not end it. `notify` gets the ID under which it is in the log. */
  keepRunning(notify: (id: string) => Promise<void>): void
}

interface Parts {
  /** Ends an app that has not started yet, and tells why. */
  readonly giveUp: (error: unknown) => void
  readonly isQuitting: () => boolean
  readonly errors?: Pick<NodeJS.Process, 'on'>
}

/** Errors with the same stack are told once. So many are remembered. */
const REMEMBERED = 100

/**
 * Takes the place of Electron's own handler, which shows each exception in a modal box with its stack and logs none. Rejections are logged and
 * not shown: Electron only warns of them as well.
 */
export function catchErrors({ giveUp, isQuitting, errors = process }: Parts): UncaughtErrors {
  const known = new Map<string, string>()
  let log: Log | null = null
  let notify: ((id: string) => Promise<void>) | null = null
  let isShown = false

  /** Null: it is in the log already. */
  function record(what: string, error: unknown): string | null {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const before = known.get(stack)
    if (before !== undefined) {
      log?.warn(`${what} again: [${before}]`)
      return null
    }
    const id = log?.error(what, error) ?? null
    if (id === null) process.stderr.write(`${what}: ${stack}\n`)
    else if (known.size < REMEMBERED) known.set(stack, id)
    return id
  }

  async function show(id: string, told: (id: string) => Promise<void>): Promise<void> {
    isShown = true
    try {
      await told(id)
    } catch (error) {
      log?.error('A dialog could not be shown', error)
    } finally {
      isShown = false
    }
  }

  errors.on('uncaughtException', (error) => {
    const id = record('Uncaught exception in the main process', error)
    if (notify === null) {
      if (!isQuitting()) giveUp(error)
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
    keepRunning(told) {
      notify = told
    },
  }
}

const LOG = 1
const QUIT = 2

/** Tells a person of an error by its ID alone: its text may hold what is not for everybody's eyes. `logFile` is an absolute path. */
export async function showUncaughtError(
  id: string,
  { window, logFile, quit }: { window: InterfaceWindow; logFile: string; quit: () => void },
): Promise<void> {
  const options: MessageBoxOptions = {
    type: 'error',
    title: 'Tabscope',
    message: 'Tabscope ran into an unexpected error.',
    detail: `Tabscope keeps running. If something no longer works, quit and restart Tabscope.\n\nError ID: ${id}\nLog file: ${logFile}`,
    buttons: ['Continue', 'Show log', 'Quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  }
  const parent = messageBoxParent(window)
  const { response } = await (parent === null
    ? dialog.showMessageBox(options)
    : dialog.showMessageBox(parent, options))
  if (response === LOG) shell.showItemInFolder(logFile)
  if (response === QUIT) quit()
}
