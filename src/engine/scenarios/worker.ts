import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { LogHead } from '#contract/event-log.ts'
import type { LogWhat } from '#contract/logs.ts'
import { scenarioLimits, type Scenario } from '#contract/scenarios.ts'
import { formatCount } from '#shared/text/format.ts'
import { parseBody } from '../capture/parse-body.ts'
import { waitForIndex } from '../event-logs/export/run-export.ts'
import type { ExportedDelivery } from '../event-logs/items.ts'
import { openLogSource } from '../event-logs/read/source.ts'
import { AppError } from '../platform/errors.ts'
import { connectApi, serveApi, type ThreadClient } from '../platform/rpc.ts'
import { openReader, type Db } from '../platform/sqlite.ts'
import { runScenario, type RunTask, type ScenarioSink } from './runner.ts'
import type { Copy } from './store.ts'

export interface SaveTask {
  readonly task: 'save'
  readonly storePath: string
  readonly what: LogWhat
  readonly asOf: number
}

export interface SaveEnd {
  readonly leftOut: Scenario['leftOut']
  readonly redaction: LogHead['redaction'] | null
}

/** Called by the engine. `start` resolves at the end; null: of a run. */
export type ScenarioThreadApi = {
  start: () => Promise<SaveEnd | null>
  stop: () => void
}

const batchBytes = 1024 * 1024

/** Passes on copies of the selected deliveries. Throws `bad_filter`, `not_found`, `bad_input`. */
async function save(
  db: Db,
  { what, asOf }: SaveTask,
  sink: ThreadClient<ScenarioSink>,
  signal: AbortSignal,
): Promise<SaveEnd> {
  const source = openLogSource(
    db,
    what,
    { attempts: false, notes: false, authorization: false },
    asOf,
  )
  await waitForIndex(source, { unindexed: 0 }, () => signal.throwIfAborted())
  const leftOut = new Map<string, number>()
  const missing = new Set(what.ids)
  const total = { count: 0, bytes: 0 }
  let batch: Copy[] = []
  let pending = 0
  const flush = async (): Promise<void> => {
    await sink.call('copies', batch)
    batch = []
    pending = 0
  }
  for (const ids of source.deliveryIds()) {
    for (const delivery of source.deliveries(ids)) {
      signal.throwIfAborted()
      const { fields, body } = delivery
      missing.delete(fields.id)
      const reason = reasonToLeaveOut(delivery)
      if (reason !== null) {
        leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1)
        continue
      }
      total.count += 1
      total.bytes += body.byteLength
      assertWithinLimits(total)
      // An ID of an event log is that of an endpoint elsewhere.
      const endpointId = what.log === null ? fields.endpointId : null
      batch.push({ fields: { ...fields, endpointId }, body })
      pending += body.byteLength + 4096
      if (pending > batchBytes) await flush()
    }
  }
  await flush()
  const [id] = missing
  if (id !== undefined && what.filter === '') {
    throw new AppError('not_found', `Delivery ${id} does not exist. Nothing was saved.`)
  }
  const reasons = Array.from(leftOut, ([reason, count]) => ({ reason, count }))
  if (total.count === 0) throw nothingToSave(reasons)
  return { leftOut: reasons, redaction: source.redaction }
}

/** As what follows a number of deliveries. */
function reasonToLeaveOut({ fields, body, omitted }: ExportedDelivery): string | null {
  if (fields.method !== 'POST') return 'not a POST request'
  if (fields.arrival !== 'complete') return 'received incompletely'
  if (omitted !== null) return 'without its body in the event log'
  const { kind } = parseBody(body)
  return kind === 'object' || kind === 'not_object' ? null : 'without a JSON body'
}

function assertWithinLimits({ count, bytes }: { count: number; bytes: number }): void {
  if (count <= scenarioLimits.deliveries && bytes <= scenarioLimits.bytes) return
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

/** The thread of one task. */
function run(port: MessagePort, task: SaveTask | RunTask): void {
  const stopped = new AbortController()
  const sink = connectApi<ScenarioSink>(port)
  const api: ScenarioThreadApi = {
    start: async () => {
      const db = openReader(task.storePath)
      try {
        if (task.task === 'save') return await save(db, task, sink, stopped.signal)
        await runScenario(db, task, sink, stopped.signal)
        return null
      } finally {
        db.close()
      }
    },
    stop: () => stopped.abort(),
  }
  serveApi(port, api)
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- passed by `startTask` in the same program
if (parentPort) run(parentPort, workerData as SaveTask | RunTask)
