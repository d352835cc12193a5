import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { Trace, TraceEntry } from '#contract/deliveries.ts'

export type Cell =
  | {
      readonly kind: 'events'
      readonly id: number
      readonly type: string
      readonly count: number
      /** The time of the last event, in milliseconds since the epoch. */
      readonly at: number
      /** The running total that the type changes, after the last event; null if none. */
      readonly value: number | null
      readonly current: boolean
    }
  | { readonly kind: 'more'; readonly count: number }
  | { readonly kind: 'unseen'; readonly type: 'OPEN_TAB' | 'CLOSE_TAB' }

const maxCells = 7

/**
 * Summarizes a trace in a few cells: its tied events, with neighbors of the same type combined, and for a tab a missing start or end.
 * A long trace keeps the first cell, the last one and those around the current one.
 */
export function stripOf({ subject, entries, truncated }: Trace, currentId: number): Cell[] {
  const tied = entries.filter(({ relation }) => relation === 'linked')
  const cells = grouped(tied, currentId)
  const isTab = subject.kind === 'tab' && !truncated
  const isReceived = (type: string): boolean => tied.some(({ delivery }) => delivery.type === type)
  return [
    ...(isTab && !isReceived('OPEN_TAB') ? [{ kind: 'unseen', type: 'OPEN_TAB' } as const] : []),
    ...shortened(cells),
    ...(isTab && !isReceived('CLOSE_TAB') ? [{ kind: 'unseen', type: 'CLOSE_TAB' } as const] : []),
  ]
}

type Events = Extract<Cell, { kind: 'events' }>

function grouped(tied: readonly TraceEntry[], currentId: number): Events[] {
  const cells: Events[] = []
  for (const { delivery, totals } of tied) {
    const type = delivery.type ?? 'no type'
    const before = cells.at(-1)
    const current = delivery.id === currentId
    const previous = before?.type === type && !before.current && !current ? before : null
    if (previous) cells.pop()
    cells.push({
      kind: 'events',
      id: previous?.id ?? delivery.id,
      type,
      count: (previous?.count ?? 0) + 1,
      at: delivery.createdAt ?? delivery.receivedAt,
      value: valueOf(type, totals),
      current,
    })
  }
  return cells
}

function valueOf(type: string, running: TraceEntry['totals']): number | null {
  switch (type) {
    case 'OPEN_TAB':
      return running.stated
    case 'ITEM_ADDED':
    case 'ITEM_REMOVED':
      return running.items
    case 'ORDER_PLACED':
      return running.orders
    default:
      return null
  }
}

function shortened(cells: readonly Events[]): Cell[] {
  if (cells.length <= maxCells) return [...cells]
  const current = Math.max(
    0,
    cells.findIndex((cell) => cell.current),
  )
  const kept = new Set([0, cells.length - 1])
  // Nearest to the current cell first, earlier before later.
  for (let distance = 0; kept.size < maxCells - 2; distance += 1) {
    for (const index of [current - distance, current + distance]) {
      if (index >= 0 && index < cells.length && kept.size < maxCells - 2) kept.add(index)
    }
  }
  const line: Cell[] = []
  let skipped = 0
  for (const [index, cell] of cells.entries()) {
    if (!kept.has(index)) {
      skipped += cell.count
      continue
    }
    if (skipped > 0) line.push({ kind: 'more', count: skipped })
    skipped = 0
    line.push(cell)
  }
  return line
}

/** The heading of a trace: "This tab", or "All with this target" for an unknown kind of subject. */
export function subjectTitle({ kind }: Trace['subject']): string {
  return kind === 'other' ? 'All with this target' : `This ${kind}`
}

export function typeLabel(type: string): string {
  return eventTypeOf(type)?.label ?? type
}
