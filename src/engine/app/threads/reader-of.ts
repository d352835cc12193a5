import type { Logs } from '../../event-logs/service.ts'
import type { ThreadClient } from '../../platform/rpc.ts'
import type { ReaderApi } from './queries.ts'
import type { Store } from './store.ts'

/** `null` is the live store. Throws `not_found`. */
export async function readerOf(
  { store, logs }: { store: Pick<Store, 'reader'>; logs: Pick<Logs, 'readerOf'> },
  log: number | null,
): Promise<ThreadClient<ReaderApi>> {
  return log === null ? store.reader : logs.readerOf(log)
}
