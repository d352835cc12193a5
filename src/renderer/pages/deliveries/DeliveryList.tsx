import type { StoreApi } from 'zustand'
import { formatElapsed } from '#shared/text/format.ts'
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
import type { ListSort } from '#contract/deliveries.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { useClient } from '#client/use-client.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { useKeys } from '#client/command-registry.ts'
import { useAttemptsStore } from '#parts/send/resend.ts'
import {
  type ColumnDefinition,
  fitColumns,
  type FittedColumns,
  resizeColumn,
  useListColumns,
} from '#client/state/list-columns.ts'
import { filterFault } from '#client/state/filter.ts'
import { useNow } from '#kit/Time.tsx'
import { clockMinutes, shortDate } from '#kit/text/time.ts'
import { DeliveryRow, rowElementId, useBodyValues } from './DeliveryRow.tsx'
import { openRowMenu, RowMenu } from './RowMenu.tsx'
import { togglePin, pinAll, selectionOr } from './selection/SelectionBar.tsx'
import { selectAll, toggleAt, extendSelection } from '#client/state/select-deliveries.ts'
import { useEditable, useLog } from '#client/state/scope.ts'
import { clearSelection, hasSelection, isSelected, useSelection } from '#client/state/selection.ts'
import {
  type DeliveriesState,
  openDelivery,
  queryOf,
  sortBy,
  togglePause,
  useDeliveries,
} from '#client/state/deliveries.ts'

import './DeliveryList.css'

function DeliveryHead({ fitted }: { fitted: FittedColumns }) {
  const editable = useEditable()
  const selection = useSelection()
  const some = hasSelection(selection)
  const sort =
    useDeliveries((state) => state.sort) ?? ({ by: 'received', descending: true } as const)
  const sorted = (id: string): Sorted =>
    sort.by !== id ? undefined : sort.descending ? 'descending' : 'ascending'
  return (
    <div
      className="delivery-head sticky top-0 z-(--layer-sticky) h-(--control-s) border-b border-b-line bg-surface text-xs font-medium text-dim [&_[role=columnheader]]:relative"
      role="row"
      aria-rowindex={1}
    >
      <span className="c-select" role="columnheader">
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
      </span>
      <span className="c-mark" role="presentation" />
      {fitted.columns.map((column) => (
        <span
          key={column.id}
          role="columnheader"
          aria-sort={sorted(column.id)}
          className="cut"
          data-align={column.align}
        >
          <ColumnLabel column={column} sorted={sorted(column.id)} />
          {column.id !== 'event' && !fitted.twoLines && <ColumnEdge column={column} />}
        </span>
      ))}
    </div>
  )
}

type Sorted = 'ascending' | 'descending' | undefined
const sortable: readonly ListSort['by'][] = ['received', 'amount', 'type', 'outcome']

function ColumnLabel({ column, sorted }: { column: ColumnDefinition; sorted: Sorted }) {
  const by = sortable.find((id) => id === column.id)
  if (by === undefined) return column.label
  return (
    <button type="button" className="hover:text-ink" onClick={() => sortBy(by)}>
      {column.label}
      {sorted === 'ascending' && ' ↑'}
      {sorted === 'descending' && ' ↓'}
    </button>
  )
}

const resizeStep = 8

function ColumnEdge({ column }: { column: FittedColumns['columns'][number] }) {
  const start = useRef({ x: 0, width: 0 })
  const by = (pixels: number): void => resizeColumn(column.id, column.width + pixels)
  return (
    // A focusable separator is the pattern that ARIA gives for this (a "window splitter").
    // oxlint-disable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex
    <span
      className="column-edge absolute inset-y-0 right-0 left-auto w-3 cursor-col-resize touch-none"
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${column.label}`}
      aria-valuenow={column.width}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width: column.width }
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        const { x, width } = start.current
        resizeColumn(column.id, width + event.clientX - x)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
        event.preventDefault()
        event.stopPropagation()
        by(event.key === 'ArrowLeft' ? -resizeStep : resizeStep)
      }}
    />
    // oxlint-enable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex
  )
}

const rowHeights = { one: 34, two: 50 } as const
const headHeight = 24
/** Browsers limit an element's height to about 33 million pixels. Older rows are reached by filtering. */
const rowsDrawn = 1_000_000
const following = 4

export function DeliveryList() {
  const client = useClient()
  const scroller = useRef<HTMLDivElement>(null)
  const log = useLog()
  const editable = useEditable()
  /** The state of this list, even if another one is shown by the time of a write. */
  const deliveries = useDeliveries.of(log)
  const rows = useDeliveries((state) => state.rows)
  const selectedId = useDeliveries((state) => state.selectedId)
  const shown = useDeliveries((state) => state.open)
  const selection = useSelection()
  const stale = useDeliveries((state) => filterFault(state.text) !== null)
  const sending = useAttemptsStore((state) => state.sending)
  const endpoints = useEndpoints((state) => state.endpoints)
  const endpointNames = useMemo(
    () => new Map(endpoints.map(({ id, name }) => [id, name])),
    [endpoints],
  )
  const manyLocations = useDeliveries((state) => state.locations.length > 1)
  const chosen = useListColumns()
  const { ref: frame, width } = useWidth()
  const fitted = useMemo(
    () => fitColumns(chosen, width, manyLocations ? [] : ['location']),
    [chosen, width, manyLocations],
  )
  // A custom property is not in the types of React.
  const columns: object = fitted.template === '' ? {} : { '--columns': fitted.template }
  const rowHeight = fitted.twoLines ? rowHeights.two : rowHeights.one
  const total = Math.min(rows.count, rowsDrawn)

  const { initialOffset, onScroll } = useListScroll(scroller, deliveries, rowHeight)
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

  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer])
  useEffect(() => {
    deliveries.setState({ seen: { from, to } })
  }, [deliveries, from, to])

  useRevealed(virtualizer.scrollToIndex, deliveries)
  useListKeys(
    { total, rowHeight },
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
  const toggleRow = useCallback(
    (id: number, index: number, range: boolean) => {
      toggleAt(client, id, index, range)
      scroller.current?.focus({ preventScroll: true })
    },
    [client],
  )
  // Beside an open delivery there is no room for exact times.
  const relative = shown || fitted.twoLines
  const newestAt = relative ? (rows.rowAt(from)?.receivedAt ?? null) : null
  const now = useNow((at) => (newestAt !== null && at - newestAt < 60_000 ? at + 1000 : null))
  const ids = items.flatMap((item) => rows.idAt(item.index) ?? [])
  const values = useBodyValues(ids, fitted)
  // aria-activedescendant may only refer to a rendered row.
  const active = items.some(({ index }) => rows.idAt(index) === selectedId)

  return (
    <div
      className="list-frame relative min-h-0 data-stale:grayscale"
      ref={frame}
      data-stale={stale || undefined}
    >
      <RowMenu list={scroller}>
        <div
          className="list-scroller h-full overflow-auto overscroll-contain contain-strict [overflow-anchor:none] focus-visible:-outline-offset-2 data-[lines=2]:[&_.c-amount]:[grid-area:amount] data-[lines=2]:[&_.c-event]:[grid-area:event] data-[lines=2]:[&_.c-mark]:row-[1/3] data-[lines=2]:[&_.c-received]:[grid-area:received] data-[lines=2]:[&_.c-select]:row-[1/3] data-[lines=2]:[&_.delivery-head]:hidden"
          ref={scroller}
          role="grid"
          aria-label="Deliveries, newest first"
          aria-rowcount={rows.count + 1}
          aria-activedescendant={
            active && selectedId !== null ? rowElementId(selectedId) : undefined
          }
          aria-multiselectable
          data-lines={fitted.twoLines ? 2 : 1}
          style={columns}
          data-selecting={hasSelection(selection) || undefined}
          tabIndex={0}
          data-delivery-list
          onScroll={onScroll}
        >
          <DeliveryHead fitted={fitted} />
          <div className="relative" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
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
                  editable={editable}
                  onOpen={open}
                  onSelect={toggleRow}
                  cells={{
                    sending: editable && sending.has(row.id),
                    ago: relative ? rowTime(row.receivedAt, now) : null,
                    endpoint: log === null ? endpointOf(row, endpointNames) : '',
                    location: fitted.twoLines && manyLocations ? row.locationName : null,
                    fitted,
                    values: values.get(row.id),
                  }}
                />
              ) : (
                <div
                  key={`place-${item.index}`}
                  className="delivery-row row-coming before:col-[3/-2] before:h-4 before:max-w-[60%] before:rounded-sm before:bg-sunken"
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

function useListScroll(
  scroller: RefObject<HTMLDivElement | null>,
  deliveries: StoreApi<DeliveriesState>,
  rowHeight: number,
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

  // Keep the first row in place when rows become higher.
  const height = useRef(rowHeight)
  useLayoutEffect(() => {
    const list = scroller.current
    list?.scrollTo({ top: (list.scrollTop * rowHeight) / height.current })
    height.current = rowHeight
  }, [rowHeight, scroller])
  useLayoutEffect(() => {
    if (initialOffset > 0) deliveries.setState({ revealId: null })
  }, [deliveries, initialOffset])

  return { initialOffset, onScroll }
}

const rowsBelow = 5

function useRevealed(
  scrollToIndex: (index: number, options: { align: 'center' }) => void,
  deliveries: StoreApi<DeliveriesState>,
): void {
  const id = useDeliveries((state) => state.revealId)
  useEffect(() => {
    const { rows, seen, revealId } = deliveries.getState()
    if (id === null || revealId === null) return
    const { sort } = deliveries.getState()
    const isPlain = sort === null && queryOf(deliveries.getState()) === ''
    const guess = isPlain ? (rows.idAt(0) ?? 0) - id : null
    const index = rows.indexOf(id) ?? guess
    deliveries.setState({ revealId: null })
    if (index === null || index < 0 || index >= rows.count) return
    if (index < seen.from || index > seen.to - rowsBelow) scrollToIndex(index, { align: 'center' })
  }, [deliveries, id, scrollToIndex])
}

function useListKeys(
  { total, rowHeight }: { total: number; rowHeight: number },
  onSelect: (index: number) => void,
  scroller: RefObject<HTMLDivElement | null>,
  deliveries: StoreApi<DeliveriesState>,
): void {
  const client = useClient()
  const editable = useEditable()
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
    select(at === null ? Math.ceil((scroller.current?.scrollTop ?? 0) / rowHeight) : at + by)
  }
  useKeys({
    'move-down': () => move(1),
    'move-up': () => move(-1),
    top: () => select(0),
    bottom: () => select(total - 1),
    // With nothing to open, the focused element handles Enter.
    ...(selectedId !== null && { open: () => openDelivery(selectedId) }),
    ...(selectedId !== null && {
      select: () => {
        const index = rows.indexOf(selectedId)
        if (index !== null) toggleAt(client, selectedId, index, false)
      },
    }),
    'select-down': () => extendSelection(1, move),
    'select-up': () => extendSelection(-1, move),
    'select-all': selectAll,
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

function endpointOf(
  { endpointId }: Pick<DeliverySummary, 'endpointId'>,
  names: ReadonlyMap<number, string>,
): string {
  if (endpointId === null) return 'none'
  return names.get(endpointId) ?? `deleted (${endpointId})`
}

const today = 24 * 3_600_000

/** "now", "3 s ago", "12 min ago", then the time, and the date of another day. */
function rowTime(at: number, now: number): string {
  const past = now - at
  if (past < 3_600_000) return past < 1000 ? 'now' : `${formatElapsed(past, 1)} ago`
  return past < today ? clockMinutes(at) : shortDate(at)
}

/** Measures the width of the element with the returned ref, in pixels. 0 until it is measured. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const measure = (): void => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
