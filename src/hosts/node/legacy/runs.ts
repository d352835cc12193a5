import { allIntegrations, named, readSession } from '../in-session.ts'
import { idOf, parse, wholeNumber } from '../options.ts'
import { say, writeJson, writeLine } from '../output.ts'
import { runLine, runText } from '../run-text.ts'
import { UsageError } from '../usage-error.ts'

/** `runs` and `runs show ID`: the records of authorizations and refreshes, secrets as markers. */
export async function runs(args: string[]): Promise<number> {
  const [verb, ...rest] = args
  if (verb === undefined || verb.startsWith('-')) return list(args)
  if (verb === 'list') return list(rest)
  if (verb === 'show') return show(rest)
  throw new UsageError('runs needs "list" or "show ID".')
}

async function list(args: string[]): Promise<number> {
  const { values } = parse(args, { integration: { type: 'string' }, limit: { type: 'string' } })
  const limit = wholeNumber('limit', values.limit, 1, 500) ?? 50
  return readSession(values, async (session) => {
    const integrationId =
      values.integration === undefined
        ? undefined
        : named(await allIntegrations(session), values.integration).id
    const found = await session.call('authorization.runs', { integrationId, limit })
    if (found.length === 0 && !values.json)
      say('There is no run yet. Begin one: tabscope authorize')
    for (const run of found) {
      if (values.json) writeJson({ event: 'run', ...run })
      else writeLine(runLine(run))
    }
    return 0
  })
}

async function show(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, {}, 1)
  const id = idOf('runs show needs the ID of a run.', positionals[0])
  return readSession(values, async (session) => {
    const run = await session.call('authorization.run', { id })
    if (values.json) writeJson({ event: 'run', ...run })
    else writeLine(runText(run))
    return 0
  })
}
