import type { StoreApi } from 'zustand'
import { formatCount } from '#shared/text/format.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { DeliverySummary } from '#contract/models.ts'
import { Button } from '../../ui/Button.tsx'
import { useClient } from '../../platform/use-client.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { useCan } from '../../state/app.ts'
import { useAttemptsStore } from '../attempts/index.ts'
import { DeliveryRow, rowElementId } from './DeliveryRow.tsx'
import { openRowMenu, RowMenu } from './RowMenu.tsx'
import { togglePin, pinAll, selectionOr } from './selection/bulk-actions.ts'
import { selectAll, toggleAt, extendSelection } from '../../state/select-deliveries.ts'
import { useEditable, useLog } from '../../state/scope.ts'
import { clearSelection, hasSelection, isSelected, useSelection } from '../../state/selection.ts'
import {
  type DeliveriesState,
  openDelivery,
  queryOf,
  togglePause,
  useDeliveries,
} from '../../state/deliveries.ts'
import './DeliveryList.css'
import { ArrowUp } from '../../ui/icons.tsx'

const columns = [
  ['c-id', 'Number'],
  ['c-time', 'Received'],
  ['c-verdict', 'Signature'],
  ['c-type', 'Type'],
  ['c-title', 'Title'],
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
  readonly endpoints: boolean
}

function DeliveryHead({ endpoints }: DeliveryHeadProps) {
  const editable = useEditable()
  const selectable = useCan('editing')
  const selection = useSelection()
  const some = hasSelection(selection)
  return (
    <div className="delivery-head" role="row" aria-rowindex={1}>
      <span className="c-select" role={selectable ? 'columnheader' : 'presentation'}>
        {selectable && (
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
/** Browsers limit an element's height to about 33 million pixels. Older rows are reached by filtering. */
const rowsDrawn = 1_000_000
const following = 4

export function DeliveryList() {
  const client = useClient()
  const scroller = useRef<HTMLDivElement>(null)
  const log = useLog()
  const editable = useEditable()
  // An exported page has no actions for selected rows.
  const selectable = useCan('editing')
  /** The state of this list, even if another one is shown by the time of a write. */
  const deliveries = useDeliveries.of(log)
  const rows = useDeliveries((state) => state.rows)
  const selectedId = useDeliveries((state) => state.selectedId)
  const shown = useDeliveries((state) => state.open)
  const selection = useSelection()
  const sending = useAttemptsStore((state) => state.sending)
  const endpointNames = useEndpointNames()
  const total = Math.min(rows.count, rowsDrawn)

  const { initialOffset, onScroll, toTop } = useListScroll(scroller, deliveries)
  const virtualizer = useVirtualizer({
    initialOffset,
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
    // The column headings take up space above the rows: without this, scrolling to a row would leave it below the edge.
    scrollPaddingEnd: headHeight,
  })
  const items = virtualizer.getVirtualItems()
  const from = items[0]?.index ?? 0
  const to = items.at(-1)?.index ?? 0

  useEffect(() => {
    deliveries.setState({ seen: { from, to } })
  }, [deliveries, from, to])

  useListKeys(
    total,
    (place) => {
      virtualizer.scrollToIndex(place)
      // The list handles the next key, whatever was clicked before. With an open delivery the focus stays where it is.
      if (!shown) scroller.current?.focus({ preventScroll: true })
    },
    scroller,
    deliveries,
  )

  const open = useCallback((id: number) => {
    openDelivery(id)
    scroller.current?.focus({ preventScroll: true })
  }, [])
  const pin = useCallback(
    (row: Parameters<typeof togglePin>[1]) => togglePin(client, row),
    [client],
  )
  const toggleRow = useCallback(
    (id: number, index: number, range: boolean) => {
      toggleAt(client, id, index, range)
      scroller.current?.focus({ preventScroll: true })
    },
    [client],
  )
  // aria-activedescendant may only refer to a rendered row.
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
          aria-multiselectable={selectable || undefined}
          data-endpoints={endpointNames !== null || undefined}
          data-selecting={hasSelection(selection) || undefined}
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
                  inSelection={isSelected(selection, row.id)}
                  sending={editable && sending.has(row.id)}
                  editable={editable}
                  selectable={selectable}
                  endpoint={endpointNames === null ? null : endpointOf(row, endpointNames)}
                  onOpen={open}
                  onPin={pin}
                  onSelect={toggleRow}
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

/** Keeps the scroll position of the list, and whether its top is visible. */
function useListScroll(
  scroller: RefObject<HTMLDivElement | null>,
  deliveries: StoreApi<DeliveriesState>,
) {
  const log = useLog()
  const filter = useDeliveries(queryOf)
  // Restore the scroll position on return, unless the filter has changed.
  const [initialOffset] = useState(() => {
    const { place } = deliveries.getState()
    return place.filter === filter ? place.top : 0
  })
  // A changed filter shows a different list: scroll to its top.
  const shownFilter = useRef(filter)
  useEffect(() => {
    // In braces: newer browsers return a promise here, which is not a valid effect cleanup.
    if (shownFilter.current !== filter) {
      scroller.current?.scrollTo({ top: 0 })
    }
    shownFilter.current = filter
    const { all } = useSelection.of(log).getState()
    if (all !== null && all.filter !== filter) clearSelection()
  }, [filter, log, scroller])

  const saveScroll = useCallback(
    (top: number) => {
      deliveries.setState((state) => ({ place: { filter: queryOf(state), top } }))
    },
    [deliveries],
  )
  // The last scroll event fires with the next frame, which may be after unmount.
  useLayoutEffect(() => {
    const list = scroller.current
    return () => {
      if (list) saveScroll(list.scrollTop)
    }
  }, [saveScroll, scroller])
  const onScroll = useCallback(() => {
    const top = scroller.current?.scrollTop ?? 0
    const { atTop } = deliveries.getState()
    saveScroll(top)
    if (atTop !== top <= following) deliveries.setState({ atTop: top <= following })
  }, [deliveries, saveScroll, scroller])

  const toTop = useCallback(() => {
    scroller.current?.scrollTo({ top: 0 })
    deliveries.setState({ atTop: true, paused: false })
    scroller.current?.focus()
  }, [deliveries, scroller])
  return { initialOffset, onScroll, toTop }
}

/** The keys of the list. `onSelect`: a row was selected, and must become visible. */
function useListKeys(
  total: number,
  onSelect: (index: number) => void,
  scroller: RefObject<HTMLDivElement | null>,
  deliveries: StoreApi<DeliveriesState>,
): void {
  const client = useClient()
  const editable = useEditable()
  const selectable = useCan('editing')
  const rows = useDeliveries((state) => state.rows)
  const revision = useDeliveries((state) => state.revision)
  const selectedId = useDeliveries((state) => state.selectedId)
  /** The index of a row that was selected before it was loaded. */
  const pendingIndex = useRef<number | null>(null)
  const select = (index: number): void => {
    const place = Math.min(Math.max(index, 0), total - 1)
    const id = rows.idAt(place)
    onSelect(place)
    pendingIndex.current = id === null ? place : null
    if (id !== null) deliveries.setState({ selectedId: id })
  }
  useEffect(() => {
    // The rows change in place; their revision tells when.
    if (pendingIndex.current === null || revision < 0) return
    const id = rows.idAt(pendingIndex.current)
    if (id === null) return
    pendingIndex.current = null
    deliveries.setState({ selectedId: id })
  }, [deliveries, revision, rows])
  const move = (by: number): void => {
    const at = selectedId === null ? null : rows.indexOf(selectedId)
    select(at === null ? firstVisibleRow(scroller.current) : at + by)
  }
  useKeys({
    'move-down': () => move(1),
    'move-up': () => move(-1),
    top: () => select(0),
    bottom: () => select(total - 1),
    // With nothing to open, the focused element handles Enter.
    ...(selectedId !== null && { open: () => openDelivery(selectedId) }),
    ...(selectable && {
      ...(selectedId !== null && {
        select: () => {
          const index = rows.indexOf(selectedId)
          if (index !== null) toggleAt(client, selectedId, index, false)
        },
      }),
      'select-down': () => extendSelection(1, move),
      'select-up': () => extendSelection(-1, move),
      'select-all': selectAll,
    }),
    ...(selectedId !== null && { menu: () => openRowMenu(selectedId) }),
    ...(editable && {
      pause: togglePause,
      pin: () => {
        const targets = selectionOr(null)
        if (targets !== null) return pinAll(client, targets, true)
        const row = selectedId === null ? undefined : rows.byId.get(selectedId)
        if (row) togglePin(client, row)
      },
    }),
  })
}

/** Endpoint names by ID. Null with fewer than two endpoints, and for a log, whose endpoints are not stored here. */
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

function firstVisibleRow(scroller: HTMLElement | null): number {
  return Math.ceil((scroller?.scrollTop ?? 0) / rowHeight)
}

/** The button that shows deliveries received while the list is scrolled down. */
function NewRows({ onShow }: { readonly onShow: () => void }) {
  const waiting = useDeliveries((state) => state.waiting)
  const atLeast = useDeliveries((state) => state.waitingAtLeast)
  const paused = useDeliveries((state) => state.paused)
  const shown = waiting > 0 && !paused
  return (
    <div className="new-rows" aria-live="polite">
      {shown && (
        <Button kind="primary" icon={<ArrowUp aria-hidden />} onClick={onShow}>
          {formatCount(waiting)}
          {atLeast && '+'} new
        </Button>
      )}
    </div>
  )
}
