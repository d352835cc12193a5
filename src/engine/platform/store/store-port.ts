import type { ThreadClient } from '../rpc.ts'
import type { WithoutDb } from '../sqlite.ts'

type Functions = Record<string, (...input: never[]) => unknown>
type Empty = Record<never, never>

/** What a domain calls of the store: queries in the reader thread, writes in the writer thread. `app/threads` has all of them, by these names. */
export interface StorePort<Reads extends Functions, Writes extends Functions = Empty> {
  readonly reader: ThreadClient<WithoutDb<Reads>>
  readonly writer: ThreadClient<WithoutDb<Writes>>
}

export interface ReaderThreadData {
  readonly storePath: string
}
