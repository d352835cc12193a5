import type { CommandName } from '#contract/commands.ts'
import { runAddress } from '../routes/authorization.ts'
import { listAddress } from '../routes/deliveries.ts'
import { type Bindings, boundTo, useBoundCommands } from './command-registry.ts'

/** How long to wait for a page, in milliseconds. Its code may have to be loaded. */
const timeout = 5000

/** Commands that navigate to their page and run there. None of them sends or deletes anything. */
const pageAddresses: Partial<Record<CommandName, () => string>> = {
  filter: () => listAddress(null),
  'filter-help': () => listAddress(null),
  export: () => listAddress(null),
  hold: () => listAddress(null),
  'compose-new': () => '#/compose',
  'compose-curl': () => '#/compose',
  'compose-drafts': () => '#/compose',
  since: () => '#/conformance',
  recompute: () => '#/conformance',
  'rehearsal-new': () => '#/rehearse',
  authorize: () => runAddress(null),
  path: () => '#/console',
  history: () => '#/console',
  'endpoint-new': () => '#/endpoints',
  'logs-import': () => '#/logs',
  'help-find': () => '#/help',
  'settings-find': () => '#/settings',
}

/** The bindings of these commands on other pages. */
export function navigateAndRunBindings(): Bindings {
  const bindings: Bindings = {}
  for (const name of names()) bindings[name] = () => navigateAndRun(name)
  return bindings
}

function names(): CommandName[] {
  return Object.keys(pageAddresses).filter((name): name is CommandName =>
    Object.hasOwn(pageAddresses, name),
  )
}

let stopWaiting = (): void => undefined

/** Opens the page of a command and runs it there. */
export function navigateAndRun(name: CommandName): void {
  stopWaiting()
  const address = pageAddresses[name]?.()
  if (address === undefined) return
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
