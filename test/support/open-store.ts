import { pathToFileURL } from 'node:url'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { openStore, type Store } from '#engine/store/store.ts'
import type { WriterEvent } from '#engine/store/writer-api.ts'

const source = (file: string) => pathToFileURL(path.resolve('src/engine', file))

export interface OpenStore {
  readonly store: Store
  readonly events: WriterEvent[]
  close(): Promise<void>
}

/** The store with its threads, run from their source: Node 24 strips the types. */
export function openTestStore(folder: string): OpenStore {
  const events: WriterEvent[] = []
  const died: Error[] = []
  const store = openStore(
    folder,
    'now',
    {
      capture: source('capture/thread.ts'),
      writer: source('store/writer-thread.ts'),
      reader: source('store/reader-thread.ts'),
    },
    { event: (event) => events.push(event), died: (error) => died.push(error) },
  )
  let closed: Promise<void> | null = null
  const close = () => (closed ??= store.close())
  onTestFinished(async () => {
    await close()
    if (died[0]) throw died[0]
  })
  return { store, events, close }
}
