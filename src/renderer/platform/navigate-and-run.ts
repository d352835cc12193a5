import type { CommandName } from '#contract/commands.ts'
import { boundTo, useBoundCommands } from './command-registry.ts'

/** How long to wait for a page, in milliseconds. Its code may have to be loaded. */
const timeout = 5000

let stopWaiting = (): void => undefined

/** Opens the page of a command and runs it there. */
export function navigateAndRun(name: CommandName, address: string): void {
  stopWaiting()
  location.assign(address)
  const stop = useBoundCommands.subscribe(({ keyed }) => {
    if (!keyed.has(name)) return
    stopWaiting()
    // After the effects of the page have run.
    setTimeout(() => boundTo(name, { keyed: true })?.())
  })
  const timer = setTimeout(() => stopWaiting(), timeout)
  stopWaiting = () => {
    stop()
    clearTimeout(timer)
    stopWaiting = () => undefined
  }
}
