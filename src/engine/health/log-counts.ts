import type { LogCounts } from '#contract/event-log.ts'
import type { Db } from '../platform/sqlite.ts'
import { span, type Span } from './local-time.ts'
import { seriesOf, timeOf } from './log-overview.ts'
import { readMetrics, readRollups, readSeries, RollupRows } from './rollup-rows.ts'
import { addTo } from './rollup.ts'

const spans: readonly Span[] = [span.day, span.hour, span.minute]
const names = ['minute', 'hour', 'day'] as const
/** A hostile file may have any number. */
const maxRows = 1_000_000
const maxNames = 2000
const writtenRows = 1000

/** Days first, then by time and what they are about, so that a copy of an event log has the same bytes. */
export function readLogCounts(db: Db): LogCounts[] {
  const series = readSeries(db)
  const metrics = readMetrics(db)
  return spans.flatMap((of) =>
    [...readRollups(db, of, 0, Number.MAX_SAFE_INTEGER)]
      .flatMap(({ seriesId, at, received, counts }): LogCounts[] => {
        const about = series.get(seriesId)
        if (seriesId !== 0 && !about) return []
        const named = [...counts].flatMap(([id, count]) => {
          const name = metrics.get(id)
          return name === undefined ? [] : [[name, count] as const]
        })
        return [
          {
            kind: 'counts',
            span: names[of],
            at: at * 60_000,
            about: about
              ? {
                  endpointId: about.endpointId === 0 ? null : about.endpointId,
                  location: about.location,
                  type: about.type,
                }
              : null,
            received,
            counts: Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1))),
          },
        ]
      })
      .map((row) => ({ row, key: JSON.stringify(row.about) }))
      .toSorted((a, b) => a.row.at - b.row.at || (a.key < b.key ? -1 : 1))
      .map(({ row }) => row),
  )
}

export interface PutCounts {
  /** Returns why a line was skipped, as the end of a sentence, or null. */
  readonly put: (line: LogCounts) => string | null
  readonly finish: () => void
}

export function createPutCounts(db: Db): PutCounts {
  const rows = new RollupRows(db)
  const names = new Set<string>()
  let count = 0
  const finish = (): void => {
    rows.write()
    rows.keep()
  }
  return {
    put: (line) => {
      if (count >= maxRows) return 'there are too many counts before it'
      for (const name of Object.keys(line.counts)) names.add(name)
      if (names.size > maxNames) return 'there are too many different counts before it'
      count += 1
      const seriesId = line.about === null ? 0 : rows.seriesId(seriesOf(line.about))
      const row = rows.at({ ...timeOf(line), seriesId })
      row.received += line.received
      for (const [name, each] of Object.entries(line.counts)) {
        addTo(row.counts, rows.metric(name), each)
      }
      if (count % writtenRows === 0) finish()
      return null
    },
    finish,
  }
}
