import type { Timeline } from '#contract/deliveries.ts'
import { Shown } from '#renderer/components/Shown.tsx'
import { count } from '#renderer/components/text/numbers.ts'
import { shortDate } from '#renderer/components/text/time.ts'
import { cut } from '#renderer/components/text/visible.ts'
import { totalsOf, widthWord } from './layout.ts'
import { moment } from './readout.ts'

/** The chart as numbers: a row for each stretch of time that has any. */
export function ChartTable({ timeline }: { readonly timeline: Timeline }) {
  const totals = totalsOf(timeline)
  const shown = timeline.series.filter(({ counts }) => counts.some((n) => n > 0))
  const rows = totals
    .flatMap((total, bucket) => (total > 0 ? [{ total, bucket }] : []))
    .toReversed()
  return (
    <div
      className="chart-table"
      role="region"
      aria-label="Numbers of the chart"
      // It scrolls, so the keyboard must be able to reach it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-scrolls
    >
      <table aria-label={`Deliveries in each ${widthWord(timeline.bucketMs)}, newest first`}>
        <thead>
          <tr>
            <th scope="col">From</th>
            {shown.map(({ key, label }) => (
              <th scope="col" key={key}>
                <Shown text={cut(label, 40)} />
              </th>
            ))}
            <th scope="col">All</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ total, bucket }) => {
            const at = timeline.from + bucket * timeline.bucketMs
            return (
              <tr key={bucket}>
                <th scope="row" title={shortDate(at)}>
                  {moment(at, timeline.bucketMs)}
                </th>
                {shown.map(({ key, counts }) => (
                  <td key={key}>{count(counts[bucket] ?? 0)}</td>
                ))}
                <td>{count(total)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
