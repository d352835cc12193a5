import { type Db, openReader } from '../../platform/sqlite.ts'
import { serveTask, type TaskContext } from '../../platform/task.ts'
import { formatOf } from '../formats.ts'
import { lowerPriority } from '../../platform/thread.ts'
import { unreadable } from '../../deliveries/damage.ts'
import { isDamage } from '../../platform/store/search-file.ts'
import { openLogSource } from '../read/source.ts'
import type { ExportProgress, ExportShape } from './messages.ts'
import { openOutput, writeOutput } from './output.ts'
import { runExport, type ExportCounts } from './run-export.ts'

const reportEveryMs = 200
/** Lower priority than the capture thread and the writer. */
const nice = 5

class RunningExport {
  readonly #context: TaskContext<ExportShape>
  readonly #counts: ExportCounts = {
    deliveries: 0,
    bytes: 0,
    total: null,
    rehearsals: 0,
    unindexed: 0,
    removed: () => ({}),
    uses: null,
    unknownFields: () => [],
  }
  #lastReport = ''

  constructor(context: TaskContext<ExportShape>) {
    this.#context = context
  }

  async run(): Promise<ExportProgress> {
    // A timer instead of a message after each delivery: it is less often, and also reports progress while the export waits.
    const reporting = setInterval(() => this.#report(), reportEveryMs)
    const db = openReader(this.#context.input.storePath)
    try {
      await this.#write(db)
      return this.#progress()
    } catch (error) {
      throw isDamage(error) ? unreadable(db) : error
    } finally {
      clearInterval(reporting)
      db.close()
    }
  }

  async #write(db: Db): Promise<void> {
    const { input, engine, cancelled, throwIfCancelled } = this.#context
    const { format, what, with: include, asOf } = input
    const { rehearsals = false } = formatOf(format)
    const included = rehearsals ? include : { ...include, rehearsals: 'none' as const }
    const source = openLogSource(db, what, included, asOf)
    // A cancelled export does not wait for its consumer.
    const output = await openOutput(input.to, (piece) =>
      Promise.race([engine.call('piece', piece), cancelled]),
    )
    void engine.call('started')
    const write = (pieces: AsyncIterable<Uint8Array>): Promise<void> =>
      writeOutput(pieces, output, input, (bytes) => (this.#counts.bytes += bytes))
    await runExport(db, source, input, write, this.#counts, throwIfCancelled)
  }

  #report(): void {
    const { deliveries, bytes, total, unindexed } = this.#counts
    const state = `${deliveries} ${total} ${unindexed} ${bytes}`
    if (state === this.#lastReport) return
    this.#lastReport = state
    void this.#context.engine.call('progress', this.#progress())
  }

  #progress(): ExportProgress {
    const { deliveries, bytes, total, rehearsals, unindexed, removed, uses, unknownFields } =
      this.#counts
    return {
      deliveries,
      total,
      rehearsals,
      bytes,
      removed: { ...removed() },
      unknownFields: unknownFields(),
      fields: uses?.fields() ?? [],
      texts: uses?.texts() ?? [],
      unindexed,
    }
  }
}

serveTask<ExportShape>((context) => {
  lowerPriority(nice)
  return new RunningExport(context).run()
})
