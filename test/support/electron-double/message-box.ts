import { app, assertReady } from './app.ts'
import type { BrowserWindow } from './windows.ts'
import { onAction } from './actions.ts'

interface MessageBoxOptions {
  readonly message: string
  readonly buttons?: readonly string[]
  readonly defaultId?: number
  readonly cancelId?: number
  readonly signal?: AbortSignal
}

interface OpenBox {
  readonly answer: (response: number) => void
  /** A box of a hidden window is hidden too. */
  readonly isSeen: () => boolean
}

/** Open boxes, oldest first. The user responds to the oldest visible box. */
const open: OpenBox[] = []

onAction('answer-box', ({ button }) => {
  const box = open.find(({ isSeen }) => isSeen())
  if (box === undefined || typeof button !== 'number') {
    process.stderr.write('[double] there is no box to be answered\n')
  } else box.answer(button)
})

/** Reports the box on stderr. Tests respond with the action `answer-box`. */
export async function showMessageBox(
  ...args: unknown[]
): Promise<{ response?: number; checkboxChecked: boolean }> {
  assertReady('dialog.showMessageBox')
  const options = args.at(-1)
  if (!isOptions(options)) throw new TypeError('Options must have a message')
  const parent = args.length > 1 ? windowOf(args[0]) : null
  const { signal, buttons = [], defaultId, ...shown } = options
  const cancelId = options.cancelId ?? cancelIdOf(buttons, defaultId)
  // Not shown, so there is no response.
  if (signal?.aborted === true) return { checkboxChecked: false }

  const isSeen = (): boolean => parent === null || (parent.isVisible() && !parent.isMinimized())
  const over = parent === null ? 'alone' : isSeen() ? 'over the window' : 'over a hidden window'
  process.stderr.write(
    `[message box] ${over}: ${JSON.stringify({ ...shown, buttons, defaultId })}\n`,
  )
  const answered = Promise.withResolvers<number>()
  const box = { answer: (response: number) => answered.resolve(response), isSeen }
  open.push(box)
  signal?.addEventListener('abort', () => box.answer(cancelId))
  const response = await answered.promise
  open.splice(open.indexOf(box), 1)
  process.stderr.write(`[message box] answered ${response}\n`)
  return { response, checkboxChecked: false }
}

/** Returns the first button named Cancel or No, otherwise the first that is not the default. */
function cancelIdOf(buttons: readonly string[], defaultId?: number): number {
  const named = buttons.findIndex((button) => ['cancel', 'no'].includes(button.toLowerCase()))
  if (named !== -1) return named
  return defaultId === 0 && buttons.length > 1 ? 1 : 0
}

function windowOf(value: unknown): BrowserWindow {
  const window = app.windows.all().find((one) => one === value)
  // A destroyed window cannot be converted to a native window.
  if (window === undefined) throw new TypeError('Error processing argument: not an open window')
  return window
}

function isOptions(options: unknown): options is MessageBoxOptions {
  return typeof options === 'object' && options !== null && 'message' in options
}
