import { openReader } from '../../platform/sqlite.ts'
import type { ExportedDelivery } from '../items.ts'
import { writeDeliveries, type WrittenCounts } from '../ndjson/delivery-lines.ts'
import { createDeliveriesReader } from '../read/deliveries.ts'
import { createRedactor } from '../redact/redactor.ts'
import { maxAheadBytes } from './line-threads.ts'
import {
  type BeginLines,
  cancellation,
  Cancelled,
  type FromLines,
  toFailure,
  type ToLines,
} from './messages.ts'
import { pump } from './run-export.ts'
import { openPieceSink } from './sinks.ts'

/** A thread of `LineThreads`: reads, redacts and writes the deliveries that the export thread assigns to it. The export thread terminates it. */
export function writeLines({ task, port }: BeginLines): void {
  const sent = new Int32Array(task.sent)
  const throwIfCancelled = cancellation(task.cancelled)
  const read = createDeliveriesReader(openReader(task.storePath), task.with)
  const redactor = task.redaction && createRedactor(task.redaction)
  for (const endpoint of task.endpoints) redactor?.item(endpoint)

  const send = (message: FromLines, transferred: ArrayBuffer[] = []): void => {
    port.postMessage(message, transferred)
    Atomics.add(sent, 0, 1)
    Atomics.notify(sent, 0)
  }
  const sink = openPieceSink(
    (bytes) => send({ kind: 'piece', bytes }, [bytes.buffer]),
    throwIfCancelled,
    maxAheadBytes,
  )

  const write = async (ids: readonly number[]): Promise<void> => {
    const removedBefore = redactor?.removed() ?? {}
    let counts: WrittenCounts | null = null
    function* deliveries(): Generator<ExportedDelivery, void, undefined> {
      for (const delivery of read(ids)) {
        throwIfCancelled()
        yield redactor ? redactor.item({ kind: 'delivery', delivery }).delivery : delivery
      }
    }
    function* pieces(): Generator<Uint8Array, void, undefined> {
      counts = yield* writeDeliveries(deliveries())
    }
    await pump(pieces(), sink, throwIfCancelled)
    const removed = Object.fromEntries(
      Object.entries(redactor?.removed() ?? {}).map(([kind, count]) => [
        kind,
        count - (removedBefore[kind] ?? 0),
      ]),
    )
    if (counts) send({ kind: 'written', counts, removed })
  }

  let last = Promise.resolve()
  const writeNext = async (ids: readonly number[]): Promise<void> => {
    await last
    try {
      await write(ids)
    } catch (error) {
      if (!(error instanceof Cancelled)) send(toFailure(error))
    }
  }
  port.on('message', (message: ToLines) => {
    if (message.kind === 'consumed') sink.consumed(message.bytes)
    else last = writeNext(message.ids)
  })
}
