import type { AttemptSummary } from '#contract/sending.ts'
import { attemptEvent, attemptLine } from '../attempt-text.ts'
import { readSession } from '../in-session.ts'
import { logOf } from '../log-option.ts'
import { idOf, parse } from '../options.ts'
import { say, writeJson, writeLine } from '../output.ts'
import { printable } from '../../printable.ts'

const pageSize = 200

/** `deliveries attempts ID`: what was sent of it, newest first, and where it was not forwarded to. */
export async function attempts(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, { log: { type: 'string' } }, 1)
  const deliveryId = idOf('deliveries attempts needs the ID of a delivery.', positionals[0])
  return readSession(values, async (session) => {
    const log = await logOf(session, values.log)
    await session.call('deliveries.get', { id: deliveryId, log })
    let before: number | undefined
    let told: readonly string[] = []
    let sent = 0
    for (;;) {
      const page: { rows: AttemptSummary[]; notForwarded: string[] } = await session.call(
        'attempts.list',
        { log, deliveryId, before, limit: pageSize },
      )
      for (const row of page.rows) {
        if (values.json) writeJson(attemptEvent(row))
        else writeLine(attemptLine(row))
      }
      told = page.notForwarded
      sent += page.rows.length
      before = page.rows.at(-1)?.id
      if (page.rows.length < pageSize) break
    }
    for (const reason of told) {
      if (values.json) writeJson({ event: 'not_forwarded', deliveryId, reason })
      else say(printable(reason))
    }
    if (sent + told.length === 0 && !values.json) say('Nothing was sent of it.')
    return 0
  })
}
