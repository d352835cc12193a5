import { assertReady } from './app.ts'
import { onWish } from './wishes.ts'

interface MessageBoxOptions {
  readonly message: string
  readonly buttons?: readonly string[]
  readonly cancelId?: number
  readonly signal?: AbortSignal
}

/** The boxes that are open, oldest first: the user answers the oldest. */
const open: ((response: number) => void)[] = []

onWish('answer-box', ({ button }) => {
  const answer = open.shift()
  if (answer === undefined || typeof button !== 'number') {
    process.stderr.write('[double] there is no box to be answered\n')
  } else answer(button)
})

/** Tells on stderr what it shows, and is answered by the wish `answer-box`. */
export async function showMessageBox(
  ...args: unknown[]
): Promise<{ response: number; checkboxChecked: boolean }> {
  assertReady('dialog.showMessageBox')
  const options = args.at(-1)
  if (!isOptions(options)) throw new TypeError('Options must have a message')
  const over = args.length > 1 ? 'over the window' : 'alone'
  const { signal, ...shown } = options
  process.stderr.write(`[message box] ${over}: ${JSON.stringify(shown)}\n`)
  // As documented: the first button named Cancel or No, else the first.
  const cancelId = options.cancelId ?? 0
  const answered = Promise.withResolvers<number>()
  const answer = (response: number): void => answered.resolve(response)
  open.push(answer)
  signal?.addEventListener('abort', () => answer(cancelId))
  if (signal?.aborted === true) answer(cancelId)
  const response = await answered.promise
  const index = open.indexOf(answer)
  if (index !== -1) open.splice(index, 1)
  process.stderr.write(`[message box] answered ${response}\n`)
  return { response, checkboxChecked: false }
}

function isOptions(options: unknown): options is MessageBoxOptions {
  return typeof options === 'object' && options !== null && 'message' in options
}
