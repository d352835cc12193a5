import { randomBytes } from 'node:crypto'
import type { LogsView } from '#contract/logs.ts'
import type { EndpointRegistry } from '../endpoints/registry.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { Clock } from '../clock.ts'
import type { EnginePorts } from '../ports.ts'
import type { Store } from '../store/store.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { Listening } from '../listening/listening.ts'
import { throttle } from '../throttle.ts'
import { logFormats } from './formats.ts'
import { Imports } from './import/imports.ts'
import { Library } from './import/library.ts'
import type { Logs } from './logs.ts'
import { notYet } from './not-yet.ts'

/** What exports and imports are made of. */
export interface LogParts {
  readonly ports: EnginePorts
  readonly clock: Clock
  readonly dataDir: string
  readonly version: string
  readonly store: Store
  readonly registry: EndpointRegistry
  readonly integrations: IntegrationRegistry
  readonly tokens: Tokens
  readonly listening: Listening
}

/** What goes on is told so far apart, in milliseconds. */
const toldEveryMs = 200

/** `changed` is told of what goes on, at most five times a second, and of each end at once. */
export function openLogKeeping(parts: LogParts, changed: (view: LogsView) => void): Logs {
  const { ports, clock, dataDir, store } = parts
  const view = (): LogsView => ({
    logs: library.views(),
    exports: [],
    imports: imports.views(),
    rules: [],
  })
  const telling = throttle(clock, toldEveryMs, () => changed(view()))
  const tellNow = (): void => {
    telling.wanted()
    telling.flush()
  }
  const library = new Library({
    clock,
    dataDir,
    entries: ports.threads,
    logs: store.initial.logs,
    random: () => randomBytes(8).toString('hex'),
    write: {
      putLog: (fields) => store.writer.call('putLog', fields),
      deleteLog: (id) => store.writer.call('deleteLog', id),
    },
  })
  const imports = new Imports(
    { library, clock, entry: ports.threads.importer, dialogs: ports.dialogs },
    { changed: () => telling.wanted(), ended: tellNow },
  )
  return {
    view,
    formats: () => logFormats.map(({ single: _single, write: _write, ...view }) => view),
    preview: () => notYet('The preview'),
    export: () => notYet('The export'),
    pull: () => notYet('The export'),
    cancelExport: () => notYet('The export'),
    dismissExport: () => notYet('The export'),
    text: () => notYet('A delivery as text'),
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
    setRules: () => notYet('Rules of redaction'),
    readerOf: async (id) => library.reader(id),
    nameOf: (id) => library.get(id).name,
    close: async () => {
      await imports.close()
      await library.close()
    },
  }
}
