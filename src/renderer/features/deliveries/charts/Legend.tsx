import type { Timeline } from '#contract/deliveries.ts'
import { count } from '#renderer/components/text/numbers.ts'
import { cut } from '#renderer/components/text/visible.ts'
import { Shown } from '#renderer/components/Shown.tsx'
import { setFilterText, useDeliveries } from '../store.ts'
import { Swatch } from './Patterns.tsx'
import type { ChartKind } from './store.ts'
import { hasTerm, toggledTerm } from './terms.ts'

interface Props {
  readonly timeline: Timeline
  readonly by: ChartKind
}

/** What the bars stand for and how many there are; a click filters by it, another takes that back. */
export function Legend({ timeline, by }: Props) {
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
