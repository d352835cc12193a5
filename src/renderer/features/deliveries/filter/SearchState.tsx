import { Play, Square } from 'lucide-react'
import { Button } from '#renderer/components/Button.tsx'
import { count } from '#renderer/components/text/numbers.ts'
import { useShell } from '../../shell/store.ts'
import { useDeliveries } from '../store.ts'

/** How many match, and how far has been searched; with the button that ends it. */
export function SearchState() {
  const found = useDeliveries((state) => (state.revision >= 0 ? state.rows.count : 0))
  const { complete, searched } = useDeliveries((state) => state.search)
  const stopped = useDeliveries((state) => state.stopped)
  const loading = useDeliveries((state) => state.phase === 'loading')
  const all = useShell((state) => state.stats.deliveries)
  if (loading) return <span className="filter-count dim">Searching</span>
  if (complete) {
    return (
      <span className="filter-count" role="status" aria-label="Deliveries that match">
        <b>{count(found)}</b> of {count(all)}
      </span>
    )
  }
  const share = Math.floor(searched * 100)
  return (
    <span className="filter-count">
      <span
        className="search-bar"
        role="progressbar"
        aria-label="Searched"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
      >
        <span style={{ width: `${share}%` }} />
      </span>
      <span>
        {stopped ? (
          <>
            at least <b>{count(found)}</b>, {share} % searched
          </>
        ) : (
          <>
            <b>{count(found)}</b> so far, {share} % searched
          </>
        )}
      </span>
      <Button
        kind="quiet"
        icon={stopped ? <Play aria-hidden /> : <Square aria-hidden />}
        onClick={() => useDeliveries.setState({ stopped: !stopped })}
      >
        {stopped ? 'Go on' : 'Stop'}
      </Button>
    </span>
  )
}
