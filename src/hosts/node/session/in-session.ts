import type { Integration } from '#contract/integrations.ts'
import type { Settings } from '#contract/models.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { ExitCode } from '../command-line/command.ts'
import { dataFolder } from '../command-line/globals.ts'
import { joinRunning, openSession, type Session, type SessionOptions } from './session.ts'
import type { Configuration } from './stored-calls.ts'
import { UsageError } from '../command-line/errors.ts'
import { named } from '../command-line/nearest.ts'

/** In this process or in the running Tabscope. `read` and `change` refuse a folder without data. `work` resolves to undefined for 0. Throws `AppError`. */
export async function withSession(
  access: NonNullable<SessionOptions['access']>,
  work: (session: Session) => Promise<ExitCode | undefined>,
  options: Omit<SessionOptions, 'access'> = {},
): Promise<ExitCode> {
  await using session = await openSession(dataFolder(), { ...options, access })
  return (await work(session)) ?? 0
}

/** In the Tabscope that is running, for what lasts no longer than it. `start`: the command that starts it. Throws `listener_down` if there is none. */
export async function withRunning(
  start: string,
  work: (session: Session) => Promise<ExitCode | undefined>,
): Promise<ExitCode> {
  await using session = await joinRunning(dataFolder())
  if (session) return (await work(session)) ?? 0
  throw new AppError(
    'listener_down',
    `Tabscope is not running on this data folder. To start it: ${start}`,
  )
}

export async function configurationOf(session: Session): Promise<Configuration> {
  if (session.stored) return session.stored.configuration()
  const snapshot = await session.call('app.snapshot', {})
  return session.joined ? snapshot : { ...snapshot, forwardHealth: [] }
}

export async function settingsOf(session: Session): Promise<Settings> {
  return session.stored?.settings() ?? (await session.call('app.snapshot', {})).settings
}

export async function allIntegrations(session: Session): Promise<Integration[]> {
  return (await configurationOf(session)).integrations
}

/** Throws `not_found` with the available names. */
export function findIntegration(integrations: readonly Integration[], name: string): Integration {
  return named('Integration', name, integrations, (each) => [each.name])
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
    `Several integrations exist. Use --integration with one of: ${own.map((each) => each.name).join(', ')}.`,
  )
}
