import { CircleAlert, SearchX } from 'lucide-react'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/Empty.tsx'
import { SplitPane } from '../../components/SplitPane.tsx'
import { useKeys } from '../shell/keys.ts'
import { useShell } from '../shell/store.ts'
import { DeliveryList } from './DeliveryList.tsx'
import { DetailPane } from './detail/DetailPane.tsx'
import { isFiltering, noFilter } from './filter.ts'
import { FilterBar } from './FilterBar.tsx'
import { FirstRun } from './FirstRun.tsx'
import { closeDelivery, setFilter, useDeliveries } from './store.ts'
import './DeliveriesPage.css'

/** The list, and beside it the delivery that is open. */
export function DeliveriesPage() {
  const open = useDeliveries((state) => state.open)
  const selectedId = useDeliveries((state) => state.selectedId)
  const shown = open && selectedId !== null
  useKeys({ close: closeDelivery })
  return (
    <>
      <h1 className="visually-hidden">Deliveries</h1>
      <SplitPane
        name="deliveries"
        label="Width of the list"
        left={
          <section className="deliveries" aria-label="List of deliveries">
            <ListOrState />
          </section>
        }
        right={shown ? <DetailPane key={selectedId} id={selectedId} /> : null}
      />
    </>
  )
}

function ListOrState() {
  const phase = useDeliveries((state) => state.phase)
  const message = useDeliveries((state) => state.message)
  const empty = useDeliveries((state) => state.revision >= 0 && state.rows.count === 0)
  const filtering = useDeliveries((state) => isFiltering(state.filter))
  const kept = useShell((state) => state.stats.deliveries)

  if (phase === 'failed') {
    return (
      <Empty
        icon={<CircleAlert aria-hidden />}
        title="The deliveries could not be read"
        actions={
          <Button onClick={() => setFilter({ ...useDeliveries.getState().filter })}>
            Try again
          </Button>
        }
      >
        {message}
      </Empty>
    )
  }
  if (phase === 'ready' && empty && !filtering && kept === 0) return <FirstRun />
  return (
    <>
      <FilterBar />
      {phase === 'ready' && empty && filtering ? (
        <Empty
          icon={<SearchX aria-hidden />}
          title="Nothing matches"
          actions={<Button onClick={() => setFilter(noFilter)}>Clear filters</Button>}
        >
          No delivery that is kept has these types and verdicts. New ones that do will appear here.
        </Empty>
      ) : phase === 'loading' && empty ? (
        <Coming />
      ) : (
        <DeliveryList />
      )}
    </>
  )
}

const comingRows = Array.from({ length: 12 }, (_, index) => index)

/** The shape of what is about to come. */
function Coming() {
  return (
    <div className="list-coming" role="status" aria-label="Loading deliveries">
      {comingRows.map((index) => (
        <div key={index} className="row-coming" />
      ))}
    </div>
  )
}
