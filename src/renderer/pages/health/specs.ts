import type { HealthOverview, HealthScope } from '#contract/health.ts'
import { printExact } from '#contract/filter/print.ts'
import { formatCount, formatDuration } from '#shared/text/format.ts'
import { clockMinutes, dayDate, shortDate } from '#kit/text/time.ts'

export type Values = readonly (number | null)[]

export interface Series {
  readonly label: string
  /** A colour of the theme. */
  readonly token: string
  readonly shape: 'bars' | 'line'
  readonly scale: 'count' | 'share' | 'duration'
  /** Of a line, in pixels. */
  readonly dash?: readonly number[]
  readonly values: (overview: HealthOverview) => Values
}

export interface ChartSpec {
  readonly title: string
  readonly series: readonly Series[]
  /** Each bar begins where the next series ends. */
  readonly stacked: boolean
  /** Instead of a chart without values. Null: the chart is always shown. */
  readonly empty: string | null
  /** The filter for the deliveries of a bucket, apart from their time. */
  readonly term: (overview: HealthOverview, index: number) => string
}

function percentiles(pick: (overview: HealthOverview) => HealthOverview['delay']): Series[] {
  const shared = { shape: 'line', scale: 'duration' } as const
  return [
    { ...shared, label: 'median', token: '--chart-1', values: (of) => pick(of).p50 },
    { ...shared, label: '90 %', token: '--chart-4', dash: [6, 3], values: (of) => pick(of).p90 },
  ]
}

export const chartSpecs: readonly ChartSpec[] = [
  {
    title: 'Deliveries',
    stacked: false,
    empty: null,
    term: () => '',
    series: [
      {
        label: 'received',
        token: '--chart-quiet',
        shape: 'bars',
        scale: 'count',
        values: ({ received }) => received,
      },
      {
        label: 'usual',
        token: '--chart-1',
        shape: 'line',
        scale: 'count',
        values: ({ usual }) => usual,
      },
    ],
  },
  {
    title: 'Invalid or missing signatures',
    stacked: false,
    empty: 'No invalid or missing signatures',
    term: () => 'verdict:invalid,missing',
    series: [
      {
        label: 'failed',
        token: '--invalid',
        shape: 'bars',
        scale: 'count',
        values: ({ failed }) => failed,
      },
      {
        label: 'share',
        token: '--chart-4',
        shape: 'line',
        scale: 'share',
        values: ({ failed, received }) =>
          received.map((all, index) => (failed[index] ? failed[index] / all : null)),
      },
    ],
  },
  {
    title: 'Delay from createdAt to arrival',
    stacked: false,
    empty: 'No deliveries with a createdAt',
    term: () => '-created:none',
    series: percentiles(({ delay }) => delay),
  },
  {
    title: 'Responses of your handler',
    stacked: true,
    empty: 'Nothing was sent to a handler',
    term: ({ handler }, index) =>
      (handler.rejected[index] ?? 0) + (handler.noResponse[index] ?? 0) > 0
        ? 'handler:failed'
        : 'handler:ok',
    series: [
      {
        label: 'no response',
        token: '--invalid',
        shape: 'bars',
        scale: 'count',
        values: ({ handler }) => handler.noResponse,
      },
      {
        label: 'rejected',
        token: '--chart-2',
        shape: 'bars',
        scale: 'count',
        values: ({ handler }) => handler.rejected,
      },
      {
        label: 'ok',
        token: '--chart-3',
        shape: 'bars',
        scale: 'count',
        values: ({ handler }) => handler.ok,
      },
    ],
  },
  {
    title: 'Response time of your handler',
    stacked: false,
    empty: 'No response of a handler',
    term: () => '-handler:none',
    series: percentiles(({ response }) => response),
  },
]

export function isEmpty(spec: ChartSpec, overview: HealthOverview): boolean {
  return spec.series.every(({ values, scale }) =>
    values(overview).every((value) => value === null || (value === 0 && scale !== 'duration')),
  )
}

export function formatValue({ scale }: Pick<Series, 'scale'>, value: number): string {
  switch (scale) {
    case 'count':
      return formatCount(Math.round(value))
    case 'share':
      return formatShare(value)
    case 'duration':
      return formatDuration(value)
  }
}

/** `4 %`, `0.3 %` */
export function formatShare(share: number): string {
  const percent = share * 100
  return `${percent > 0 && percent < 1 ? percent.toFixed(1) : Math.round(percent)} %`
}

export function bucketTime({ at, bucketMinutes, to, from }: HealthOverview, index: number): string {
  const start = at[index] ?? from
  if (bucketMinutes >= 1440) return dayDate(start)
  return to - from > 86_400_000 ? shortDate(start) : clockMinutes(start)
}

export const downKinds = ['tabscope', 'tunnel', 'relay'] as const
export type DownKind = (typeof downKinds)[number]
export const downLabels = {
  tabscope: 'Tabscope was not running',
  tunnel: 'the tunnel was down',
  relay: 'the relay was down',
} as const satisfies Record<DownKind, string>

/** "the tunnel was down for 40 % of it", for each. */
export function downTexts({ down }: HealthOverview, index: number): string[] {
  return downKinds.flatMap((kind) => {
    const share = down[kind][index] ?? 0
    if (share < 0.005) return []
    return [share > 0.95 ? downLabels[kind] : `${downLabels[kind]} for ${formatShare(share)} of it`]
  })
}

/** "21:05: 38 received, 35 usual". */
export function describeBucket(spec: ChartSpec, overview: HealthOverview, index: number): string {
  const values = spec.series.flatMap((series) => {
    const value = series.values(overview)[index] ?? null
    if (value === null) return []
    const text = formatValue(series, value)
    return [series.scale === 'count' ? `${text} ${series.label}` : `${series.label} ${text}`]
  })
  const texts = [...values, ...downTexts(overview, index)]
  return `${bucketTime(overview, index)}: ${texts.length === 0 ? 'no values' : texts.join(', ')}`
}

/** The terms for a scope. What is beyond the maximum number of combinations has no filter. */
export function scopeTerms({ endpointId, location, type }: HealthScope): string[] {
  return [
    ...(endpointId === undefined ? [] : [`endpoint:${endpointId ?? 'none'}`]),
    ...(location === undefined || location === '*' ? [] : [`location:${named(location)}`]),
    ...(type === undefined || type === '*' ? [] : [`type:${named(type)}`]),
  ]
}

function named(text: string): string {
  return text === '' ? 'none' : printExact(text)
}

export function rangeFilter(
  { from, to }: { readonly from: number; readonly to: number },
  scope: HealthScope,
  term: string,
): string {
  const times = [`since:${new Date(from).toISOString()}`, `before:${new Date(to).toISOString()}`]
  return [...times, ...scopeTerms(scope), ...(term === '' ? [] : [term])].join(' ')
}

/** Lists the deliveries of a bucket. */
export function bucketFilter(
  spec: ChartSpec,
  overview: HealthOverview,
  index: number,
  scope: HealthScope,
): string {
  const from = overview.at[index] ?? overview.from
  const to = overview.at[index + 1] ?? overview.to
  return rangeFilter({ from, to }, scope, spec.term(overview, index))
}
