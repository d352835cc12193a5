import type { Trace, TraceEntry } from '#contract/deliveries.ts'
import { gapBetween, marksOf, repeatsOf } from './marks.ts'
import { aboutOf, type Subject, type Placed, timeOf } from './model.ts'
import { field, type Payload } from '#catalogue/payload.ts'

interface BuiltTrace {
  readonly subject: Subject
  readonly ordered: readonly Placed[]
  readonly entries: readonly TraceEntry[]
  /** Amounts without the expected numbers, by delivery. */
  readonly unusable: readonly string[]
}

const maxListed = 5

/** Gaps and assumptions, in sentences. Pure. */
function notesOf({ subject, ordered, entries, unusable }: BuiltTrace): string[] {
  const notes: string[] = []
  if (subject.id === '') {
    notes.push('This delivery has no target ID, so no other delivery can be linked to it.')
  }
  if (subject.kind === 'tab') {
    if (!ordered.some(({ payload }) => payload.type === 'OPEN_TAB')) {
      notes.push('The OPEN_TAB event of this tab was not captured.')
    }
    if (!ordered.some(({ payload }) => payload.type === 'CLOSE_TAB')) {
      notes.push(
        'No CLOSE_TAB event of this tab was captured. The tab may still be open, or the event was not received.',
      )
    }
  }
  if (entries.some(({ totals }) => totals.items !== null)) {
    notes.push(
      'Items are summed as price times quantity. It is an assumption that `price` is the price of one piece: the API documentation only says “Item price”.',
    )
  }
  if (unusable.length > 0) {
    const more = unusable.length > maxListed ? ` and ${unusable.length - maxListed} more` : ''
    notes.push(`Without a usable amount: ${unusable.slice(0, maxListed).join(', ')}${more}.`)
  }
  if (entries.some(({ observations }) => observations.length > 0)) {
    notes.push(
      'Marks are observations, not errors: the API documentation does not describe delivery order, repeats or the states of a tab.',
    )
  }
  return notes
}

export interface Collected {
  readonly subject: Subject
  readonly placed: readonly Placed[]
  readonly truncated: boolean
}

/** Adds times, sums, marks and notes. Sorts by `createdAt`, or by the time received if there is none; at equal times by ID. Pure. */
export function buildTrace({ subject, placed, truncated }: Collected): Omit<Trace, 'indexedId'> {
  const ordered = placed.toSorted((a, b) => timeOf(a.row) - timeOf(b.row) || a.row.id - b.row.id)
  const marks = marksOf(ordered)
  const repeats = repeatsOf(ordered)
  const counts = subject.kind === 'tab' || subject.kind === 'order' || subject.kind === 'item'
  const unusable: string[] = []
  let totals: TraceEntry['totals'] = { items: null, orders: null, stated: null }
  const entries = ordered.map((entry, index): TraceEntry => {
    const { row: delivery, by, payload } = entry
    const read = amountOf(payload)
    const value = read && usable(read.value)
    if (read && counts && !repeats.has(delivery.id)) {
      // A stated total replaces the previous one.
      const total = read.to === 'stated' ? value : usable((totals[read.to] ?? 0) + (value ?? NaN))
      if (total === null) unusable.push(`#${delivery.id}`)
      else totals = { ...totals, [read.to]: total }
    }
    const before = ordered[index - 1]
    return {
      delivery,
      by,
      subject: aboutOf(entry),
      amount: value,
      totals,
      gapMs: before ? gapBetween(before, entry) : null,
      observations: [...(marks.get(delivery.id) ?? [])],
    }
  })
  return {
    subject: { ...subject, name: latestName(subject, ordered) },
    entries,
    notes: notesOf({ subject, ordered, entries, unusable }),
    truncated,
  }
}

function latestName({ kind, id }: Subject, ordered: readonly Placed[]): string | null {
  const names = ordered.map(aboutOf).flatMap((about) => {
    return about?.kind === kind && about.id === id && about.name !== null ? [about.name] : []
  })
  return names.at(-1) ?? null
}

/**
 * Added or stated by an event, without a currency, as the service sends it. Items: price times quantity, negative when removed; that `price` is the
 * price of one piece is an assumption. Orders: `total`. Tabs: `total` as stated; it may be missing, because the API documentation is contradictory
 * there. The value may not be a usable number. Pure.
 */
function amountOf({
  type,
  data,
}: Payload): { readonly to: keyof TraceEntry['totals']; readonly value: number } | null {
  switch (type) {
    case 'ITEM_ADDED':
      return { to: 'items', value: numberIn(data, 'price') * numberIn(data, 'quantity') }
    case 'ITEM_REMOVED':
      return { to: 'items', value: -numberIn(data, 'price') * numberIn(data, 'quantity') }
    case 'ORDER_PLACED':
      return { to: 'orders', value: numberIn(data, 'total') }
    case 'OPEN_TAB':
      return field(data, 'total') === undefined
        ? null
        : { to: 'stated', value: numberIn(data, 'total') }
    default:
      return null
  }
}

function numberIn(data: unknown, key: string): number {
  const value = field(data, key)
  return typeof value === 'number' ? value : NaN
}

/** Without binary noise, so that 0.1 + 0.2 is 0.3, and without negative zero. Null if it is not a finite number. */
function usable(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toFixed(9)) + 0 : null
}
