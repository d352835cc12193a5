import type { Integration } from '#contract/integrations.ts'
import { AppError } from '#engine/errors.ts'
import type { ExitCode } from './command-line/command.ts'
import { dataFolder } from './command-line/globals.ts'
import { folderOf } from './options.ts'
import { openSession, type Session, type SessionOptions } from './session.ts'
import { UsageError } from './usage-error.ts'

interface Values {
  data?: string | undefined
  'data-dir'?: string | undefined
  json?: boolean | undefined
}

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

/** Only for commands that are not defined with commander yet. */
export async function failing(
  _json: boolean | undefined,
  work: () => Promise<number>,
): Promise<number> {
  return work()
}

/**
 * Runs a command on the data folder, wherever its engine is; what fails is told as above.
 */
export function inSession(
  values: Values,
  work: (session: Session) => Promise<number>,
  options: SessionOptions = {},
): Promise<number> {
  return failing(values.json, async () => {
    await using session = await openSession(folderOf(values), options)
    return await work(session)
  })
}

/** The same for a command that only reads; with `--log FILE` it may import that first. */
export function readSession(
  values: Values & { readonly log?: string | undefined },
  work: (session: Session) => Promise<number>,
): Promise<number> {
  return inSession(values, work, { access: values.log === undefined ? 'read' : 'create' })
}

/** The same for a command that changes what there is, and must not begin a store. */
export function changeSession(
  values: Values,
  work: (session: Session) => Promise<number>,
): Promise<number> {
  return inSession(values, work, { access: 'change' })
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
