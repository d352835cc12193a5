import type { FieldChoice } from '#contract/masking.ts'
import { readJson } from '../../payload/parse-body.ts'
import { payloadBytes } from '../../deliveries/health/payload-fields.ts'
import { Aliases, startsWithAlias } from '../../payload/masking/aliases.ts'
import { maskBody } from '../../payload/masking/body.ts'
import { Values } from '../../payload/masking/values.ts'
import { type Db, prepare } from '../../platform/sqlite.ts'
import { readFilter } from '../../search/read-filter.ts'
import { Pace } from '../../search/scan.ts'
import { observe, type Observed } from './observed.ts'

const budgetMs = 50

export interface ObserveQuery {
  readonly filter: string
  /** Milliseconds since the epoch, for times relative to now. */
  readonly asOf: number
  /** Only deliveries before this one; null: from the newest. */
  readonly before: number | null
  readonly limit: number
  /** What the user masks in exports. */
  readonly choices: readonly FieldChoice[]
}

export interface ObservedPart {
  readonly observed: Observed
  /** Payloads in `observed`. */
  readonly payloads: number
  /** Where the next query continues; null: everything was read. */
  readonly before: number | null
}

interface Row {
  readonly id: number
  readonly headers: string
  readonly body: Uint8Array | null
}

/**
 * The payloads, masked as in an export, of complete deliveries that match the filter, newest first, for at most 50 ms. Without those that Tabscope sent: they may be edited. Throws
 * `bad_filter`.
 */
export function readObserved(db: Db, query: ObserveQuery): ObservedPart {
  const { limit, choices, asOf } = query
  const aliases = new Aliases({ reversible: true })
  const values = new Values({ choices, aliases })
  const originalKey = (key: string): string | null => {
    const original = startsWithAlias(key) ? aliases.originalOf(key) : key
    return original === null || startsWithAlias(original) ? null : original
  }
  const filter = readFilter(db, query.filter, asOf)
  const range = prepare<[], { least: number; last: number }>(
    db,
    'SELECT coalesce(min(id), 1) AS least, coalesce(max(id), 0) AS last FROM delivery',
  ).get()
  const select = prepare<[Record<string, unknown>], Row>(
    db,
    `SELECT id, headers, body FROM delivery_content WHERE id IN
       (${filter.select('d.id')} AND d.arrival = 'complete' AND d.sent_by IS NULL)
     ORDER BY id DESC LIMIT @limit`,
  )
  const observed: Observed = {}
  let payloads = 0
  let next = query.before ?? (range?.last ?? 0) + 1
  const pace = new Pace(true)
  const deadline = performance.now() + budgetMs
  while (next > (range?.least ?? 1) && payloads < limit && performance.now() < deadline) {
    const hi = next - 1
    const lo = Math.max(range?.least ?? 1, next - pace.span)
    const rows = pace.measure(hi - lo + 1, () =>
      select.all({ ...filter.values, lo, hi, limit: limit - payloads }),
    )
    for (const row of rows) {
      const bytes = payloadBytes(row)
      values.people.clear()
      const masked = bytes && maskBody(values, bytes, { headers: [], type: null }).bytes
      if (masked && observe(observed, readJson(masked), originalKey)) payloads += 1
    }
    next = lo
  }
  return {
    observed,
    payloads,
    before: next > (range?.least ?? 1) && payloads < limit ? next : null,
  }
}
