import type { Context } from '../context.ts'
import type { ReaderApi } from '../store/reader-api.ts'
import type { ThreadClient } from '../threads/rpc.ts'

/** The queries over the live store (null), or over an event log. Throws `not_found`. */
export async function readerOf(
  { store, logs }: Context,
  log: number | null,
): Promise<ThreadClient<ReaderApi>> {
  return log === null ? store.reader : logs.readerOf(log)
}
