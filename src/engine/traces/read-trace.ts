import type { Trace } from '#contract/deliveries.ts'
import { readStats } from '../deliveries/store.ts'
import type { Db } from '../platform/sqlite.ts'
import { traceOf } from './collect.ts'
import { createTraceSource } from './source.ts'

/** The life of what a delivery is about, as far as the search index has come; null: there is no such delivery. */
export function readTrace(db: Db, id: number): Trace | null {
  const source = createTraceSource(db)
  const from = source.read(id)
  if (!from) return null
  return { ...traceOf(source, from), indexedId: readStats(db).indexedId }
}
