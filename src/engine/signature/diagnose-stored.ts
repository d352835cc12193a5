import type { Diagnosis } from '#contract/deliveries.ts'
import { diagnose } from './diagnose/diagnose.ts'
import type { Keyring } from './diagnose/subject.ts'
import { readBody, readDelivery } from '../deliveries/store.ts'
import type { Db } from '../platform/sqlite.ts'

export interface DiagnoseQuery {
  readonly id: number
  readonly keyring: Keyring
  readonly candidate?: string | undefined
}

/**
 * Diagnoses a stored delivery. This runs in the reader thread, in slices of a few milliseconds: the body is here already, and is never
 * copied to another thread; no slice is longer than a query may wait; and nothing that answers or writes runs here.
 */
export async function diagnoseStored(
  db: Db,
  { id, keyring, candidate }: DiagnoseQuery,
): Promise<Diagnosis | null> {
  const delivery = readDelivery(db, id)
  const body = readBody(db, id, 0, Number.MAX_SAFE_INTEGER)
  if (!delivery || !body) return null
  return diagnose({ captured: { ...delivery, body: body.bytes }, keyring, candidate })
}
