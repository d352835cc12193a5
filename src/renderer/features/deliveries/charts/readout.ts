import { formatCount, plural } from '#shared/text/format.ts'
import { timelineKinds } from '#contract/constants.ts'
import type { Timeline } from '#contract/deliveries.ts'
import { clockMinutes, clockTimeSeconds, shortDate } from '../../../ui/text/time.ts'
import { truncate, escapeControls } from '../../../ui/text/visible.ts'
import { totalsOf } from './layout.ts'
import { create } from 'zustand'
import { saveText, loadText } from '#renderer/platform/storage.ts'

const namedMost = 4

/** Describes one bucket in a line: `21:07 to 21:08: 34 deliveries; Valid 30, Invalid 4`. */
export function readout(timeline: Timeline, bucket: number): string {
  const total = totalsOf(timeline)[bucket]
  if (total === undefined) return 'No deliveries'
  const begin = timeline.from + bucket * timeline.bucketMs
  const when = `${moment(begin, timeline.bucketMs)} to ${moment(begin + timeline.bucketMs, timeline.bucketMs)}`
  const named = timeline.series
    .map(({ label, counts }) => ({ label, n: counts[bucket] ?? 0 }))
    .filter(({ n }) => n > 0)
    .toSorted((a, b) => b.n - a.n)
  const words = named
    .slice(0, namedMost)
    .map(({ label, n }) => `${escapeControls(truncate(label, 40))} ${formatCount(n)}`)
  const more = named.length > namedMost ? [`${named.length - namedMost} more`] : []
  const list = [...words, ...more].join(', ')
  return `${when}: ${plural(total, 'delivery', 'deliveries')}${list === '' ? '' : `; ${list}`}`
}

/** Formats a time with the precision that buckets of this width need. */
export function moment(at: number, bucketMs: number): string {
  if (bucketMs < 60_000) return clockTimeSeconds(at)
  return bucketMs < 3_600_000 ? clockMinutes(at) : shortDate(at)
}

export type ChartKind = (typeof timelineKinds)[number]

interface ChartsState {
  /** The panel is expanded; otherwise only the strip is shown. */
  readonly open: boolean
  readonly by: ChartKind
}

const openKey = 'tabscope.charts.open'
const byKey = 'tabscope.charts.by'

export const useCharts = create<ChartsState>(() => ({
  open: loadText(openKey) === 'yes',
  by: timelineKinds.find((kind) => kind === loadText(byKey)) ?? 'verdict',
}))

export function toggleCharts(): void {
  useCharts.setState(({ open }) => ({ open: !open }))
  saveText(openKey, useCharts.getState().open ? 'yes' : 'no')
}

export function chartBy(by: ChartKind): void {
  useCharts.setState({ by })
  saveText(byKey, by)
}
