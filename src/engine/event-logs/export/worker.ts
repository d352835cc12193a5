import { parentPort, type MessagePort } from 'node:worker_threads'
import { type Db, openReader } from '../../platform/sqlite.ts'
import { formatOf } from '../formats.ts'
import { lowerPriority } from '../../platform/thread-scheduling.ts'
import { unreadable } from '../../store/damage.ts'
import { isDamage } from '../../store/search-file.ts'
import { openLogSource } from '../read/source.ts'
import {
  cancellation,
  isAbort,
  type ExportTask,
  type ExportProgress,
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
import { runExport, type ExportCounts } from './run-export.ts'

const reportEveryMs = 200
/** Lower priority than the capture thread and the writer. */
const nice = 5

class RunningExport {
  readonly #port: MessagePort
  readonly #task: ExportTask
  readonly #throwIfCancelled: () => void
  readonly #counts: ExportCounts = {
    deliveries: 0,
    total: null,
    rehearsals: 0,
    unindexed: 0,
    removed: () => ({}),
    uses: null,
    unknownFields: () => [],
  }
  #sink: Sink | null = null
  #pieces: PieceSink | null = null
  #lastReport = ''

  constructor(port: MessagePort, task: ExportTask) {
    this.#port = port
    this.#task = task
    this.#throwIfCancelled = cancellation(task.cancelled)
  }

  /** Returns the last message. Never rejects. */
  async run(): Promise<FromExport> {
    // A timer instead of a message after each delivery: it is less often, and also reports progress while the export waits.
    const reporting = setInterval(() => this.#report(), reportEveryMs)
    const db = openReader(this.#task.storePath)
    try {
      await this.#write(db)
      return { kind: 'done', progress: this.#progress() }
    } catch (error) {
      await this.#sink?.abort()
      if (isAbort(error)) return { kind: 'cancelled' }
      return toFailure(isDamage(error) ? unreadable(db) : error)
    } finally {
      clearInterval(reporting)
      db.close()
    }
  }

  consumed(bytes: number): void {
    this.#pieces?.consumed(bytes)
  }

  wake(): void {
    this.#pieces?.consumed(0)
  }

  async #write(db: Db): Promise<void> {
    const { format, what, with: include, asOf } = this.#task
    const { rehearsals = false } = formatOf(format)
    const included = rehearsals ? include : { ...include, rehearsals: 'none' as const }
    const source = openLogSource(db, what, included, asOf)
    const sink = this.#openSink()
    this.#sink = sink
    this.#send({ kind: 'started' })
    await runExport(db, source, this.#task, sink, this.#counts, this.#throwIfCancelled)
  }

  #openSink(): Sink {
    const { to, gzip } = this.#task
    const open = (): Sink => {
      switch (to.kind) {
        case 'file':
          return openFileSink(to)
        case 'pieces':
          return (this.#pieces = openPieceSink(
            (bytes) => this.#send({ kind: 'piece', bytes }, [bytes.buffer]),
            this.#throwIfCancelled,
          ))
        case 'count':
          return openCountingSink()
      }
    }
    return gzip ? openGzipSink(open()) : open()
  }

  #report(): void {
    const { deliveries, total, unindexed } = this.#counts
    const state = `${deliveries} ${total} ${unindexed} ${this.#sink?.bytes ?? 0}`
    if (state === this.#lastReport) return
    this.#lastReport = state
    this.#send({ kind: 'progress', progress: this.#progress() })
  }

  #progress(): ExportProgress {
    const { deliveries, total, rehearsals, unindexed, removed, uses, unknownFields } = this.#counts
    return {
      deliveries,
      total,
      rehearsals,
      bytes: this.#sink?.bytes ?? 0,
      removed: { ...removed() },
      unknownFields: unknownFields(),
      fields: uses?.fields() ?? [],
      texts: uses?.texts() ?? [],
      unindexed,
    }
  }

  #send(message: FromExport, transferred: ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transferred)
  }
}

function run(port: MessagePort): void {
  lowerPriority(nice)
  let running: RunningExport | null = null
  const begin = async (started: RunningExport): Promise<void> => {
    port.postMessage(await started.run())
    // Without an open port, the thread exits.
    port.close()
  }
  port.on('message', (message: ToExport) => {
    switch (message.kind) {
      case 'begin':
        running = new RunningExport(port, message.task)
        void begin(running)
        break
      case 'consumed':
        running?.consumed(message.bytes)
        break
      case 'stop':
        running?.wake()
        break
    }
  })
}

if (parentPort) run(parentPort)
