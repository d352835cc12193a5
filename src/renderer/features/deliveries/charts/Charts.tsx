import { ChevronDown, ChevronUp, ZoomOut } from '../../../ui/icons.tsx'
import { useMemo, useState } from 'react'
import type { Timeline } from '#contract/deliveries.ts'
import { topTerms, valuesOf, without, withTerm, withValues } from '#contract/filter/edit.ts'
import { Text, Row } from '../../../ui/Layout.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Segments } from '../../../ui/Segments.tsx'
import { useWidth } from '#renderer/platform/use-width.ts'
import { useKeys } from '../../../platform/command-registry.ts'
import { queryOf, setFilterText, useDeliveries } from '../../../state/deliveries.ts'
import { Chart } from './Chart.tsx'
import { atLeast, totalsOf } from './layout.ts'
import { moment, readout, chartBy, type ChartKind, toggleCharts, useCharts } from './readout.ts'
import { truncate } from '../../../ui/text/visible.ts'
import { Shown } from '../../../ui/Shown.tsx'
import { Swatch } from './Patterns.tsx'
import type { Filter } from '#contract/filter/ast.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { printFilter } from '#contract/filter/print.ts'
import { formatElapsed, formatCount, plural } from '#shared/text/format.ts'
import type { Client } from '#renderer/platform/client.ts'
import type { Scope } from '../../../state/scope.ts'
import { useCounts } from '../../../state/use-counts.ts'
import './Charts.css'

const kinds: readonly { readonly value: ChartKind; readonly label: string }[] = [
  { value: 'verdict', label: 'Verdict' },
  { value: 'type', label: 'Type' },
  { value: 'lag', label: 'Lag' },
  { value: 'size', label: 'Size' },
]
/** Approximate width of a bar in pixels. */
const barWidth = 8
/** Minimum and maximum number of bars. */
const bucketsLeast = 40
const bucketsMost = 160
const collapsedHeight = 32
const expandedHeight = 96

interface TimelineInput {
  readonly filter: string
  readonly by: ChartKind
  readonly buckets: number
}

async function askTimeline(
  client: Client,
  input: TimelineInput & { readonly log: Scope; readonly asOf: number },
): Promise<Timeline> {
  return client.call('deliveries.timeline', input)
}

/** Deliveries over time: a strip above the list that expands to a chart by verdict, type, lag or size. */
export function Charts() {
  const filter = useDeliveries((state) => state.filter)
  const { open, by } = useCharts()
  const { ref, width } = useWidth<HTMLDivElement>()
  // In steps, so that dragging the divider does not send a request for every pixel.
  const buckets =
    width === 0 ? 0 : Math.min(bucketsMost, Math.max(20, Math.floor(width / barWidth / 20) * 20))
  const shown = open ? by : 'verdict'
  const query = useDeliveries(queryOf)
  const counts = useCounts(
    buckets === 0 ? null : { filter: query, by: shown, buckets },
    askTimeline,
  )
  // Never draw the counts of one kind in the colors of another.
  const { result: counted, message } =
    counts.by === shown ? counts : { result: null, message: null }
  // With `since`, there may be deliveries before the range: do not pad it with empty buckets.
  const least = valuesOf(filter, 'since').length > 0 ? 0 : bucketsLeast
  const timeline = useMemo(() => counted && atLeast(counted, least), [counted, least])
  const [pointed, setPointed] = useState<number | null>(null)
  useKeys({ charts: toggleCharts })
  const count = timeline?.series[0]?.counts.length ?? 0
  const brush = (from: number, to: number): void => setFilterText(withRange(filter, from, to))

  return (
    <section className="charts" aria-label="Charts" data-open={open || undefined}>
      {open && (
        <Row align="center" gap={4} pad={[2, 0]}>
          <Segments label="Chart by" value={by} options={kinds} onChange={chartBy} />
          <Text as="p" grow shrink cut size="s" tone="dim" className="charts-readout">
            {message ??
              (timeline === null
                ? 'Counting…'
                : pointed !== null && pointed < count
                  ? readout(timeline, pointed)
                  : summary(timeline))}
          </Text>
          <Ranged filter={filter} />
        </Row>
      )}
      <Row align="end" gap={2} className="charts-row">
        <div
          className="charts-plot"
          ref={ref}
          style={{ height: open ? undefined : collapsedHeight }}
        >
          {timeline && width > 0 ? (
            <Chart
              timeline={timeline}
              by={shown}
              width={width}
              height={open ? expandedHeight : collapsedHeight}
              axis={open}
              onBrush={brush}
              onPoint={setPointed}
            />
          ) : (
            <div
              className="line-bottom-soft"
              style={{ height: open ? expandedHeight + 18 : collapsedHeight }}
            />
          )}
          {timeline && !timeline.complete && (
            <progress
              className="chart-progress"
              aria-label="Counting progress"
              max={1}
              value={timeline.searched}
            />
          )}
          {!open && timeline && pointed !== null && pointed < count && (
            <Text
              as="p"
              cut
              pad={[1, 4]}
              size="s"
              background="raised"
              round="m"
              className="charts-tip"
            >
              {readout(timeline, pointed)}
            </Text>
          )}
        </div>
        <IconButton
          label={open ? 'Hide charts (v)' : 'Show charts (v)'}
          aria-expanded={open}
          onClick={toggleCharts}
        >
          {open ? <ChevronUp aria-hidden /> : <ChevronDown aria-hidden />}
        </IconButton>
      </Row>
      {open && timeline && <Legend timeline={timeline} by={by} />}
    </section>
  )
}

/** Removes the time range from the filter. */
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
  return `${plural(total, 'delivery', 'deliveries')}, ${moment(from, bucketMs)} to ${moment(from + totals.length * bucketMs, bucketMs)}, ${formatElapsed(bucketMs, 1)} per bar${share}`
}

interface LegendProps {
  readonly timeline: Timeline
  readonly by: ChartKind
}

/** The legend with counts. Clicking an entry adds it to the filter or removes it. */
function Legend({ timeline, by }: LegendProps) {
  const filter = useDeliveries((state) => state.filter)
  return (
    <Row as="ul" wrap gap={1} className="chart-legend" aria-label="Legend">
      {timeline.series.map(({ key, label, term, counts }, index) => {
        const total = counts.reduce((sum, n) => sum + n, 0)
        const on = hasTerm(filter, term)
        if (total === 0 && !on) return null
        return (
          <li key={key}>
            <Button
              kind="quiet"
              small
              aria-pressed={on}
              title={on ? `Remove ${term} from the filter` : `Filter by ${term}`}
              onClick={() => setFilterText(toggledTerm(filter, term))}
            >
              <Swatch by={by} name={key} series={index} />
              <span className={by === 'type' ? 'mono' : undefined}>
                <Shown text={truncate(label, 40)} />
              </span>
              <b>{formatCount(total)}</b>
            </Button>
          </li>
        )
      })}
    </Row>
  )
}

/** Returns the filter with its time range replaced. Milliseconds since the epoch; `to` is exclusive. */
export function withRange(text: string, from: number, to: number): string {
  const since = withValues(text, 'since', [new Date(from).toISOString()])
  return withValues(since, 'before', [new Date(to).toISOString()])
}

/** Whether the filter contains every part of a series' term. */
export function hasTerm(text: string, term: string): boolean {
  const presentParts = partsOf(text).map(printFilter)
  const wantedParts = partsOf(term).map(printFilter)
  return wantedParts.length > 0 && wantedParts.every((part) => presentParts.includes(part))
}

/** Adds the term of a series to the filter, or removes it if present. */
export function toggledTerm(text: string, term: string): string {
  const wantedParts = partsOf(term).map(printFilter)
  if (!hasTerm(text, term)) return wantedParts.reduce(withTerm, text)
  let left = text
  for (const part of wantedParts) {
    const span = partsOf(left).find((candidate) => printFilter(candidate) === part)
    if (span) left = without(left, span)
  }
  return left
}

function partsOf(text: string): readonly Filter[] {
  const parsed = parseFilter(text)
  return parsed.ok ? topTerms(parsed.filter) : []
}
