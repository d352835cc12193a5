import { CircleAlert, ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/Empty.tsx'
import { focusAfter } from '../../components/focus-after.ts'
import { SplitPane } from '../../components/SplitPane.tsx'
import { useClient } from '../../platform/use-client.ts'
import { editAndSend, resendSelected } from '../attempts/resend.ts'
import { ResendDialog } from '../attempts/ResendDialog.tsx'
import { askWhereTo } from '../attempts/store.ts'
import { useKeys } from '../shell/command-registry.ts'
import { CompareBar } from '../diff/CompareBar.tsx'
import { compare } from '../diff/store.ts'
import { JobDialog } from '../jobs/JobDialog.tsx'
import { useCan, useShell } from '../shell/store.ts'
import { Charts } from './charts/Charts.tsx'
import { DeliveryList } from './DeliveryList.tsx'
import { DetailPane } from './detail/DetailPane.tsx'
import { FilterBar } from './FilterBar.tsx'
import { NoMatch } from './filter/NoMatch.tsx'
import { useSearchHits } from './filter/search-hits.ts'
import { SelectionBar } from './selection/SelectionBar.tsx'
import { useEditable } from './scope/scope.ts'
import { SeveralDialogs } from './selection/SeveralDialogs.tsx'
import { askAbout, severalOr } from './selection/several.ts'
import { chooseNone } from './selection/store.ts'
import { closeDelivery, queryOf, setFilterText, useDeliveries } from './store.ts'
import './DeliveriesPage.css'

interface Props {
  /** In the list's place before the first delivery; a log has none, and what brings one is not there in an exported page. */
  readonly fresh?: ReactNode
}

/** Closes the delivery; the focus goes to the list, since what had it may be gone. */
function closeToList(): void {
  focusAfter(closeDelivery, () => document.querySelector<HTMLElement>('[data-delivery-list]'))
}

/** The list, and beside it the delivery that is open. */
export function DeliveriesPage({ fresh }: Props) {
  const client = useClient()
  const editable = useEditable()
  const editing = useCan('editing')
  const open = useDeliveries((state) => state.open)
  const selectedId = useDeliveries((state) => state.selectedId)
  const shown = open && selectedId !== null
  useSearchHits()
  useKeys({
    close: shown ? closeToList : chooseNone,
    compare,
    ...(editable &&
      selectedId !== null && {
        resend: () => void resendSelected(client),
        'resend-to': () => askWhereTo(selectedId),
      }),
    ...(editable && {
      // The tags of an open delivery are edited where they stand.
      tag: () => askAbout('tag', severalOr(selectedId)),
      delete: () => askAbout('delete', severalOr(selectedId)),
    }),
    ...(editing && { 'edit-and-send': () => editAndSend(selectedId) }),
  })
  return (
    <>
      <h1 className="visually-hidden">Deliveries</h1>
      <SplitPane
        name="deliveries"
        label="Width of the list"
        onCovered={closeDelivery}
        left={
          <section className="deliveries" aria-label="List of deliveries">
            <ListOrState fresh={fresh} />
            <div className="list-bars">
              <CompareBar />
              <SelectionBar />
            </div>
          </section>
        }
        right={shown ? <DetailPane key={selectedId} id={selectedId} /> : null}
      />
      {editable && (
        <>
          <ResendDialog />
          <JobDialog />
          <SeveralDialogs />
        </>
      )}
    </>
  )
}

function ListOrState({ fresh }: Props) {
  const phase = useDeliveries((state) => state.phase)
  const message = useDeliveries((state) => state.message)
  const empty = useDeliveries((state) => state.revision >= 0 && state.rows.count === 0)
  const filtering = useDeliveries((state) => queryOf(state) !== '')
  const unread = useDeliveries((state) => state.unread)
  const kept = useShell((state) => state.stats.deliveries)
  const editable = useEditable()

  if (phase === 'ready' && empty && !filtering && !unread) {
    if (!editable) return <EmptyLog />
    if (kept === 0 && fresh !== undefined) return fresh
  }
  return (
    <>
      <FilterBar />
      {!unread && <Charts />}
      {unread ? (
        <Empty
          icon={<CircleAlert aria-hidden />}
          title="The filter of this address cannot be read"
          actions={<Button onClick={() => setFilterText('')}>Show all deliveries</Button>}
        >
          What is wrong with it is said above, where it can be mended.
        </Empty>
      ) : phase === 'failed' ? (
        <Empty
          icon={<CircleAlert aria-hidden />}
          title="The deliveries could not be read"
          actions={
            <Button onClick={() => useDeliveries.setState(({ asked }) => ({ asked: asked + 1 }))}>
              Try again
            </Button>
          }
        >
          {message}
        </Empty>
      ) : phase === 'ready' && empty && filtering ? (
        <NoMatch />
      ) : phase === 'loading' && empty ? (
        <Coming />
      ) : (
        <DeliveryList />
      )}
    </>
  )
}

function EmptyLog() {
  return (
    <Empty icon={<ScrollText aria-hidden />} title="No deliveries in this log">
      It was exported with none, or none of them could be read.
    </Empty>
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
