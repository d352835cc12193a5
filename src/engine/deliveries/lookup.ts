import type { Logs } from '../event-logs/service.ts'
import type { Store } from '../store/store.ts'
import type { ReaderApi } from '../store/reader-api.ts'
import type { ThreadClient } from '../platform/rpc.ts'
import { AppError } from '../platform/errors.ts'

/** `null` is the live store. Throws `not_found`. */
export async function readerOf(
  { store, logs }: { readonly store: Pick<Store, 'reader'>; readonly logs: Pick<Logs, 'readerOf'> },
  log: number | null,
): Promise<ThreadClient<ReaderApi>> {
  return log === null ? store.reader : logs.readerOf(log)
}

export function throwDeliveryNotFound(id: number): never {
  throw new AppError(
    'not_found',
    `Delivery ${id} does not exist. It may have been deleted manually or by the storage limits.`,
  )
}

export function throwAttemptNotFound(id: number): never {
  throw new AppError(
    'not_found',
    `Attempt ${id} does not exist. It may have been deleted with its delivery, or by the storage limits.`,
  )
}
