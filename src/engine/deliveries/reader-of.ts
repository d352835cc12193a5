import type { Logs } from '../event-logs/service.ts'
import type { Store } from '../store/store.ts'
import type { ReaderApi } from '../store/reader-api.ts'
import type { ThreadClient } from '../platform/rpc.ts'

/** The queries over the live store (null), or over an event log. Throws `not_found`. */
export async function readerOf(
  { store, logs }: { readonly store: Pick<Store, 'reader'>; readonly logs: Pick<Logs, 'readerOf'> },
  log: number | null,
): Promise<ThreadClient<ReaderApi>> {
  return log === null ? store.reader : logs.readerOf(log)
}
