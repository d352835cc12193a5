import { LogEnd, LogHead } from '#contract/event-log.ts'
import type { LogWhat, LogWith } from '#contract/logs.ts'
import { prepare, type Db } from '../../store/driver.ts'
import type { LogItem } from '../items.ts'
import { countAuthorization, readAuthorization } from './authorization.ts'
import { createDeliveriesReader } from './deliveries.ts'
import { readHandles } from './handles.ts'
import { openSelection } from './selection.ts'

/** What is read of a store, or of an imported log, for an export. */
export interface LogSource {
  readonly scope: LogHead['scope']
  /** The head and the end of the imported log that this is the whole of; null: it is the live store, or a part. */
  readonly origin: { readonly head: LogHead; readonly end: LogEnd | null } | null
  /** What is asked for cannot be told without the search index. */
  readonly needsIndex: boolean
  /** What was taken out of an imported log before it came here, of all of it and of each part; null: it does not say, or is the live store. */
  readonly redaction: LogHead['redaction'] | null
  /** How many deliveries the search index has still to take in: what they repeat is not known before. */
  behind(): number
  /** Counts in steps, for whoever has something else to do in between; yields how many it has found so far. */
  counting(): Generator<number, void, undefined>
  /** Counted at once where that was not done before. */
  readonly counts: LogHead['counts']
  /** In the order of a log. Each call begins anew. `step` is called again and again, also while nothing is found, and may throw. */
  items(step?: () => void): Generator<LogItem, void, undefined>
  /** Handles of guests in the whole store, for the redaction. */
  handles(): Iterable<string>
}

/**
 * Over a read-only connection. `asOf`: what `since:2h` counts from, in milliseconds since the epoch. Throws `bad_filter`, and `not_found`
 * where the delivery whose trace is asked for is gone.
 */
export function openLogSource(db: Db, what: LogWhat, parts: LogWith, asOf: number): LogSource {
  const selection = openSelection(db, what, asOf)
  const origin = readOrigin(db)
  const none = { integrations: 0, endpoints: 0, tokens: 0, runs: 0 }
  const others = parts.authorization ? countAuthorization(db) : none
  let counted: number | null = null

  function* counting(): Generator<number, void, undefined> {
    if (counted !== null) return
    let found = 0
    if (selection.all !== null) found = selection.all
    else {
      for (const ids of selection.ids()) {
        found += ids.length
        yield found
      }
    }
    counted = found
  }

  return {
    scope: selection.all !== null && origin ? origin.head.scope : scopeOf(what),
    origin: selection.all === null ? null : origin,
    needsIndex: selection.needsIndex,
    redaction: origin?.head.redaction ?? null,
    behind: () => selection.behind(),
    counting,
    get counts() {
      // oxlint-disable-next-line no-empty -- what it yields is for those who wait
      for (const _ of counting()) {
      }
      return { deliveries: counted ?? 0, ...others }
    },
    *items(step) {
      if (parts.authorization) yield* readAuthorization(db)
      const read = createDeliveriesReader(db, parts)
      for (const ids of selection.ids()) {
        step?.()
        for (const delivery of read(ids)) yield { kind: 'delivery', delivery }
      }
    },
    handles: () => readHandles(db),
  }
}

function scopeOf({ filter, from, to, ids, traceOf }: LogWhat): LogHead['scope'] {
  return { filter, from, to, chosen: ids === null ? null : new Set(ids).size, traceOf }
}

/** What an imported log said of itself. */
function readOrigin(db: Db): LogSource['origin'] {
  const row = prepare<[], { head: string; end_line: string | null }>(
    db,
    'SELECT head, end_line FROM log_origin',
  ).get()
  const head = row && LogHead.safeParse(JSON.parse(row.head))
  if (!head?.success) return null
  const end = row?.end_line ? LogEnd.safeParse(JSON.parse(row.end_line)) : null
  return { head: head.data, end: end?.success ? end.data : null }
}
