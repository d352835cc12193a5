import { randomBytes } from 'node:crypto'
import type { LogsView, LogWhat } from '#contract/logs.ts'
import { throttle } from '#shared/async/throttle.ts'
import { Exports } from './export/exports.ts'
import {
  startExport,
  type ExportEnd,
  type ExportsParts,
  type LogParts,
  type RunningExport,
} from './export/export-task.ts'
import { Previews } from './export/previews.ts'
import { formatOf, logFormatViews } from './formats.ts'
import { Imports } from './import/imports.ts'
import { Library, type LogReads } from './import/library.ts'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Clock } from '../platform/clock.ts'
import type { ThreadClient } from '../platform/rpc.ts'
import { AppError } from '../platform/errors.ts'
import { createSlots } from '#shared/async/mutex.ts'

export type Logs<Reads extends LogReads = LogReads> = ReturnType<
  typeof createEventLogService<Reads>
>

const textBytes = 1024 * 1024

const maxTextThreads = 4
const textTimeoutMs = 20_000

type TextOptions = Pick<ParsedInput<'logs.text'>, 'log' | 'format' | 'redact'> &
  Partial<Pick<ParsedInput<'logs.text'>, 'choices' | 'target'>>

/** Each text has its own thread and time limit. */
function createTexts(parts: ExportsParts) {
  const slot = createSlots(maxTextThreads)

  const createText = async (
    { log, format, redact, choices = [], target = '' }: TextOptions,
    selected: { ids: number[]; rehearsals: number[]; all: boolean },
    maxBytes: number,
  ): Promise<{ output: Buffer; end: ExportEnd }> => {
    const { ids, rehearsals, all } = selected
    const pieces: Uint8Array[] = []
    let size = 0
    const thread = await startExport(
      parts,
      {
        what: { log, filter: '', from: null, to: null, ids, traceOf: null },
        format,
        redact,
        choices,
        gzip: false,
        with: {
          attempts: all,
          notes: all,
          authorization: false,
          rehearsals: rehearsals.length === 0 ? 'none' : rehearsals,
          rehearsalRequests: false,
        },
        target,
      },
      { kind: 'pieces' },
      {
        piece: async (piece) => {
          pieces.push(piece)
          size += piece.byteLength
          // The text is cut here, so the rest is not needed.
          if (size > maxBytes) void thread.cancel()
        },
      },
    )
    const end = await withinLimit(parts.clock, thread)
    if (end.kind === 'failed') throw end.error
    return { output: Buffer.concat(pieces), end }
  }

  const textOfOne = async (input: ParsedInput<'logs.text'>): Promise<CallOutput<'logs.text'>> => {
    const { id, of, format } = input
    const isDelivery = of === 'delivery'
    if (!formatOf(format).single) {
      throw new AppError(
        'bad_input',
        `"${format}" is not available for a single delivery. Export to a file.`,
      )
    }
    const selected = { ids: isDelivery ? [id] : [], rehearsals: isDelivery ? [] : [id], all: true }
    const { output, end } = await createText(input, selected, textBytes)
    if (isDelivery && end.kind === 'done' && end.output.deliveries === 0) {
      throw new AppError(
        'not_found',
        `Delivery ${id} does not exist. It may have been deleted manually or by the storage limits.`,
      )
    }
    const removed = end.kind === 'done' ? Object.values(end.output.removed) : []
    return {
      text: wholeCharacters(output.subarray(0, textBytes)),
      removed: removed.reduce((sum, count) => sum + count, 0),
      cut: output.byteLength > textBytes,
    }
  }

  return {
    text: (input: ParsedInput<'logs.text'>) => slot(() => textOfOne(input)),
    /** Lines of an event log, without attempts and notes. */
    deliveryLines: ({ log, ids, redact }: { log: number | null; ids: number[]; redact: boolean }) =>
      slot(async () => {
        const selected = { ids, rehearsals: [], all: false }
        const options = { log, format: 'ndjson', redact }
        const { output } = await createText(options, selected, Number.MAX_SAFE_INTEGER)
        return output.toString()
      }),
  }
}

/** Cancels it and throws `run_over` if it takes too long. */
export async function withinLimit(
  clock: Pick<Clock, 'after'>,
  thread: Pick<RunningExport, 'ended' | 'cancel'>,
): Promise<ExportEnd> {
  let timedOut = false
  const cancelTimeout = clock.after(textTimeoutMs, () => {
    timedOut = true
    void thread.cancel()
  })
  const end = await thread.ended
  cancelTimeout()
  if (!timedOut || end.kind === 'done') return end
  throw new AppError(
    'run_over',
    `The text took longer than ${textTimeoutMs / 1000} seconds. Export the delivery to a file instead.`,
    { retry: 'later' },
  )
}

/** Leaves out an incomplete character at the end. */
function wholeCharacters(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
}

const reportEveryMs = 200

/** Calls `changed` at most five times a second for progress, and immediately when an export or import starts or ends. */
export function createEventLogService<Reads extends LogReads>(
  parts: LogParts,
  changed: (view: LogsView) => void,
) {
  const { ports, clock, dataDir, store } = parts
  let choices = store.initial.fieldChoices
  const view = (): LogsView => ({
    logs: library.views().filter(({ scenario }) => scenario === undefined),
    exports: exports.views(),
    imports: imports.views(),
    choices,
  })
  const throttled = throttle(clock, reportEveryMs, () => changed(view()))
  const notifyNow = (): void => {
    throttled.wanted()
    throttled.flush()
  }
  const listeners = { changed: () => throttled.wanted(), ended: notifyNow }
  const library = new Library<Reads>({
    clock,
    dataDir,
    readerEntry: ports.threads.reader,
    logs: store.initial.logs,
    random: () => randomBytes(8).toString('hex'),
    write: {
      putLog: (fields) => store.writer.call('putLog', fields),
      deleteLog: (id) => store.writer.call('deleteLog', id),
    },
  })
  const imports = new Imports(
    { library, clock, entry: ports.threads.importer, dialogs: ports.dialogs },
    listeners,
  )
  const exportParts = {
    ...parts,
    choices: () => choices,
    pathOf: (log: number) => library.pathOf(log),
  }
  const exports = new Exports(exportParts, listeners)
  const previews = new Previews(exportParts)
  return {
    view,
    formats: logFormatViews,
    preview: (input: ParsedInput<'logs.preview'>) => previews.get(input),
    export: (input: ParsedInput<'logs.export'>) => exports.start(input),
    pull: (ticket: string) => exports.pull(ticket),
    cancelExport: (id: number) => exports.cancel(id),
    dismissExport: (id: number) => exports.dismiss(id),
    ...createTexts(exportParts),
    import: (input: ParsedInput<'logs.import'>) => imports.start(input),
    feed: (input: ParsedInput<'logs.feed'>) => imports.feed(input),
    imported: (id: number) => imports.ended(id),
    cancelImport: (id: number) => imports.cancel(id),
    dismissImport: (id: number) => imports.dismiss(id),
    remove: async (id: number) => {
      await library.remove(id)
      notifyNow()
    },
    authorization: (id: number) => library.authorization(id),
    setChoices: async (input: ParsedInput<'logs.setChoices'>) => {
      const byField = new Map(input.choices.map((choice) => [choice.field, choice]))
      choices = [...byField.values()]
      await store.writer.call('writeFieldChoices', choices)
      notifyNow()
      return view()
    },
    /** Most recently saved first. */
    scenarios: () => library.views().filter(({ scenario }) => scenario !== undefined),
    /** Throws `bad_filter`, `not_found`, `bad_input`. */
    saveScenario: (name: string, what: LogWhat) =>
      imports.copy(name, {
        storePath: what.log === null ? store.path : library.pathOf(what.log),
        what,
        asOf: clock.now(),
        app: `Tabscope ${parts.version}`,
      }),
    /** Throws `not_found`. */
    readerOf: async (id: number) => library.reader(id),
    nameOf: (id: number) => library.get(id).name,
    /** The path of its store. Throws `not_found`. */
    pathOf: (id: number) => library.pathOf(id),
    close: async () => {
      await Promise.all([exports.close(), previews.close(), imports.close()])
      await library.close()
    },
  }
}

/** `null` is the live store. Throws `not_found`. */
export async function readerOf<Reads extends LogReads>(
  { store, logs }: { store: { reader: ThreadClient<Reads> }; logs: Pick<Logs<Reads>, 'readerOf'> },
  log: number | null,
): Promise<ThreadClient<Reads>> {
  return log === null ? store.reader : logs.readerOf(log)
}
