import type { CallOutput } from '#contract/calls.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { failing } from '../in-session.ts'
import { folderOf, idOf, parse } from '../options.ts'
import { say, writeJson, writeLine } from '../output.ts'
import { refuseNoData } from '../reading.ts'
import { openSession, type Session } from '../session.ts'
import { relatedText, traceText } from '../trace-text.ts'

/** How long the search index may take to come as far as what was stored when we came, in milliseconds. */
const patienceMs = 10_000

/** `deliveries trace ID`: the life of the tab, order, guest or what else the delivery is about. */
export function trace(args: string[]): Promise<number> {
  return about('trace', args, async (session, id, json) => {
    const found = await session.call('deliveries.trace', { id })
    if (json) writeJson({ event: 'trace', id, ...found })
    else writeLine(traceText(found, id))
  })
}

/** `deliveries related ID`: what is the same, and what the throttle of QR codes lets one say. */
export function related(args: string[]): Promise<number> {
  return about('related', args, async (session, id, json) => {
    const found = await session.call('deliveries.related', { id })
    if (json) writeJson({ event: 'related', id, ...found })
    else writeLine(relatedText(found))
  })
}

async function about(
  verb: string,
  args: string[],
  tell: (session: Session, id: number, json: boolean) => Promise<void>,
): Promise<number> {
  const { values, positionals } = parse(args, {}, 1)
  const id = idOf(`deliveries ${verb} needs the ID of a delivery.`, positionals[0])
  return failing(values.json, async () => {
    const folder = folderOf(values)
    refuseNoData(folder)
    await using session = await openSession(folder)
    const behind = await untilIndexed(session)
    await tell(session, id, values.json ?? false)
    if (behind > 0) say(`The search index is ${behind} deliveries behind: there may be more.`)
    return 0
  })
}

/** Waits until the search index knows what there is now; resolves to how far it is behind where that takes too long. */
async function untilIndexed(session: Session): Promise<number> {
  const stats = async (): Promise<CallOutput<'app.snapshot'>['stats']> =>
    (await session.call('app.snapshot', {})).stats
  const deadline = performance.now() + patienceMs
  for (;;) {
    const { behind, newestId, indexedId } = await stats()
    if (behind === 0 && indexedId >= newestId) return 0
    if (performance.now() > deadline) return newestId - indexedId
    await pause(20)
  }
}
