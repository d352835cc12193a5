import { formatCount as count } from '#shared/text/format.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { DeliverySummary } from '#contract/models.ts'
import { Button } from '../../ui/Button.tsx'
import { useClient } from '../../platform/use-client.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { useCan } from '../../state/app.ts'
import { useAttemptsStore } from '../attempts/index.ts'
import { DeliveryRow, rowElementId } from './DeliveryRow.tsx'
import { openRowMenu, RowMenu } from './RowMenu.tsx'
import { togglePin } from './row-actions.ts'
import { selectAll, toggleAt, extendSelection } from '../../state/select-deliveries.ts'
import { useEditable, useLog } from '../../state/scope.ts'
import { pinSeveral, severalOr } from './selection/several.ts'
import { clearSelection, hasSelection, isSelected, useSelection } from '../../state/selection.ts'
import { openDelivery, queryOf, togglePause, useDeliveries } from '../../state/deliveries.ts'
import './DeliveryList.css'
import { ArrowUp } from 'lucide-react'

const columns = [
  ['c-id', 'Number'],
  ['c-time', 'Arrived'],
  ['c-verdict', 'Signature'],
  ['c-type', 'Type'],
  ['c-title', 'What'],
  ['c-target', 'Target'],
  ['c-findings', 'Findings'],
  ['c-endpoint', 'Endpoint'],
  ['c-location', 'Location'],
  ['c-status', 'Status'],
  ['c-size', 'Size'],
  ['c-lag', 'Lag'],
  ['c-pin', 'Pinned'],
] as const

interface DeliveryHeadProps {
  /** There is a column for the endpoint. */
  readonly endpoints: boolean
}

/** What the columns are, and a box that chooses all. */
function DeliveryHead({ endpoints }: DeliveryHeadProps) {
  const editable = useEditable()
  const choosing = useCan('editing')
  const selection = useSelection()
  const some = hasSelection(selection)
  return (
    <div className="delivery-head" role="row" aria-rowindex={1}>
      <span className="c-choose" role={choosing ? 'columnheader' : 'presentation'}>
        {choosing && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label="Select all results"
            title={`Select all results${editable ? ', to re-send them' : ''}`}
            checked={selection.all !== null}
            ref={(box) => {
              if (box) box.indeterminate = some && selection.all === null
            }}
            onChange={() => (selection.all === null ? selectAll() : clearSelection())}
          />
        )}
      </span>
      {columns.map(
        ([name, label]) =>
          (name !== 'c-endpoint' || endpoints) && (
            <span key={name} role="columnheader" className={name}>
              <span className={name === 'c-findings' || name === 'c-pin' ? 'visually-hidden' : ''}>
                {label}
              </span>
            </span>
          ),
      )}
    </div>
  )
}

const rowHeight = 30
const headHeight = 24
/** A browser draws no element taller than about 33 million pixels. Older rows are reached by filtering. */
const rowsDrawn = 1_000_000
const following = 4

/** The list of deliveries, newest first. */
export function DeliveryList() {
  const client = useClient()
  const scroller = useRef<HTMLDivElement>(null)
  const log = useLog()
  const editable = useEditable()
  // An exported page has nothing to do with what is chosen.
  const choosing = useCan('editing')
  /** The list's own state, whatever is shown by the time it is written. */
  const deliveries = useDeliveries.of(log)
  const rows = useDeliveries((state) => state.rows)
  const revision = useDeliveries((state) => state.revision)
  /** A place that was gone to before its row was here. */
  const wanted = useRef<number | null>(null)
  const selectedId = useDeliveries((state) => state.selectedId)
  const shown = useDeliveries((state) => state.open)
  const selection = useSelection()
  const sending = useAttemptsStore((state) => state.sending)
  const endpointNames = useEndpointNames()
  const total = Math.min(rows.count, rowsDrawn)

  // Who comes back finds the list where it was left; of another filter it is another list.
  const filter = useDeliveries(queryOf)
  const [begin] = useState(() => {
    const { place } = deliveries.getState()
    return place.filter === filter ? place.top : 0
  })
  const virtualizer = useVirtualizer({
    initialOffset: begin,
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
    // The head of the columns stands above the rows: without this a row gone to would end below the edge.
    scrollPaddingEnd: headHeight,
  })
  const items = virtualizer.getVirtualItems()
  const from = items[0]?.index ?? 0
  const to = items.at(-1)?.index ?? 0

  useEffect(() => {
    deliveries.setState({ seen: { from, to } })
  }, [deliveries, from, to])

  // Another choice of rows is another list: it is read from its beginning.
  const listed = useRef(filter)
  useEffect(() => {
    // Braces: newer browsers answer with a promise, which is no way to clean up.
    if (listed.current !== filter) {
      scroller.current?.scrollTo({ top: 0 })
    }
    listed.current = filter
    const { all } = useSelection.of(log).getState()
    if (all !== null && all.filter !== filter) clearSelection()
  }, [filter, log])

  const keepPlace = useCallback(
    (top: number) => {
      deliveries.setState((state) => ({ place: { filter: queryOf(state), top } }))
    },
    [deliveries],
  )
  // The event of the last scroll comes with the next frame, and may come too late.
  useLayoutEffect(() => {
    const list = scroller.current
    return () => {
      if (list) keepPlace(list.scrollTop)
    }
  }, [keepPlace])
  const onScroll = useCallback(() => {
    const top = scroller.current?.scrollTop ?? 0
    const { atTop } = deliveries.getState()
    keepPlace(top)
    if (atTop !== top <= following) deliveries.setState({ atTop: top <= following })
  }, [deliveries, keepPlace])

  const toTop = useCallback(() => {
    scroller.current?.scrollTo({ top: 0 })
    deliveries.setState({ atTop: true, paused: false })
    scroller.current?.focus()
  }, [deliveries])

  const select = (index: number): void => {
    const place = Math.min(Math.max(index, 0), total - 1)
    const id = rows.idAt(place)
    virtualizer.scrollToIndex(place)
    // The next key is for the list, whatever was clicked before. Under an open delivery the focus stays where it is.
    if (!shown) scroller.current?.focus({ preventScroll: true })
    wanted.current = id === null ? place : null
    if (id !== null) deliveries.setState({ selectedId: id })
  }
  useEffect(() => {
    const id = wanted.current === null ? null : rows.idAt(wanted.current)
    if (id === null) return
    wanted.current = null
    deliveries.setState({ selectedId: id })
  }, [deliveries, revision, rows])
  const move = (by: number): void => {
    const at = selectedId === null ? null : rows.indexOf(selectedId)
    select(at === null ? firstSeen(scroller.current) : at + by)
  }
  useKeys({
    'move-down': () => move(1),
    'move-up': () => move(-1),
    top: () => select(0),
    bottom: () => select(total - 1),
    // Where there is nothing to open, Enter belongs to what has the focus.
    ...(selectedId !== null && { open: () => openDelivery(selectedId) }),
    ...(choosing && {
      ...(selectedId !== null && {
        choose: () => {
          const index = rows.indexOf(selectedId)
          if (index !== null) toggleAt(client, selectedId, index, false)
        },
      }),
      'choose-down': () => extendSelection(1, move),
      'choose-up': () => extendSelection(-1, move),
      'choose-all': selectAll,
    }),
    ...(selectedId !== null && { menu: () => openRowMenu(selectedId) }),
    ...(editable && {
      pause: togglePause,
      pin: () => {
        const several = severalOr(null)
        if (several !== null) return pinSeveral(client, several, true)
        const row = selectedId === null ? undefined : rows.byId.get(selectedId)
        if (row) togglePin(client, row)
      },
    }),
  })

  const open = useCallback((id: number) => {
    openDelivery(id)
    scroller.current?.focus({ preventScroll: true })
  }, [])
  const pin = useCallback(
    (row: Parameters<typeof togglePin>[1]) => togglePin(client, row),
    [client],
  )
  const choose = useCallback(
    (id: number, index: number, range: boolean) => {
      toggleAt(client, id, index, range)
      scroller.current?.focus({ preventScroll: true })
    },
    [client],
  )
  // Only a row that is drawn can be named as active.
  const active = items.some(({ index }) => rows.idAt(index) === selectedId)

  return (
    <div className="list-frame">
      <NewRows onShow={toTop} />
      <RowMenu list={scroller}>
        <div
          className="list-scroller"
          ref={scroller}
          role="grid"
          aria-label="Deliveries, newest first"
          aria-rowcount={rows.count + 1}
          aria-activedescendant={
            active && selectedId !== null ? rowElementId(selectedId) : undefined
          }
          aria-multiselectable={choosing || undefined}
          data-endpoints={endpointNames !== null || undefined}
          data-choosing={hasSelection(selection) || undefined}
          tabIndex={0}
          data-delivery-list
          onScroll={onScroll}
        >
          <DeliveryHead endpoints={endpointNames !== null} />
          <div className="list-rows" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
            {items.map((item) => {
              const row = rows.rowAt(item.index)
              return row ? (
                <DeliveryRow
                  key={row.id}
                  row={row}
                  index={item.index}
                  top={item.start}
                  selected={row.id === selectedId}
                  chosen={isSelected(selection, row.id)}
                  sending={editable && sending.has(row.id)}
                  editable={editable}
                  choosing={choosing}
                  endpoint={endpointNames === null ? null : endpointOf(row, endpointNames)}
                  onOpen={open}
                  onPin={pin}
                  onChoose={choose}
                />
              ) : (
                <div
                  key={`place-${item.index}`}
                  className="delivery-row row-coming"
                  style={{ transform: `translateY(${item.start}px)` }}
                />
              )
            })}
          </div>
        </div>
      </RowMenu>
    </div>
  )
}

/** The names of the endpoints that are listed, by their ids; null where there is one at most, or those of a log, which are not ours. */
function useEndpointNames(): ReadonlyMap<number, string> | null {
  const log = useLog()
  const integrationId = useDeliveries((state) => state.integrationId)
  const endpoints = useEndpoints((state) => state.endpoints)
  return useMemo(() => {
    const listed = endpoints.filter(
      (endpoint) => integrationId === null || endpoint.integrationId === integrationId,
    )
    if (log !== null || listed.length < 2) return null
    return new Map(endpoints.map(({ id, name }) => [id, name]))
  }, [endpoints, integrationId, log])
}

function endpointOf(
  { endpointId }: Pick<DeliverySummary, 'endpointId'>,
  names: ReadonlyMap<number, string>,
): string {
  if (endpointId === null) return 'none'
  return names.get(endpointId) ?? `deleted (${endpointId})`
}

function firstSeen(scroller: HTMLElement | null): number {
  return Math.ceil((scroller?.scrollTop ?? 0) / rowHeight)
}

/** What arrived while the list keeps its place. */
function NewRows({ onShow }: { readonly onShow: () => void }) {
  const waiting = useDeliveries((state) => state.waiting)
  const atLeast = useDeliveries((state) => state.waitingAtLeast)
  const paused = useDeliveries((state) => state.paused)
  const shown = waiting > 0 && !paused
  return (
    <div className="new-rows" aria-live="polite">
      {shown && (
        <Button kind="primary" icon={<ArrowUp aria-hidden />} onClick={onShow}>
          {count(waiting)}
          {atLeast && '+'} new
        </Button>
      )}
    </div>
  )
}
