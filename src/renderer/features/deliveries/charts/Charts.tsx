import { ChartColumn, ChevronDown, ChevronUp, Table2, ZoomOut } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Timeline } from '#contract/deliveries.ts'
import { topTerms, valuesOf, without, withTerm, withValues } from '#contract/filter/edit.ts'
import { Button, IconButton } from '#renderer/components/Button.tsx'
import { Segments } from '#renderer/components/Segments.tsx'
import { count, counted as words } from '#renderer/components/text/numbers.ts'
import { useWidth } from '#renderer/platform/use-width.ts'
import { useKeys } from '../../shell/command-registry.ts'
import { queryOf, setFilterText, useDeliveries } from '../store.ts'
import { Chart } from './Chart.tsx'
import { atLeast, totalsOf, widthWord } from './layout.ts'
import { moment, readout } from './readout.ts'
import { chartBy, type ChartKind, toggleCharts, useCharts } from './store.ts'
import { useTimeline } from './use-timeline.ts'
import './Charts.css'
import { cut } from '#renderer/components/text/visible.ts'
import { Shown } from '#renderer/components/Shown.tsx'
import { Swatch } from './Patterns.tsx'
import { shortDate } from '#renderer/components/text/time.ts'
import type { Filter } from '#contract/filter/ast.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { printFilter } from '#contract/filter/print.ts'

const kinds: readonly { readonly value: ChartKind; readonly label: string }[] = [
  { value: 'verdict', label: 'Verdict' },
  { value: 'type', label: 'Type' },
  { value: 'lag', label: 'Lag' },
  { value: 'size', label: 'Size' },
]
/** Pixels of a bar, about. */
const barWidth = 8
/** Bars that are drawn at least, and bars that are there at most. */
const bucketsLeast = 40
const bucketsMost = 160
const folded = 32
const unfolded = 96

/** What the list holds over time: a strip above it, which opens to a chart by verdict, type, lag or size. */
export function Charts() {
  const filter = useDeliveries((state) => state.filter)
  const { open, by, asTable } = useCharts()
  const { ref, width } = useWidth<HTMLDivElement>()
  // In steps, so that a divider that is moved does not ask at every pixel.
  const buckets =
    width === 0 ? 0 : Math.min(bucketsMost, Math.max(20, Math.floor(width / barWidth / 20) * 20))
  const shown = open ? by : 'verdict'
  const query = useDeliveries(queryOf)
  const { timeline: counted, message } = useTimeline({ filter: query, by: shown, buckets })
  // Before a time that was asked for there may well be something.
  const least = valuesOf(filter, 'since').length > 0 ? 0 : bucketsLeast
  const timeline = useMemo(() => counted && atLeast(counted, least), [counted, least])
  const [pointed, setPointed] = useState<number | null>(null)
  useKeys({ charts: toggleCharts })
  const count = timeline?.series[0]?.counts.length ?? 0
  const brush = (from: number, to: number): void => setFilterText(withRange(filter, from, to))

  return (
    <section className="charts" aria-label="Charts" data-open={open || undefined}>
      {open && (
        <div className="charts-tools">
          <Segments label="Chart by" value={by} options={kinds} onChange={chartBy} />
          <p className="charts-readout dim">
            {message ??
              (timeline === null
                ? 'Counting'
                : pointed !== null && pointed < count
                  ? readout(timeline, pointed)
                  : summary(timeline))}
          </p>
          <Ranged filter={filter} />
          <IconButton
            label={asTable ? 'Show the chart' : 'Show the numbers as a table'}
            aria-pressed={asTable}
            onClick={() => useCharts.setState({ asTable: !asTable })}
          >
            {asTable ? <ChartColumn aria-hidden /> : <Table2 aria-hidden />}
          </IconButton>
        </div>
      )}
      <div className="charts-row">
        <div className="charts-plot" ref={ref} style={{ height: open ? undefined : folded }}>
          {timeline && open && asTable ? (
            <ChartTable timeline={timeline} />
          ) : timeline && width > 0 ? (
            <Chart
              timeline={timeline}
              by={shown}
              width={width}
              height={open ? unfolded : folded}
              axis={open}
              onBrush={brush}
              onPoint={setPointed}
            />
          ) : (
            <div className="chart-coming" style={{ height: open ? unfolded + 18 : folded }} />
          )}
          {timeline && !timeline.complete && (
            <progress
              className="chart-progress"
              aria-label="Counted so far"
              max={1}
              value={timeline.searched}
            />
          )}
          {!open && timeline && pointed !== null && pointed < count && (
            <p className="charts-tip">{readout(timeline, pointed)}</p>
          )}
        </div>
        <IconButton
          label={open ? 'Fold the charts (v)' : 'Charts (v)'}
          aria-expanded={open}
          onClick={toggleCharts}
        >
          {open ? <ChevronUp aria-hidden /> : <ChevronDown aria-hidden />}
        </IconButton>
      </div>
      {open && timeline && <Legend timeline={timeline} by={by} />}
    </section>
  )
}

/** Takes a stretch of time out of the filter again. */
function Ranged({ filter }: { readonly filter: string }) {
  if (valuesOf(filter, 'since').length === 0 && valuesOf(filter, 'before').length === 0) return null
  return (
    <Button
      kind="quiet"
      icon={<ZoomOut aria-hidden />}
      onClick={() => setFilterText(withValues(withValues(filter, 'since', []), 'before', []))}
    >
      All times
    </Button>
  )
}

function summary(timeline: Timeline): string {
  const totals = totalsOf(timeline)
  const total = totals.reduce((sum, n) => sum + n, 0)
  if (total === 0) return 'No deliveries'
  const { from, bucketMs, complete, searched } = timeline
  const share = complete ? '' : `, ${Math.floor(searched * 100)} % counted`
  return `${words(total, 'delivery', 'deliveries')}, ${moment(from, bucketMs)} to ${moment(from + totals.length * bucketMs, bucketMs)}, ${widthWord(bucketMs)} a bar${share}`
}

interface LegendProps {
  readonly timeline: Timeline
  readonly by: ChartKind
}

/** What the bars stand for and how many there are; a click filters by it, another takes that back. */
function Legend({ timeline, by }: LegendProps) {
  const filter = useDeliveries((state) => state.filter)
  return (
    <ul className="chart-legend" aria-label="What the bars stand for">
      {timeline.series.map(({ key, label, term, counts }, index) => {
        const total = counts.reduce((sum, n) => sum + n, 0)
        const on = hasTerm(filter, term)
        if (total === 0 && !on) return null
        return (
          <li key={key}>
            <button
              type="button"
              aria-pressed={on}
              title={on ? `Take ${term} out of the filter` : `Filter by ${term}`}
              onClick={() => setFilterText(toggledTerm(filter, term))}
            >
              <Swatch by={by} name={key} series={index} />
              <span className={by === 'type' ? 'mono' : undefined}>
                <Shown text={cut(label, 40)} />
              </span>
              <b>{count(total)}</b>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** The chart as numbers: a row for each stretch of time that has any. */
function ChartTable({ timeline }: { readonly timeline: Timeline }) {
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

/** The filter with a stretch of time in it, in place of one that was there. Milliseconds since the epoch; `to` is outside. */
export function withRange(text: string, from: number, to: number): string {
  const since = withValues(text, 'since', [new Date(from).toISOString()])
  return withValues(since, 'before', [new Date(to).toISOString()])
}

/** Whether every part of a series' term stands in the filter. */
export function hasTerm(text: string, term: string): boolean {
  const there = partsOf(text).map(printFilter)
  const wanted = partsOf(term).map(printFilter)
  return wanted.length > 0 && wanted.every((part) => there.includes(part))
}

/** The filter with the term of a series, or without it when it was there. */
export function toggledTerm(text: string, term: string): string {
  const wanted = partsOf(term).map(printFilter)
  if (!hasTerm(text, term)) return wanted.reduce(withTerm, text)
  let left = text
  for (const part of wanted) {
    const span = partsOf(left).find((candidate) => printFilter(candidate) === part)
    if (span) left = without(left, span)
  }
  return left
}

function partsOf(text: string): readonly Filter[] {
  const parsed = parseFilter(text)
  return parsed.ok ? topTerms(parsed.filter) : []
}
