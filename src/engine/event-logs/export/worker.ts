import { parentPort, type MessagePort } from 'node:worker_threads'
import { AppError } from '../../platform/errors.ts'
import { openReader } from '../../platform/sqlite.ts'
import { formatOf } from '../formats.ts'
import { lowerPriority } from '../../platform/lower-priority.ts'
import { openLogSource } from '../read/source.ts'
import {
  Cancelled,
  cancellation,
  type ExportOrder,
  type ExportProgress,
  type FromExport,
  type ToExport,
} from './messages.ts'
import {
  openFileSink,
  openGzipSink,
  openPieceSink,
  type PieceSink,
  openCountingSink,
  type Sink,
} from './sinks.ts'
import { produce, type ExportCounts } from './produce.ts'

/** It is told how far it is at least so far apart, in milliseconds. */
const tellEveryMs = 200
/** The capture thread and the writer go first. */
const nice = 5

/** The thread of one export or preview: reads, redacts, writes. */
function run(port: MessagePort): void {
  lowerPriority(nice)
  let pieces: PieceSink | null = null
  let until = Number.POSITIVE_INFINITY
  let wake: (() => void) | null = null

  const send = (message: FromExport): void => port.postMessage(message)
  const give = (bytes: Uint8Array<ArrayBuffer>): void => {
    port.postMessage({ kind: 'piece', bytes } satisfies FromExport, [bytes.buffer])
  }

  const sinkOf = ({ to, gzip }: ExportOrder, check: () => void): Sink => {
    const open = (): Sink => {
      switch (to.kind) {
        case 'file':
          return openFileSink(to)
        case 'pieces':
          return (pieces = openPieceSink(give, check))
        case 'count':
          return openCountingSink()
      }
    }
    return gzip ? openGzipSink(open()) : open()
  }

  const work = async (order: ExportOrder): Promise<FromExport> => {
    const check = cancellation(order.cancelled)
    const standing: ExportCounts = {
      deliveries: 0,
      total: null,
      behind: 0,
      removed: {},
      redactor: null,
    }
    let sink: Sink | null = null
    const told = (): ExportProgress => ({
      deliveries: standing.deliveries,
      total: standing.total,
      bytes: sink?.bytes ?? 0,
      removed: { ...(standing.redactor?.removed() ?? standing.removed) },
      removals: order.to.kind === 'count' ? (standing.redactor?.removals() ?? []) : [],
      behind: standing.behind,
    })
    const between = async (): Promise<void> => {
      check()
      while (performance.timeOrigin + performance.now() > until) {
        await new Promise<void>((resolve) => (wake = resolve))
        check()
      }
    }
    let toldLast = ''
    // Not after each delivery, but also while it waits: so that what is told is what is so.
    const telling = setInterval(() => {
      const now = `${standing.deliveries} ${standing.total} ${standing.behind} ${sink?.bytes ?? 0}`
      if (now === toldLast) return
      toldLast = now
      send({ kind: 'progress', told: told() })
    }, tellEveryMs)
    const db = openReader(order.storePath)
    try {
      formatOf(order.format)
      const source = openLogSource(db, order.what, order.with, order.asOf)
      sink = sinkOf(order, check)
      send({ kind: 'begun' })
      await produce(db, source, order, sink, standing, { check, between })
      return { kind: 'done', told: told() }
    } catch (error) {
      await sink?.abort()
      return error instanceof Cancelled ? { kind: 'cancelled' } : failureOf(error)
    } finally {
      clearInterval(telling)
      db.close()
    }
  }

  const begin = async (order: ExportOrder): Promise<void> => {
    send(await work(order))
    // Nothing is left to hear: so the thread ends.
    port.close()
  }

  port.on('message', (message: ToExport) => {
    switch (message.kind) {
      case 'begin':
        void begin(message.order)
        break
      case 'taken':
        pieces?.taken(message.bytes)
        break
      case 'until':
        until = message.at
        wake?.()
        break
      case 'stop':
        wake?.()
        pieces?.taken(0)
        break
    }
  })
}

function failureOf(error: unknown): FromExport {
  if (error instanceof AppError) return { kind: 'failed', error: error.toWire() }
  const unforeseen = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { kind: 'failed', error: { unforeseen } }
}

if (parentPort) run(parentPort)
