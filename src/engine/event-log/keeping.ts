import type { LogsView } from '#contract/logs.ts'
import type { EndpointRegistry } from '../endpoints/registry.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { Clock } from '../clock.ts'
import type { EnginePorts } from '../ports.ts'
import type { Store } from '../store/store.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { Listening } from '../listening/listening.ts'
import { logFormats } from './formats.ts'
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

/** `changed` is told of what goes on, at most five times a second, and of each end at once. */
export function openLogKeeping(_parts: LogParts, _changed: (view: LogsView) => void): Logs {
  return {
    view: () => ({ logs: [], exports: [], imports: [], rules: [] }),
    formats: () => logFormats.map(({ single: _single, write: _write, ...view }) => view),
    preview: () => notYet('The preview'),
    export: () => notYet('The export'),
    pull: () => notYet('The export'),
    cancelExport: () => notYet('The export'),
    dismissExport: () => notYet('The export'),
    text: () => notYet('A delivery as text'),
    import: () => notYet('The import'),
    feed: () => notYet('The import'),
    imported: () => notYet('The import'),
    cancelImport: () => notYet('The import'),
    dismissImport: () => notYet('The import'),
    remove: () => notYet('The import'),
    authorization: () => notYet('The import'),
    setRules: () => notYet('Rules of redaction'),
    readerOf: () => notYet('The import'),
    nameOf: () => notYet('The import'),
    close: async () => undefined,
  }
}
