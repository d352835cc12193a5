import type { EventLog } from '#contract/logs.ts'
import { AppError } from '#engine/errors.ts'
import { changeSession, inSession, readSession } from '../in-session.ts'
import { logLine, logText } from '../log-text.ts'
import { parse } from '../options.ts'
import { say, writeJson, writeLine } from '../output.ts'
import type { Session } from '../session.ts'
import { UsageError } from '../usage.ts'

const verbs: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  list,
  show,
  remove,
  formats,
}

/** `logs list|show|remove|formats`: the event logs that were imported. */
export async function logs([verb, ...args]: string[]): Promise<number> {
  const run = Object.entries(verbs).find(([name]) => name === verb)?.[1]
  if (run) return run(args)
  throw new UsageError(`logs needs one of: ${Object.keys(verbs).join(', ')}.`)
}

async function list(args: string[]): Promise<number> {
  const { values } = parse(args, {})
  return readSession(values, async (session) => {
    const { logs: all } = await session.call('logs.list', {})
    if (all.length === 0 && !values.json)
      say('No log was imported. Import one: tabscope import FILE')
    for (const log of all) {
      if (values.json) writeJson({ event: 'log', ...log })
      else writeLine(logLine(log))
    }
    return 0
  })
}

async function show(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, {}, 1)
  const word = wordOf('show', positionals)
  return readSession(values, async (session) => {
    const log = await wanted(session, word)
    if (values.json) writeJson({ event: 'log', ...log })
    else writeLine(logText(log))
    return 0
  })
}

/** The file it was imported from stays. */
async function remove(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, {}, 1)
  const word = wordOf('remove', positionals)
  return changeSession(values, async (session) => {
    const log = await wanted(session, word)
    await session.call('logs.remove', { id: log.id })
    if (values.json) writeJson({ event: 'removed', id: log.id })
    else say(`Log ${log.id} is removed.`)
    return 0
  })
}

async function formats(args: string[]): Promise<number> {
  const { values } = parse(args, {})
  return inSession(values, async (session) => {
    for (const format of await session.call('logs.formats', {})) {
      if (values.json) writeJson({ event: 'format', ...format })
      else writeLine(`${format.id.padEnd(10)}  ${format.label}: ${format.about}`)
    }
    return 0
  })
}

function wordOf(verb: string, [word]: readonly string[]): string {
  if (word === undefined) throw new UsageError(`logs ${verb} needs the ID of a log.`)
  return word
}

/** By its number or its name. Throws `not_found`. */
async function wanted(session: Session, word: string): Promise<EventLog> {
  const { logs: all } = await session.call('logs.list', {})
  const log = all.find(({ id, name }) => String(id) === word || name === word)
  if (log) return log
  throw new AppError('not_found', `There is no log ${word}. List them: tabscope logs list`)
}
