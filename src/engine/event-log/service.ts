import { randomBytes } from 'node:crypto'
import type { LogsView } from '#contract/logs.ts'
import { throttle } from '../throttle.ts'
import { Exports } from './export/exports.ts'
import { assertRules, distinct } from './export/orders.ts'
import { Previews } from './export/previews.ts'
import { createTexts } from './export/texts.ts'
import { logFormats } from './formats.ts'
import { Imports } from './import/imports.ts'
import { Library } from './import/library.ts'
import type { LogParts } from './log-parts.ts'
import type { Logs } from './logs.ts'

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
