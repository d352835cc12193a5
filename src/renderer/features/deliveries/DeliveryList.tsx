import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient } from '../../platform/use-client.ts'
import { useKeys } from '../shell/bound.ts'
import { useCan } from '../shell/store.ts'
import { useAttemptsStore } from '../attempts/store.ts'
import { DeliveryHead } from './DeliveryHead.tsx'
import { DeliveryRow, rowElementId } from './DeliveryRow.tsx'
import { NewRows } from './NewRows.tsx'
import { togglePin } from './pin.ts'
import { chooseAll, chooseAt, chooseOn } from './selection/choosing.ts'
import { useEditable, useLog } from './scope/scope.ts'
import { chooseNone, hasChosen, isChosen, useSelection } from './selection/store.ts'
import { openDelivery, togglePause, useDeliveries } from './store.ts'
import './DeliveryList.css'

const rowHeight = 30
const headHeight = 26
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
  const selection = useSelection()
  const sending = useAttemptsStore((state) => state.sending)
  const total = Math.min(rows.count, rowsDrawn)

  // Who comes back finds the list where it was left; of another filter it is another list.
  const filter = useDeliveries((state) => state.filter)
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
    if (all !== null && all.filter !== filter) chooseNone()
  }, [filter, log])

  const onScroll = useCallback(() => {
    const top = scroller.current?.scrollTop ?? 0
    const { filter: of, atTop } = deliveries.getState()
    deliveries.setState({ place: { filter: of, top } })
    if (atTop !== top <= following) deliveries.setState({ atTop: top <= following })
  }, [deliveries])

  const toTop = useCallback(() => {
    scroller.current?.scrollTo({ top: 0 })
    deliveries.setState({ atTop: true, paused: false })
    scroller.current?.focus()
  }, [deliveries])

  const select = (index: number): void => {
    const place = Math.min(Math.max(index, 0), total - 1)
    const id = rows.idAt(place)
    virtualizer.scrollToIndex(place)
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
    open: () => selectedId !== null && openDelivery(selectedId),
    ...(choosing && {
      choose: () => {
        const index = selectedId === null ? null : rows.indexOf(selectedId)
        if (selectedId !== null && index !== null) chooseAt(client, selectedId, index, false)
      },
      'choose-down': () => chooseOn(1, move),
      'choose-up': () => chooseOn(-1, move),
      'choose-all': chooseAll,
    }),
    ...(editable && {
      pause: togglePause,
      pin: () => {
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
      chooseAt(client, id, index, range)
      scroller.current?.focus({ preventScroll: true })
    },
    [client],
  )
  // Only a row that is drawn can be named as active.
  const active = items.some(({ index }) => rows.idAt(index) === selectedId)

  return (
    <div className="list-frame">
      <NewRows onShow={toTop} />
      <div
        className="list-scroller"
        ref={scroller}
        role="grid"
        aria-label="Deliveries, newest first"
        aria-rowcount={rows.count + 1}
        aria-activedescendant={active && selectedId !== null ? rowElementId(selectedId) : undefined}
        aria-multiselectable={choosing || undefined}
        data-choosing={hasChosen(selection) || undefined}
        tabIndex={0}
        onScroll={onScroll}
      >
        <DeliveryHead />
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
                chosen={isChosen(selection, row.id)}
                sending={editable && sending.has(row.id)}
                editable={editable}
                choosing={choosing}
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
    </div>
  )
}

function firstSeen(scroller: HTMLElement | null): number {
  return Math.ceil((scroller?.scrollTop ?? 0) / rowHeight)
}
