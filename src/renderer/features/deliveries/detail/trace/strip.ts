import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { Trace, TraceEntry } from '#contract/deliveries.ts'

export type Cell =
  | {
      readonly kind: 'events'
      /** Of the first of them. */
      readonly id: number
      readonly type: string
      readonly count: number
      /** Milliseconds since the epoch, of the last of them. */
      readonly at: number
      /** What the type adds to, after the last of them; null: nothing. */
      readonly value: number | null
      readonly current: boolean
    }
  | { readonly kind: 'more'; readonly count: number }
  | { readonly kind: 'unseen'; readonly type: 'OPEN_TAB' | 'CLOSE_TAB' }

/** Cells that find room in a line. */
const room = 7

/**
 * A trace as a line: what is tied, one cell for the same type again, and for a tab what was not seen of its two ends. Of many the first,
 * the last and those around the current one are left. Pure.
 */
export function stripOf({ subject, entries, truncated }: Trace, currentId: number): Cell[] {
  const tied = entries.filter(({ relation }) => relation === 'tied')
  const cells = grouped(tied, currentId)
  const isTab = subject.kind === 'tab' && !truncated
  const has = (type: string): boolean => tied.some(({ row }) => row.type === type)
  return [
    ...(isTab && !has('OPEN_TAB') ? [{ kind: 'unseen', type: 'OPEN_TAB' } as const] : []),
    ...shortened(cells),
    ...(isTab && !has('CLOSE_TAB') ? [{ kind: 'unseen', type: 'CLOSE_TAB' } as const] : []),
  ]
}

type Events = Extract<Cell, { kind: 'events' }>

function grouped(tied: readonly TraceEntry[], currentId: number): Events[] {
  const cells: Events[] = []
  for (const { row, running } of tied) {
    const type = row.type ?? 'no type'
    const before = cells.at(-1)
    const current = row.id === currentId
    const more = before?.type === type && !before.current && !current ? before : null
    if (more) cells.pop()
    cells.push({
      kind: 'events',
      id: more?.id ?? row.id,
      type,
      count: (more?.count ?? 0) + 1,
      at: row.createdAt ?? row.receivedAt,
      value: valueOf(type, running),
      current,
    })
  }
  return cells
}

function valueOf(type: string, running: TraceEntry['running']): number | null {
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
  if (cells.length <= room) return [...cells]
  const current = Math.max(
    0,
    cells.findIndex((cell) => cell.current),
  )
  const kept = new Set([0, cells.length - 1])
  // Nearest to the current one first, what was before it before what comes after.
  for (let away = 0; kept.size < room - 2; away += 1) {
    for (const index of [current - away, current + away]) {
      if (index >= 0 && index < cells.length && kept.size < room - 2) kept.add(index)
    }
  }
  const line: Cell[] = []
  let left = 0
  for (const [index, cell] of cells.entries()) {
    if (!kept.has(index)) {
      left += cell.count
      continue
    }
    if (left > 0) line.push({ kind: 'more', count: left })
    left = 0
    line.push(cell)
  }
  return line
}

/** The heading of a trace: "This tab", or "All with this target" where nobody knows what it is. */
export function subjectTitle({ kind }: Trace['subject']): string {
  return kind === 'other' ? 'All with this target' : `This ${kind}`
}

/** What a type is called, for people. */
export function typeLabel(type: string): string {
  return eventTypeOf(type)?.label ?? type
}
