import type { LogsView } from '#contract/logs.ts'
import { throttle } from '../throttle.ts'
import { Exports } from './export/exports.ts'
import { assertRules, distinct } from './export/orders.ts'
import { Previews } from './export/previews.ts'
import { createTexts } from './export/texts.ts'
import { logFormats } from './formats.ts'
import type { LogParts } from './log-parts.ts'
import type { Logs } from './logs.ts'
import { notYet } from './not-yet.ts'

/** What goes on is told so far apart, in milliseconds. */
const toldEveryMs = 200

/** `changed` is told of what goes on, at most five times a second, and of each end at once. */
export function openLogKeeping(parts: LogParts, changed: (view: LogsView) => void): Logs {
  const { clock, store } = parts
  let rules = store.initial.redactionRules
  const view = (): LogsView => ({ logs: [], exports: exports.views(), imports: [], rules })
  const telling = throttle(clock, toldEveryMs, () => changed(view()))
  const tellNow = (): void => {
    telling.wanted()
    telling.flush()
  }
  const exporting = { ...parts, rules: () => rules, pathOf: () => notYet('The import') }
  const exports = new Exports(exporting, { changed: telling.wanted, ended: tellNow })
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
    import: () => notYet('The import'),
    feed: () => notYet('The import'),
    imported: () => notYet('The import'),
    cancelImport: () => notYet('The import'),
    dismissImport: () => notYet('The import'),
    remove: () => notYet('The import'),
    authorization: () => notYet('The import'),
    setRules: async (input) => {
      const next = distinct(input.rules)
      assertRules(next)
      await store.writer.call('writeRedactionRules', next)
      rules = next
      tellNow()
      return view()
    },
    readerOf: () => notYet('The import'),
    nameOf: () => notYet('The import'),
    close: async () => {
      await Promise.all([exports.close(), previews.close()])
    },
  }
}
