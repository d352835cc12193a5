import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import type { HealthOverview, HealthScope } from '#contract/health.ts'
import { indexAfterKey } from '#kit/focus.ts'
import { formatCount } from '#shared/text/format.ts'
import { listAllIntegrations } from '#client/state/authorization.ts'
import { closeDeliveryOf } from '#client/state/deliveries.ts'
import { filterAddress } from '#client/addresses/deliveries.ts'
import { Plot } from './plot.ts'
import {
  bucketFilter,
  bucketTime,
  chartSpecs,
  describeBucket,
  downKinds,
  downLabels,
  downTexts,
  formatValue,
  isEmpty,
  type ChartSpec,
} from './specs.ts'

interface Props {
  overview: HealthOverview
  scope: HealthScope
  asTables: boolean
}

/** One below the other, with one time axis and one cursor. */
export function Charts({ overview, scope, asTables }: Props) {
  const [cursor] = useState(createCursor)
  const filled = chartSpecs.filter((spec) => spec.empty === null || !isEmpty(spec, overview))
  const empty = chartSpecs.filter((spec) => !filled.includes(spec)).map((spec) => spec.empty)
  return (
    <div className="grid min-w-0 gap-5">
      <DownLegend overview={overview} />
      {filled.map((spec) => (
        <section className="framed grid gap-2 px-5 py-4" key={spec.title} aria-label={spec.title}>
          {asTables ? (
            <>
              <h2 className="text-m">{spec.title}</h2>
              <BucketTable spec={spec} overview={overview} scope={scope} />
            </>
          ) : (
            <ChartView spec={spec} overview={overview} scope={scope} cursor={cursor} />
          )}
        </section>
      ))}
      <p id={keysHint} className="visually-hidden">
        Arrow keys move over the times. Enter lists the deliveries.
      </p>
      <p className="text-s text-dim">
        {empty.map((sentence) => `${sentence}. `)}
        Counts stay when deliveries are deleted, so a list can have fewer.
      </p>
    </div>
  )
}

const keysHint = 'health-keys'

/** Of any integration, as the counts are. */
export function listDeliveries(): void {
  // The open delivery may not match the filter.
  closeDeliveryOf(null)
  listAllIntegrations(true)
}

/** The start of the bucket that all charts mark. Outside React: the mouse would render all charts at each move. */
interface Cursor {
  at: number | null
  readonly set: (at: number | null) => void
  readonly follow: (listener: () => void) => () => void
}

function createCursor(): Cursor {
  const listeners = new Set<() => void>()
  const cursor: Cursor = {
    at: null,
    set(at) {
      if (at === cursor.at) return
      cursor.at = at
      for (const listener of listeners) listener()
    },
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return cursor
}

interface ViewProps extends Omit<Props, 'asTables'> {
  spec: ChartSpec
  cursor: Cursor
}

function ChartView({ spec, overview, scope, cursor }: ViewProps) {
  const slider = useRef<HTMLDivElement>(null)
  const readout = useRef<HTMLParagraphElement>(null)
  const latest = useRef(overview)
  const plot = usePlot(slider, spec, latest)
  const last = overview.at.length - 1

  useLayoutEffect(() => {
    latest.current = overview
    plot.current?.update(overview)
    const show = (): void => {
      const index = cursor.at === null ? -1 : overview.at.indexOf(cursor.at)
      const text = describeBucket(spec, overview, index === -1 ? last : index)
      plot.current?.mark(index === -1 ? null : index)
      slider.current?.setAttribute('aria-valuenow', String(index === -1 ? last : index))
      slider.current?.setAttribute('aria-valuetext', text)
      if (readout.current) readout.current.textContent = index === -1 ? '' : text
    }
    show()
    return cursor.follow(show)
  }, [cursor, last, overview, plot, spec])

  function open(index: number): void {
    listDeliveries()
    location.assign(filterAddress(bucketFilter(spec, overview, index, scope), null))
  }

  function onKeyDown(event: KeyboardEvent): void {
    const index = cursor.at === null ? last : overview.at.indexOf(cursor.at)
    const next = indexAfterKey(event.key, cursor.at === null ? last + 1 : index, last + 1)
    if (next !== null) cursor.set(overview.at[next] ?? null)
    else if (event.key === 'Enter') open(index)
    else if (event.key === 'Escape' && cursor.at !== null) cursor.set(null)
    else return
    event.preventDefault()
  }

  return (
    <>
      <div className="baseline flex flex-wrap gap-1 gap-x-5">
        <h2 className="text-m">{spec.title}</h2>
        <SeriesLegend spec={spec} />
        <p ref={readout} className="cut ml-auto text-s text-mid" aria-hidden />
      </div>
      <div
        ref={slider}
        className="health-plot relative cursor-crosshair overflow-hidden rounded-sm"
        role="slider"
        tabIndex={0}
        aria-label={spec.title}
        aria-describedby={keysHint}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={last}
        onKeyDown={onKeyDown}
        onBlur={() => cursor.set(null)}
        onPointerMove={({ clientX }) => {
          const index = plot.current?.indexAt(clientX) ?? null
          cursor.set(index === null ? null : (overview.at[index] ?? null))
        }}
        onPointerLeave={() => cursor.set(null)}
        onClick={({ clientX }) => {
          const index = plot.current?.indexAt(clientX) ?? null
          if (index !== null) open(index)
        }}
      />
    </>
  )
}

function usePlot(
  parent: RefObject<HTMLDivElement | null>,
  spec: ChartSpec,
  latest: RefObject<HealthOverview>,
): RefObject<Plot | null> {
  const plot = useRef<Plot | null>(null)
  useLayoutEffect(() => {
    if (!parent.current) return undefined
    const drawn = new Plot(parent.current, spec, latest.current)
    plot.current = drawn
    return () => {
      plot.current = null
      drawn.close()
    }
  }, [latest, parent, spec])
  useEffect(() => {
    const redraw = (): void => plot.current?.redraw()
    const observer = new MutationObserver(redraw)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', redraw)
    return () => {
      observer.disconnect()
      dark.removeEventListener('change', redraw)
    }
  }, [])
  return plot
}

function SeriesLegend({ spec }: { spec: ChartSpec }) {
  if (spec.series.length === 1) return null
  return (
    <ul className="inline-flex gap-4 text-xs text-dim" aria-hidden>
      {spec.series.map(({ label, token, shape, dash }) => (
        <li key={label} className="inline-flex items-center gap-2">
          <svg width={14} height={8} style={{ color: `var(${token})` }}>
            {shape === 'bars' ? (
              <rect width={8} height={8} x={3} fill="currentcolor" />
            ) : (
              <line
                x2={14}
                y1={4}
                y2={4}
                stroke="currentcolor"
                strokeWidth={2}
                strokeDasharray={dash?.join(' ')}
              />
            )}
          </svg>
          {label}
        </li>
      ))}
    </ul>
  )
}

function DownLegend({ overview }: { overview: HealthOverview }) {
  const kinds = downKinds.filter((kind) => overview.down[kind].some((share) => share > 0))
  if (kinds.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-1 gap-x-5 text-s text-mid" aria-label="Interruptions">
      {kinds.map((kind) => (
        <li key={kind} className="inline-flex items-center gap-3">
          <span className="health-band" data-kind={kind} aria-hidden />
          {downLabels[kind].replace(/^t/, 'T')}
        </li>
      ))}
    </ul>
  )
}

const maxRows = 300

function BucketTable({ spec, overview, scope }: Omit<ViewProps, 'cursor'>) {
  const columns = spec.series.map((series) => ({ series, values: series.values(overview) }))
  const hasDown = downKinds.some((kind) => overview.down[kind].some((share) => share > 0))
  const filled = overview.at
    .map((_, index) => index)
    .filter(
      (index) =>
        columns.some(({ values }) => (values[index] ?? 0) > 0) ||
        downTexts(overview, index).length > 0,
    )
    .toReversed()
  return (
    <div className="health-table max-h-(--measure-menu) overflow-auto [&_.number]:text-right [&_.number]:[font-variant-numeric:tabular-nums]">
      <table className="table w-full" aria-label={spec.title}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {columns.map(({ series }) => (
              <th key={series.label} scope="col" className="number">
                {series.label}
              </th>
            ))}
            {hasDown && <th scope="col">Interruptions</th>}
          </tr>
        </thead>
        <tbody>
          {filled.slice(0, maxRows).map((index) => (
            <tr key={overview.at[index]}>
              <th scope="row">
                <a
                  href={filterAddress(bucketFilter(spec, overview, index, scope), null)}
                  onClick={() => listDeliveries()}
                >
                  {bucketTime(overview, index)}
                </a>
              </th>
              {columns.map(({ series, values }) => {
                const value = values[index] ?? null
                return (
                  <td key={series.label} className="number">
                    {value === null ? '–' : formatValue(series, value)}
                  </td>
                )
              })}
              {hasDown && <td>{downTexts(overview, index).join(', ')}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {filled.length > maxRows && (
        <p className="text-s text-dim">
          The newest {maxRows} of {formatCount(filled.length)} rows.
        </p>
      )}
    </div>
  )
}
