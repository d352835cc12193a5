import type { Trace, TraceEntry, TraceMark } from '#contract/deliveries.ts'
import { aboutOf, type Subject, type Placed, timeOf, targetOf, type Traced } from './model.ts'
import { field, type Payload } from '#catalogue/payload.ts'
import { eventOf } from '#catalogue/ids.ts'
import { formatDuration } from '#shared/text/format.ts'

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
}: Payload): { to: keyof TraceEntry['totals']; value: number } | null {
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

type Marks = ReadonlyMap<number, readonly TraceMark[]>

/**
 * Observations by ID of delivery. None is an error: the API documentation says nothing about order, states or retries. `entries`: deliveries linked by
 * an ID, in the order of the trace. Pure.
 */
function marksOf(entries: readonly Traced[]): Marks {
  const marks = new Map<number, TraceMark[]>()
  const mark = (id: number, code: string, text: string): void => {
    marks.set(id, [...(marks.get(id) ?? []), { code, message: `Observed: ${text}` }])
  }
  markLate(entries, mark)
  markTab(entries, mark)
  markRemoved(entries, mark)
  for (const [id, first] of repeatsOf(entries)) {
    const what = first.by === 'body' ? 'the same bytes' : 'the same event with a different body'
    mark(id, 'repeated', `${what} as #${first.id}, so it is not counted again.`)
  }
  return marks
}

type Mark = (id: number, code: string, text: string) => void

function markLate(entries: readonly Traced[], mark: Mark): void {
  let latest: { id: number; createdAt: number } | null = null
  for (const { row } of entries.toSorted((a, b) => a.row.id - b.row.id)) {
    const { id, createdAt } = row
    if (createdAt === null) continue
    if (latest && createdAt < latest.createdAt) {
      const later = formatDuration(latest.createdAt - createdAt)
      mark(id, 'late', `arrived after #${latest.id}, which was created ${later} later.`)
    } else latest = { id, createdAt }
  }
}

function markTab(entries: readonly Traced[], mark: Mark): void {
  const opening = entries.find(({ payload }) => payload.type === 'OPEN_TAB')
  let state: { closed: boolean; at: number } | null = null
  for (const { row, payload } of entries) {
    const at = timeOf(row)
    const opens = payload.type === 'OPEN_TAB'
    const closes = payload.type === 'CLOSE_TAB'
    if (state?.closed && at > state.at && !opens && !closes) {
      mark(
        row.id,
        'after_close',
        `created ${formatDuration(at - state.at)} after the tab was closed.`,
      )
    }
    if (opens) state = { closed: false, at }
    else if (closes && !state?.closed) state = { closed: true, at }
    if (opening && at < timeOf(opening.row)) {
      const early = formatDuration(timeOf(opening.row) - at)
      mark(row.id, 'before_open', `created ${early} before the tab was opened.`)
    }
  }
}

function markRemoved(entries: readonly Traced[], mark: Mark): void {
  const added = new Set<string>()
  for (const { row, payload } of entries) {
    const item = targetOf(payload)
    if (item === null) continue
    if (payload.type === 'ITEM_ADDED') added.add(item)
    if (payload.type === 'ITEM_REMOVED' && !added.has(item)) {
      mark(row.id, 'removed_unseen', 'no ITEM_ADDED of this item was captured before it.')
    }
  }
}

/** Maps the ID of each repeat to the first delivery it repeats, and whether the body or only the event is the same. Pure. */
function repeatsOf(
  entries: readonly Traced[],
): ReadonlyMap<number, { id: number; by: 'body' | 'event' }> {
  const bodies = new Map<string, number>()
  const events = new Map<string, number>()
  const repeats = new Map<number, { id: number; by: 'body' | 'event' }>()
  for (const { row, payload } of entries.toSorted((a, b) => a.row.id - b.row.id)) {
    const event = eventOf(payload)
    const body = bodies.get(row.sha256)
    const same = event === null ? undefined : events.get(event)
    if (body !== undefined) repeats.set(row.id, { id: body, by: 'body' })
    else if (same !== undefined) repeats.set(row.id, { id: same, by: 'event' })
    if (body === undefined) bodies.set(row.sha256, row.id)
    if (event !== null && same === undefined) events.set(event, row.id)
  }
  return repeats
}

/** In milliseconds: by `createdAt` if both have it, else by time received, which may be negative. */
function gapBetween(before: Traced, { row }: Traced): number {
  if (before.row.createdAt !== null && row.createdAt !== null) {
    return row.createdAt - before.row.createdAt
  }
  return row.receivedAt - before.row.receivedAt
}
