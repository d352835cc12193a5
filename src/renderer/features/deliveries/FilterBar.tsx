import { Pause, Play, X } from 'lucide-react'
import { useRef } from 'react'
import { Button, IconButton } from '../../components/Button.tsx'
import { VerdictIcon, verdictWord } from '../../components/Mark.tsx'
import { count } from '../../components/text/numbers.ts'
import { cut, visible } from '../../components/text/visible.ts'
import { useKeys } from '../shell/keys.ts'
import { useShell } from '../shell/store.ts'
import { isFiltering, noFilter, toggled, verdictOrder } from './filter.ts'
import { setFilter, togglePause, useDeliveries } from './store.ts'
import { TypeFilter } from './TypeFilter.tsx'
import './FilterBar.css'

/** Which types and verdicts the list shows, and whether it takes in what arrives. */
export function FilterBar() {
  const filter = useDeliveries((state) => state.filter)
  const bar = useRef<HTMLDivElement>(null)
  useKeys({ filter: () => bar.current?.querySelector('button')?.focus() })

  return (
    <div className="filter-bar">
      <div className="filter-box" ref={bar} role="group" aria-label="Filter">
        <TypeFilter chosen={filter.types} onChange={(types) => setFilter({ ...filter, types })} />
        {filter.types.map((type) => (
          <span className="chip-chosen mono" key={type ?? ''}>
            {type === null ? 'no type' : visible(cut(type, 30))}
            <button
              type="button"
              aria-label={`Remove ${type === null ? 'no type' : visible(cut(type, 30))}`}
              onClick={() => setFilter({ ...filter, types: toggled(filter.types, type) })}
            >
              <X aria-hidden />
            </button>
          </span>
        ))}
        <span className="filter-gap" />
        {verdictOrder.map((verdict) => (
          <button
            key={verdict}
            type="button"
            className="chip-verdict"
            data-tone={verdict}
            aria-pressed={filter.verdicts.includes(verdict)}
            onClick={() => setFilter({ ...filter, verdicts: toggled(filter.verdicts, verdict) })}
          >
            <VerdictIcon verdict={verdict} />
            <span>{verdictWord(verdict)}</span>
          </button>
        ))}
      </div>
      <Matching />
      <PauseButton />
    </div>
  )
}

function Matching() {
  const filtering = useDeliveries((state) => isFiltering(state.filter))
  const shown = useDeliveries((state) => (state.revision >= 0 ? state.rows.count : 0))
  const all = useShell((state) => state.stats.deliveries)
  if (!filtering) return null
  return (
    <span className="filter-count" role="status" aria-label="Deliveries that match">
      <b>{count(shown)}</b> of {count(all)}
      <IconButton label="Clear filters" onClick={() => setFilter(noFilter)}>
        <X aria-hidden />
      </IconButton>
    </span>
  )
}

function PauseButton() {
  const paused = useDeliveries((state) => state.paused)
  const waiting = useDeliveries((state) => state.waiting)
  return (
    <Button
      className="pause"
      aria-pressed={paused}
      hint="p"
      icon={paused ? <Play aria-hidden /> : <Pause aria-hidden />}
      onClick={togglePause}
      title={paused ? 'Take in what arrived meanwhile' : 'Hold the list still; deliveries are kept'}
    >
      {paused ? (waiting > 0 ? `Paused, ${count(waiting)} waiting` : 'Paused') : 'Pause'}
    </Button>
  )
}
