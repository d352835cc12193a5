import { parentPort, type MessagePort } from 'node:worker_threads'
import { openReader } from '../../platform/sqlite.ts'
import { formatOf } from '../formats.ts'
import { lowerPriority } from '../../platform/thread-scheduling.ts'
import { openLogSource } from '../read/source.ts'
import {
  Cancelled,
  cancellation,
  type ExportTask,
  type ExportProgress,
  type BeginLines,
  type FromExport,
  toFailure,
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
import { writeLines } from './line-worker.ts'
import { runExport, type ExportCounts } from './run-export.ts'

/** Minimum interval between two progress messages, in milliseconds. */
const reportEveryMs = 200
/** Lower priority than the capture thread and the writer. */
const nice = 5

/** The thread of one export or preview: reads, redacts and writes. */
function run(port: MessagePort): void {
  lowerPriority(nice)
  let pieces: PieceSink | null = null
  let until = Number.POSITIVE_INFINITY
  let wake: (() => void) | null = null

  const send = (message: FromExport): void => port.postMessage(message)
  const sendPiece = (bytes: Uint8Array<ArrayBuffer>): void => {
    port.postMessage({ kind: 'piece', bytes } satisfies FromExport, [bytes.buffer])
  }

  const openSink = ({ to, gzip }: ExportTask, throwIfCancelled: () => void): Sink => {
    const open = (): Sink => {
      switch (to.kind) {
        case 'file':
          return openFileSink(to)
        case 'pieces':
          return (pieces = openPieceSink(sendPiece, throwIfCancelled))
        case 'count':
          return openCountingSink()
      }
    }
    return gzip ? openGzipSink(open()) : open()
  }

  const execute = async (task: ExportTask): Promise<FromExport> => {
    const throwIfCancelled = cancellation(task.cancelled)
    const counts: ExportCounts = {
      deliveries: 0,
      total: null,
      rehearsals: 0,
      unindexed: 0,
      removed: () => ({}),
      removals: () => [],
    }
    let sink: Sink | null = null
    const progress = (): ExportProgress => ({
      deliveries: counts.deliveries,
      total: counts.total,
      rehearsals: counts.rehearsals,
      bytes: sink?.bytes ?? 0,
      removed: { ...counts.removed() },
      removals: task.to.kind === 'count' ? counts.removals() : [],
      unindexed: counts.unindexed,
    })
    const yieldControl = async (): Promise<void> => {
      throwIfCancelled()
      while (performance.timeOrigin + performance.now() > until) {
        await new Promise<void>((resolve) => (wake = resolve))
        throwIfCancelled()
      }
    }
    let lastReport = ''
    // A timer instead of a message after each delivery: it is less often, and also reports progress while the export waits.
    const reporting = setInterval(() => {
      const state = `${counts.deliveries} ${counts.total} ${counts.unindexed} ${sink?.bytes ?? 0}`
      if (state === lastReport) return
      lastReport = state
      send({ kind: 'progress', progress: progress() })
    }, reportEveryMs)
    const db = openReader(task.storePath)
    try {
      const { rehearsals = false } = formatOf(task.format)
      const include = rehearsals ? task.with : { ...task.with, rehearsals: 'none' as const }
      const source = openLogSource(db, task.what, include, task.asOf)
      sink = openSink(task, throwIfCancelled)
      send({ kind: 'started' })
      await runExport(db, source, task, sink, counts, { throwIfCancelled, yieldControl })
      return { kind: 'done', progress: progress() }
    } catch (error) {
      await sink?.abort()
      return error instanceof Cancelled ? { kind: 'cancelled' } : toFailure(error)
    } finally {
      clearInterval(reporting)
      db.close()
    }
  }

  const start = async (task: ExportTask): Promise<void> => {
    send(await execute(task))
    // Without an open port, the thread exits.
    port.close()
  }

  port.on('message', (message: ToExport | BeginLines) => {
    switch (message.kind) {
      case 'begin_lines':
        writeLines(message)
        break
      case 'begin':
        void start(message.task)
        break
      case 'consumed':
        pieces?.consumed(message.bytes)
        break
      case 'until':
        until = message.at
        wake?.()
        break
      case 'stop':
        wake?.()
        pieces?.consumed(0)
        break
    }
  })
}

if (parentPort) run(parentPort)
