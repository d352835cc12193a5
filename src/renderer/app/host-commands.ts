import { isCommand } from '#contract/commands.ts'
import { commandsBound, commandWanted } from '#contract/host-messages.ts'
import { closePalette, usePalette } from '../state/palette.ts'
import { runCommand, useBoundCommands } from '../platform/command-registry.ts'
import { modalOpen } from '../platform/keys.ts'

/** The minimum time between two messages in milliseconds, because a page binds its commands one after another. */
const debounce = 100

/** Sends the available commands to the host on each change, and runs the commands of its menu. Returns a function that stops it. */
export function followHostCommands(page: Window): () => void {
  let timer = 0
  let lastSent = ''

  function send(): void {
    timer = 0
    const names = [...useBoundCommands.getState().names].sort()
    if (names.join() === lastSent) return
    lastSent = names.join()
    page.postMessage({ kind: commandsBound, names }, page.location.origin)
  }
  function schedule(): void {
    if (timer === 0) timer = page.setTimeout(send, debounce)
  }
  function receive({ source, data }: MessageEvent<unknown>): void {
    // Only Tabscope's preload has this window as its source.
    if (source !== page || typeof data !== 'object' || data === null) return
    if (Reflect.get(data, 'kind') !== commandWanted) return
    const name: unknown = Reflect.get(data, 'name')
    if (typeof name === 'string') runHostCommand(name)
  }

  const stop = useBoundCommands.subscribe(schedule)
  page.addEventListener('message', receive)
  schedule()
  return () => {
    stop()
    page.clearTimeout(timer)
    page.removeEventListener('message', receive)
  }
}

/** Runs a command by name. Unknown and unavailable commands are ignored. */
export function runHostCommand(name: string): void {
  if (!isCommand(name)) return
  if (usePalette.getState().shown) {
    closePalette(name === 'palette' ? null : () => runCommand(name))
    return
  }
  // As with keys, commands do not reach the page while a modal dialog is open.
  if (!modalOpen()) runCommand(name)
}
