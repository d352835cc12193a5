import { failing } from '../in-session.ts'
import { logOf } from '../log-option.ts'
import { folderOf, idOf, parse } from '../options.ts'
import { say, writeJson, writeLine } from '../output.ts'
import { untilIndexed } from '../until-indexed.ts'
import { openSession, type Session } from '../session.ts'
import { relatedText, traceText } from '../trace-text.ts'

/** `deliveries trace ID`: the life of the tab, order, guest or what else the delivery is about. */
export function trace(args: string[]): Promise<number> {
  return about('trace', args, async (session, { id, log }, json) => {
    const found = await session.call('deliveries.trace', { id, log })
    if (json) writeJson({ event: 'trace', id, ...found })
    else writeLine(traceText(found, id))
  })
}

/** `deliveries related ID`: what is the same, and what the throttle of QR codes lets one say. */
export function related(args: string[]): Promise<number> {
  return about('related', args, async (session, { id, log }, json) => {
    const found = await session.call('deliveries.related', { id, log })
    if (json) writeJson({ event: 'related', id, ...found })
    else writeLine(relatedText(found))
  })
}

async function about(
  verb: string,
  args: string[],
  tell: (
    session: Session,
    of: { readonly id: number; readonly log: number | null },
    json: boolean,
  ) => Promise<void>,
): Promise<number> {
  const { values, positionals } = parse(args, { log: { type: 'string' } }, 1)
  const id = idOf(`deliveries ${verb} needs the ID of a delivery.`, positionals[0])
  return failing(values.json, async () => {
    const folder = folderOf(values)
    await using session = await openSession(folder, {
      access: values.log === undefined ? 'read' : 'create',
    })
    const log = await logOf(session, values.log)
    // A log is indexed whole when it is imported.
    const behind = log === null ? await untilIndexed(session) : 0
    await tell(session, { id, log }, values.json ?? false)
    if (behind > 0) say(`The search index is ${behind} deliveries behind: there may be more.`)
    return 0
  })
}
