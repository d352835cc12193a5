import { scenarioLimits, type Scenario } from '#contract/scenarios.ts'
import { formatCount } from '#shared/text/format.ts'
import { parseBody } from '../../payload/parse-body.ts'
import { AppError } from '../../platform/errors.ts'
import { openReader } from '../../platform/sqlite.ts'
import { createLogHead } from '../export/head.ts'
import { waitForIndex } from '../export/run-export.ts'
import type { ExportedDelivery } from '../items.ts'
import { openLogSource } from '../read/source.ts'
import type { LogStore } from './log-store.ts'
import type { CopyTask, ReadLog } from './messages.ts'

const without = { attempts: false, notes: false, authorization: false } as const

/** Stores the selected deliveries that can be sent again, for a scenario. Throws `bad_filter`, `not_found`, `bad_input`. */
export async function copyDeliveries(task: CopyTask, store: LogStore): Promise<ReadLog> {
  const { what } = task
  const db = openReader(task.storePath)
  try {
    const source = openLogSource(db, what, without, task.asOf)
    await waitForIndex(source, { unindexed: 0 }, () => undefined)
    const leftOut = new Map<string, number>()
    const missing = new Set(what.ids)
    let endpointId: number | null = null
    for (const ids of source.deliveryIds()) {
      for (const delivery of source.deliveries(ids)) {
        const { fields } = delivery
        missing.delete(fields.id)
        const reason = reasonToLeaveOut(delivery)
        if (reason !== null) {
          leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1)
          continue
        }
        // An ID of an event log is that of an endpoint elsewhere.
        const own = what.log === null ? fields.endpointId : null
        endpointId ??= own
        store.put({
          kind: 'delivery',
          delivery: { ...delivery, fields: { ...fields, endpointId: own } },
        })
        assertWithinLimits(store.tally)
      }
    }
    const [id] = missing
    if (id !== undefined && what.filter === '') {
      throw new AppError('not_found', `Delivery ${id} does not exist. Nothing was saved.`)
    }
    const reasons = Array.from(leftOut, ([reason, count]) => ({ reason, count }))
    const { deliveries, bytes, firstUs, lastUs } = store.tally
    if (deliveries === 0) throw nothingToSave(reasons)
    const exportedAt = new Date(task.asOf).toISOString()
    // So that the copies of a redacted log stay marked as redacted.
    const head = createLogHead(source, { app: task.app, exportedAt, fields: null })
    store.finish(head, null)
    return {
      format: 'ndjson',
      version: head.version,
      app: task.app,
      exportedAt: null,
      redacted: head.redaction.on,
      redaction: null,
      scope: head.scope,
      deliveries,
      bytes,
      firstAt: firstUs === null ? null : firstUs / 1000,
      lastAt: lastUs === null ? null : lastUs / 1000,
      state: 'complete',
      problems: [],
      scenario: { leftOut: reasons, endpointId },
    }
  } finally {
    db.close()
  }
}

function reasonToLeaveOut({ fields, body, omitted }: ExportedDelivery): string | null {
  if (fields.method !== 'POST') return 'not a POST request'
  if (fields.arrival !== 'complete') return 'received incompletely'
  if (omitted !== null) return 'without its body in the event log'
  const { kind } = parseBody(body)
  return kind === 'object' || kind === 'not_object' ? null : 'without a JSON body'
}

function assertWithinLimits({ deliveries, bytes }: { deliveries: number; bytes: number }): void {
  if (deliveries <= scenarioLimits.deliveries && bytes <= scenarioLimits.bytes) return
  throw new AppError(
    'bad_input',
    `A scenario has at most ${formatCount(scenarioLimits.deliveries)} deliveries and ${scenarioLimits.bytes / 1024 / 1024} MiB. Narrow the selection, for example to a shorter time.`,
  )
}

function nothingToSave(leftOut: Scenario['leftOut']): AppError {
  if (leftOut.length === 0) return new AppError('not_found', 'No delivery matches the selection.')
  const reasons = leftOut.map(({ reason, count }) => `${formatCount(count)} ${reason}`).join(', ')
  return new AppError('bad_input', `None of the deliveries can be sent again: ${reasons}.`)
}
