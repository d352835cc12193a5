import type { Integration } from '#contract/integrations.ts'
import { AppError } from '#engine/errors.ts'
import type { ExitCode } from './command-line/command.ts'
import { dataFolder } from './command-line/globals.ts'
import { openSession, type Session, type SessionOptions } from './session.ts'
import { UsageError } from './usage-error.ts'

/**
 * Runs a command on the data folder, wherever its engine runs. `read` and `change` refuse a folder without data, and `read` also works where the
 * folder cannot be written; `create` begins a store where there is none. Throws `AppError`.
 */
export async function withSession(
  access: NonNullable<SessionOptions['access']>,
  work: (session: Session) => Promise<ExitCode>,
  options: Omit<SessionOptions, 'access'> = {},
): Promise<ExitCode> {
  await using session = await openSession(dataFolder(), { ...options, access })
  return await work(session)
}

export async function allIntegrations(session: Session): Promise<Integration[]> {
  return (await session.call('app.snapshot', {})).integrations
}

/** Names are one whatever their case, so that two cannot be taken for each other. */
export function isNamed(integration: Integration, name: string): boolean {
  return integration.name.toLowerCase() === name.trim().toLowerCase()
}

/** The one of this name. Throws `not_found`, with the names that there are. */
export function named(integrations: readonly Integration[], name: string): Integration {
  const found = integrations.find((integration) => isNamed(integration, name))
  if (found) return found
  throw new AppError('not_found', `No integration "${name}". Available: ${namesOf(integrations)}.`)
}

/**
 * The integration that a command is for: the one named, else the only one of the service, else the sandbox's. Throws `not_found`, and
 * `UsageError` where a name is needed.
 */
export function chooseIntegration(
  integrations: readonly Integration[],
  name: string | undefined,
): Integration {
  if (name !== undefined) return named(integrations, name)
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
