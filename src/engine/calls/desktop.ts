import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { UpdateState } from '#contract/desktop.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { EnginePorts, UpdatesPort } from '../ports.ts'

export async function about({ config, ports, store }: Context): Promise<CallOutput<'app.about'>> {
  const host = ports.system.versions()
  return {
    version: config.version,
    versions: [
      { name: 'Tabscope', version: config.version },
      ...host.filter((part) => !isSystem(part)),
      { name: 'SQLite', version: await store.reader.call('sqliteVersion') },
      ...host.filter(isSystem),
    ],
    dataDir: config.dataDir,
    logFile: ports.system.logFile,
  }
}

function isSystem({ name }: { readonly name: string }): boolean {
  return name === 'System'
}

export async function showLogs({ ports }: Context): Promise<CallOutput<'app.showLogs'>> {
  return { shown: await ports.system.showLogs() }
}

/** What is known without asking anybody. */
export function updateState({ system }: EnginePorts): UpdateState {
  return system.updates?.state() ?? { state: 'unavailable', reason: notHere }
}

export async function check({ ports }: Context): Promise<CallOutput<'updates.check'>> {
  return updatesOf(ports).check()
}

export async function download({ ports }: Context): Promise<CallOutput<'updates.download'>> {
  return updatesOf(ports).download()
}

export async function install(
  { ports }: Context,
  { now }: ParsedInput<'updates.install'>,
): Promise<CallOutput<'updates.install'>> {
  const updates = updatesOf(ports)
  const state = updates.state()
  if (state.state === 'ready' && state.waitsFor !== null && !now) {
    throw new AppError('in_use', state.waitsFor, { retry: 'later' })
  }
  await updates.install()
  return {}
}

const notHere =
  'This Tabscope runs from its sources or in a browser. Bring it up to date where you got it from.'

function updatesOf({ system }: EnginePorts): UpdatesPort {
  if (system.updates === null) throw new AppError('bad_input', notHere)
  return system.updates
}
