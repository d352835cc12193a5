import { existsSync } from 'node:fs'
import type { Integration } from '#contract/integrations.ts'
import { AppError } from '#engine/platform/errors.ts'
import { holderPath } from '#engine/store/data-folder.ts'
import type { ExitCode } from './command-line/command.ts'
import { dataFolder } from './command-line/globals.ts'
import { openSession, refuseNoData, type Session, type SessionOptions } from './session.ts'
import type { ListedConfiguration } from './stored-configuration.ts'
import { UsageError } from './errors.ts'

/** In this process or in the running Tabscope. `read` and `change` refuse a folder without data. `work` resolves to undefined for 0. Throws `AppError`. */
export async function withSession(
  access: NonNullable<SessionOptions['access']>,
  work: (session: Session) => Promise<ExitCode | undefined>,
  options: Omit<SessionOptions, 'access'> = {},
): Promise<ExitCode> {
  await using session = await openSession(dataFolder(), { ...options, access })
  return (await work(session)) ?? 0
}

/** Reads it from the store; from the running Tabscope, if there is one. Refuses a folder without data. Throws `AppError`. */
export async function withConfiguration(
  work: (configuration: ListedConfiguration) => Promise<ExitCode | undefined>,
): Promise<ExitCode> {
  const folder = dataFolder()
  refuseNoData(folder)
  if (!existsSync(holderPath(folder))) {
    const { openStoredConfiguration } = await import('./stored-configuration.ts')
    using stored = await openStoredConfiguration(folder)
    if (stored) return (await work(stored)) ?? 0
  }
  return withSession('read', async (session) => {
    const snapshot = await session.call('app.snapshot', {})
    return work({
      ...snapshot,
      forwardHealth: session.joined ? snapshot.forwardHealth : [],
      jobs: () => session.call('jobs.list', {}),
      tokens: () => session.call('tokens.list', {}),
      settings: async () => snapshot.settings,
      logs: async () => (await session.call('logs.list', {})).logs,
      rehearsals: () => session.call('rehearsals.list', { log: null }),
      runs: (input) => session.call('authorization.runs', input),
      attempts: (input) => session.call('attempts.list', input),
    })
  })
}

export async function allIntegrations(session: Session): Promise<Integration[]> {
  return (await session.call('app.snapshot', {})).integrations
}

/** Not case-sensitive, so that two names cannot be confused. */
export function hasName(integration: Integration, name: string): boolean {
  return integration.name.toLowerCase() === name.trim().toLowerCase()
}

/** Throws `not_found` with the available names. */
export function findIntegration(integrations: readonly Integration[], name: string): Integration {
  const found = integrations.find((integration) => hasName(integration, name))
  if (found) return found
  throw new AppError(
    'not_found',
    `Integration "${name}" does not exist. Available: ${namesOf(integrations)}.`,
  )
}

/** The named one, else the only one of the service, else that of the sandbox. Throws `not_found`, and `UsageError` if a name is required. */
export function selectIntegration(
  integrations: readonly Integration[],
  name: string | undefined,
): Integration {
  if (name !== undefined) return findIntegration(integrations, name)
  const own = integrations.filter(({ kind }) => kind === 'service')
  const [only] = own.length > 0 ? own : integrations
  if (only && own.length <= 1) return only
  throw new UsageError(
    `Several integrations exist. Use --integration with one of: ${namesOf(own)}.`,
  )
}

function namesOf(integrations: readonly Integration[]): string {
  return integrations.map(({ name }) => name).join(', ') || 'none'
}
