import type { ThreadClient } from '../rpc.ts'
import type { WithoutDb } from '../sqlite.ts'

type Functions = Record<string, (...input: never[]) => unknown>

/** What a domain calls of the store: queries in the reader thread, writes in the writer thread. `app/threads` has all of them, by these names. */
export type StorePort<Reads extends Functions, Writes extends Functions> = StoreReads<Reads> &
  StoreWrites<Writes>

export interface StoreReads<Reads extends Functions> {
  readonly reader: ThreadClient<WithoutDb<Reads>>
}

export interface StoreWrites<Writes extends Functions> {
  readonly writer: ThreadClient<WithoutDb<Writes>>
}

export interface ReaderThreadData {
  readonly storePath: string
}
