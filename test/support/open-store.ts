import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { build } from 'vite'
import { openStore, type Store } from '#engine/app/threads/store.ts'
import type { IndexerEvent } from '#engine/search/indexer/messages.ts'
import type { WriterEvent } from '#engine/app/threads/writer-api.ts'

const root = path.resolve(import.meta.dirname, '../..')
// One folder per test process, because concurrent builds would empty a shared folder.
const pool = process.env['VITEST_POOL_ID'] ?? '0'
const outDir = path.join(root, `node_modules/.cache/tabscope-test/threads-${pool}`)

/** The store's worker threads, built once per test file because workers cannot use vitest's module loader. */
const built = build({
  root,
  configFile: false,
  logLevel: 'silent',
  build: {
    ssr: true,
    outDir,
    rolldownOptions: {
      input: {
        writer: 'src/engine/app/threads/writer-thread.ts',
        indexer: 'src/engine/app/threads/indexer-thread.ts',
        reader: 'src/engine/app/threads/reader-thread.ts',
      },
    },
  },
})
const entry = (name: string) => pathToFileURL(path.join(outDir, `${name}.js`))

export interface OpenStore {
  readonly store: Store
  readonly events: WriterEvent[]
  readonly indexerEvents: IndexerEvent[]
  readonly close: () => Promise<void>
}

/** Opens the store with its worker threads. Closed at the end of the test. A crashed thread fails the test. */
export async function openTestStore(folder: string): Promise<OpenStore> {
  await built
  const events: WriterEvent[] = []
  const indexerEvents: IndexerEvent[] = []
  const died: Error[] = []
  const store = openStore(
    folder,
    'now',
    {
      capture: entry('none'),
      writer: entry('writer'),
      indexer: entry('indexer'),
      reader: entry('reader'),
      sender: entry('none'),
      tunnel: entry('none'),
      exporter: entry('none'),
      importer: entry('none'),
      rehearsal: entry('none'),
      script: entry('none'),
      relay: entry('none'),
    },
    {
      event: (event) => events.push(event),
      indexerEvent: (event) => indexerEvents.push(event),
      died: (error) => died.push(error),
    },
  )
  let closed: Promise<void> | null = null
  const close = () => (closed ??= store.close())
  onTestFinished(async () => {
    if (died[0]) throw died[0]
    await close()
  })
  return { store, events, indexerEvents, close }
}
