import { isCommand } from '#contract/commands.ts'
import { commandsBound, commandWanted } from '#contract/host-messages.ts'
import { closePalette, usePalette } from '../state/palette.ts'
import { runCommand, useBoundCommands } from '../platform/command-registry.ts'
import { modalOpen } from '../platform/keys.ts'

/** Milliseconds between two messages: a page that is opened binds its parts one after another. */
const pause = 100

/** Tells the host which commands can be done here, on each change, and does what its menu asks for. Returns its end. */
export function followHostCommands(page: Window): () => void {
  let timer = 0
  let told = ''

  function tell(): void {
    timer = 0
    const names = [...useBoundCommands.getState().names].sort()
    if (names.join() === told) return
    told = names.join()
    page.postMessage({ kind: commandsBound, names }, page.location.origin)
  }
  function soon(): void {
    if (timer === 0) timer = page.setTimeout(tell, pause)
  }
  function take({ source, data }: MessageEvent<unknown>): void {
    // Only our own preload shares this very window.
    if (source !== page || typeof data !== 'object' || data === null) return
    if (Reflect.get(data, 'kind') !== commandWanted) return
    const name: unknown = Reflect.get(data, 'name')
    if (typeof name === 'string') obey(name)
  }

  const stop = useBoundCommands.subscribe(soon)
  page.addEventListener('message', take)
  soon()
  return () => {
    stop()
    page.clearTimeout(timer)
    page.removeEventListener('message', take)
  }
}

/** Does a command by its name. A name that is none does nothing, nor does one that nothing here can do. */
export function obey(name: string): void {
  if (!isCommand(name)) return
  if (usePalette.getState().shown) {
    closePalette(name === 'palette' ? null : () => runCommand(name))
    return
  }
  // Under a dialog the page is not to be had by its keys either.
  if (!modalOpen()) runCommand(name)
}
