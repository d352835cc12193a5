import type { Integration } from '#contract/integrations.ts'
import { AppError } from '#engine/errors.ts'
import {
  allIntegrations,
  changeSession,
  failing,
  inSession,
  named,
  readSession,
} from '../in-session.ts'
import { integrationLine, integrationText, preflightText } from '../integration-text.ts'
import { parse, secretFrom } from '../options.ts'
import { confirms, say, writeJson, writeLine } from '../output.ts'
import { readRule } from '../refresh-rule.ts'
import type { Session } from '../session.ts'
import { counted } from '../text.ts'
import { printable } from '../../printable.ts'
import { UsageError } from '../usage-error.ts'

/** `integration set | list | show | check | remove`. */
export async function integration([verb, ...args]: string[]): Promise<number> {
  switch (verb) {
    case 'set':
      return set(args)
    case 'list':
      return list(args)
    case 'show':
      return show(args)
    case 'check':
      return check(args)
    case 'remove':
      return remove(args)
    default:
      throw new UsageError('integration needs "set", "list", "show", "check" or "remove".')
  }
}

/** Creates the integration of that name, or changes what is given. */
async function set(args: string[]): Promise<number> {
  const { values } = parse(args, {
    name: { type: 'string' },
    brand: { type: 'string' },
    'base-url': { type: 'string' },
    'access-id': { type: 'string' },
    'access-secret': { type: 'string' },
    'access-secret-env': { type: 'string' },
    'redirect-url': { type: 'string', multiple: true },
    'use-redirect-url': { type: 'string' },
    'refresh-template': { type: 'string' },
    'auto-refresh': { type: 'string' },
    'due-before': { type: 'string' },
  })
  const { name, 'redirect-url': redirectUrls } = values
  if (name === undefined || name.trim() === '')
    throw new UsageError('integration set needs --name NAME.')
  const secret = secretFrom('access-secret', values['access-secret'], values['access-secret-env'])
  const fields = {
    brand: values.brand,
    baseUrl: values['base-url'],
    accessId: values['access-id'],
    redirectUrls,
    redirectUrl: values['use-redirect-url'] ?? redirectUrls?.[0],
  }
  return failing(values.json, async () => {
    const refresh = await readRule(values)
    const { data, 'data-dir': dataDir } = values
    return inSession({ data, 'data-dir': dataDir }, async (session) => {
      const after = await session.call('integrations.set', {
        name,
        ...fields,
        accessSecret: secret,
        refresh,
      })
      tell(after, values.json)
      return 0
    })
  })
}

async function list(args: string[]): Promise<number> {
  const { values } = parse(args, {})
  return readSession(values, async (session) => {
    for (const each of await allIntegrations(session)) {
      if (values.json) writeJson({ event: 'integration', ...each })
      else writeLine(integrationLine(each))
    }
    return 0
  })
}

async function show(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, {}, 1)
  const name = nameOf('show', positionals)
  return readSession(values, async (session) => {
    tell(await find(session, name), values.json)
    return 0
  })
}

/** Looks at what a flow needs before anything opens. 1 when it is not ready. */
async function check(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, {}, 1)
  const name = nameOf('check', positionals)
  return readSession(values, async (session) => {
    const { id } = await find(session, name)
    const preflight = await session.call('integrations.preflight', { id })
    if (values.json) writeJson({ event: 'preflight', integration: name, ...preflight })
    else writeLine(preflightText(preflight))
    return preflight.ready ? 0 : 1
  })
}

async function remove(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, { yes: { type: 'boolean', short: 'y' } }, 1)
  const name = nameOf('remove', positionals)
  return changeSession(values, async (session) => {
    const { id } = await find(session, name)
    const tokens = (await session.call('tokens.list', { integrationId: id })).length
    if (tokens > 0 && !values.yes && !(await mayRemove(name, tokens, values.json ?? false)))
      return 1
    await session.call('integrations.remove', { id })
    if (values.json) writeJson({ event: 'removed', integration: name, id })
    else say(`"${printable(name)}" is gone, with its tokens and runs.`)
    return 0
  })
}

/** Tokens are deleted with their integration: a terminal is asked, a script confirms with `--yes`. Throws `confirmation_required`. */
async function mayRemove(name: string, tokens: number, json: boolean): Promise<boolean> {
  const deleted = `Removing "${name}" also deletes ${counted(tokens, 'token', 'tokens')}.`
  if (!json && process.stdin.isTTY) return confirms(`${deleted} Remove it?`)
  throw new AppError('confirmation_required', `${deleted} Confirm with --yes.`)
}

function nameOf(verb: string, [name]: readonly string[]): string {
  if (name === undefined) throw new UsageError(`integration ${verb} needs the NAME of one.`)
  return name
}

async function find(session: Session, name: string): Promise<Integration> {
  return named(await allIntegrations(session), name)
}

function tell(each: Integration, json: boolean | undefined): void {
  if (json) writeJson({ event: 'integration', ...each })
  else writeLine(integrationText(each))
}
