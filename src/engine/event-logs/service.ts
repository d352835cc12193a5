import { randomBytes } from 'node:crypto'
import type { LogsView } from '#contract/logs.ts'
import { throttle } from '#shared/async/throttle.ts'
import { Exports, type ExportsParts } from './export/exports.ts'
import { assertRules, distinct, orderOf } from './export/orders.ts'
import { Previews } from './export/previews.ts'
import { logFormats, formatOf } from './formats.ts'
import { Imports } from './import/imports.ts'
import { Library } from './import/library.ts'
import type { LogParts } from './items.ts'
import type { Logs } from './logs.ts'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import { createSlots } from '#shared/async/mutex.ts'
import { startExport, type ExportEnd, type ExportThread } from './export/export-thread.ts'

/** Of a text that is shown or copied, in bytes. */
const textBytes = 1024 * 1024

/** Threads that make texts at the same time. */
const mostAtOnce = 4
/** A text that takes longer is given up, in milliseconds: somebody waits for it. */
const limitMs = 20_000

/** Makes texts of single deliveries, each in a thread of its own and within a time limit of its own. */
function createTexts(
  parts: ExportsParts,
): (input: ParsedInput<'logs.text'>) => Promise<CallOutput<'logs.text'>> {
  const slot = createSlots(mostAtOnce)

  const make = async (input: ParsedInput<'logs.text'>): Promise<CallOutput<'logs.text'>> => {
    const { log, id, format, redact, keep, target } = input
    if (!formatOf(format).single) {
      throw new AppError('bad_input', `"${format}" holds many deliveries. Export it to a file.`)
    }
    const what = { log, filter: '', from: null, to: null, ids: [id], traceOf: null }
    const order = await orderOf(
      parts,
      parts.rules,
      parts.pathOf,
      {
        what,
        format,
        redact,
        rules: [],
        keep,
        gzip: false,
        with: { attempts: true, notes: true, authorization: false },
        target,
      },
      { kind: 'pieces' },
    )
    const pieces: Uint8Array[] = []
    let size = 0
    const thread = startExport(parts.ports.threads.exporter, order, {
      piece: (piece) => {
        pieces.push(piece)
        size += piece.byteLength
        // The rest would not be shown.
        if (size > textBytes) void thread.cancel()
        else thread.taken(piece.byteLength)
      },
    })
    const end = await withinLimit(parts.clock, thread)
    if (end.kind === 'failed') throw end.error
    if (end.kind === 'done' && end.told.deliveries === 0) {
      throw new AppError(
        'not_found',
        `There is no delivery ${id}. It may have been deleted, or have made room for newer ones.`,
      )
    }
    const all = Buffer.concat(pieces)
    const removed = end.kind === 'done' ? Object.values(end.told.removed) : []
    return {
      text: wholeCharacters(all.subarray(0, textBytes)),
      removed: removed.reduce((sum, count) => sum + count, 0),
      cut: all.byteLength > textBytes,
    }
  }

  return (input) => slot(() => make(input))
}

/** How the thread ended. Throws `run_over` where it takes too long: the thread is ended then, whatever it does. */
export async function withinLimit(
  clock: Pick<Clock, 'after'>,
  thread: Pick<ExportThread, 'ended' | 'cancel'>,
): Promise<ExportEnd> {
  let late = false
  const callOff = clock.after(limitMs, () => {
    late = true
    void thread.cancel()
  })
  const end = await thread.ended
  callOff()
  if (!late || end.kind === 'done') return end
  throw new AppError(
    'run_over',
    `The text took longer than ${limitMs / 1000} seconds. Export the delivery to a file instead.`,
    { retry: 'later' },
  )
}

/** Without the beginning of a character at its end. */
function wholeCharacters(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
}

/** What goes on is told so far apart, in milliseconds. */
const toldEveryMs = 200

/** `changed` is told of what goes on, at most five times a second, and of each end at once. */
export function createEventLogService(parts: LogParts, changed: (view: LogsView) => void): Logs {
  const { ports, clock, dataDir, store } = parts
  let rules = store.initial.redactionRules
  const view = (): LogsView => ({
    logs: library.views(),
    exports: exports.views(),
    imports: imports.views(),
    rules,
  })
  const telling = throttle(clock, toldEveryMs, () => changed(view()))
  const tellNow = (): void => {
    telling.wanted()
    telling.flush()
  }
  const told = { changed: () => telling.wanted(), ended: tellNow }
  const library = new Library({
    clock,
    dataDir,
    entries: ports.threads,
    logs: store.initial.logs,
    holdsFolder: !store.readOnly,
    random: () => randomBytes(8).toString('hex'),
    write: {
      putLog: (fields) => store.writer.call('putLog', fields),
      deleteLog: (id) => store.writer.call('deleteLog', id),
    },
  })
  const imports = new Imports(
    { library, clock, entry: ports.threads.importer, dialogs: ports.dialogs },
    told,
  )
  const exporting = { ...parts, rules: () => rules, pathOf: (log: number) => library.pathOf(log) }
  const exports = new Exports(exporting, told)
  const previews = new Previews(exporting)
  return {
    view,
    formats: () => logFormats.map(({ single: _single, write: _write, ...format }) => format),
    preview: (input) => previews.ask(input),
    export: (input) => exports.begin(input),
    pull: (ticket) => exports.pull(ticket),
    cancelExport: (id) => exports.cancel(id),
    dismissExport: (id) => exports.dismiss(id),
    text: createTexts(exporting),
    import: (input) => imports.begin(input),
    feed: (input) => imports.feed(input),
    imported: (id) => imports.ended(id),
    cancelImport: (id) => imports.cancel(id),
    dismissImport: (id) => imports.dismiss(id),
    remove: async (id) => {
      await library.remove(id)
      tellNow()
    },
    authorization: (id) => library.reader(id).call('logAuthorization'),
    setRules: async (input) => {
      const next = distinct(input.rules)
      assertRules(next)
      await store.writer.call('writeRedactionRules', next)
      rules = next
      tellNow()
      return view()
    },
    readerOf: async (id) => library.reader(id),
    nameOf: (id) => library.get(id).name,
    close: async () => {
      await Promise.all([exports.close(), previews.close(), imports.close()])
      await library.close()
    },
  }
}
