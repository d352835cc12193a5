import type { CommandName } from '#contract/commands.ts'
import { runAddress } from '../routes/authorization.ts'
import { listAddress } from '../routes/use-list-address.ts'
import type { Bindings } from './command-registry.ts'
import { boundTo, useBoundCommands } from './command-registry.ts'

/** Milliseconds for which a page is waited for: its part of the program may have to be loaded. */
const patience = 5000

/** Commands of one page that lead there from any other, and are done there. None of them sends or deletes anything. */
const places: Partial<Record<CommandName, () => string>> = {
  filter: () => listAddress(null),
  'filter-help': () => listAddress(null),
  charts: () => listAddress(null),
  export: () => listAddress(null),
  'compose-new': () => '#/compose',
  'compose-drafts': () => '#/compose',
  since: () => '#/conformance',
  recompute: () => '#/conformance',
  authorize: () => runAddress(null),
  path: () => '#/console',
  history: () => '#/console',
  'endpoint-new': () => '#/endpoints',
  'logs-import': () => '#/logs',
  'help-find': () => '#/help',
  'settings-find': () => '#/settings',
}

/** The bindings of these commands for where their page is not shown. */
export function navigateAndRunBindings(): Bindings {
  const bindings: Bindings = {}
  for (const name of names()) bindings[name] = () => goAndRun(name)
  return bindings
}

function names(): CommandName[] {
  return Object.keys(places).filter((name): name is CommandName => Object.hasOwn(places, name))
}

let stopWaiting = (): void => undefined

/** Opens the page of a command and runs it there. */
export function goAndRun(name: CommandName): void {
  stopWaiting()
  const address = places[name]?.()
  if (address === undefined) return
  location.assign(address)
  const stop = useBoundCommands.subscribe(({ keyed }) => {
    if (!keyed.has(name)) return
    stopWaiting()
    // The page is drawn by now, and what it does once it is drawn comes first.
    setTimeout(() => boundTo(name, { keyed: true })?.())
  })
  const timer = setTimeout(() => stopWaiting(), patience)
  stopWaiting = () => {
    stop()
    clearTimeout(timer)
    stopWaiting = () => undefined
  }
}
