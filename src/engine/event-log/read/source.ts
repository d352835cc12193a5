import type { LogHead } from '#contract/event-log.ts'
import type { LogWhat, LogWith } from '#contract/logs.ts'
import type { Db } from '../../store/driver.ts'
import type { LogItem } from '../items.ts'
import { notYet } from '../not-yet.ts'

/** What is read of a store, or of an imported log, for an export. */
export interface LogSource {
  readonly scope: LogHead['scope']
  readonly counts: LogHead['counts']
  /** In the order of a log. Each call begins anew. */
  items(): Generator<LogItem, void, undefined>
  /** Handles of guests in the whole store, for the redaction. */
  handles(): Iterable<string>
}

/** Over a read-only connection. `asOf`: what `since:2h` counts from, in milliseconds since the epoch. Throws `bad_filter`. */
export function openLogSource(_db: Db, _what: LogWhat, _with: LogWith, _asOf: number): LogSource {
  return notYet('Reading for an export')
}
