import type { TraceMark } from '#contract/deliveries.ts'
import { eventOf } from '#catalogue/ids.ts'
import { formatDuration } from '#shared/text/format.ts'
import { targetOf, timeOf, type Traced } from './model.ts'

export type Marks = ReadonlyMap<number, readonly TraceMark[]>

/**
 * Observations by ID of delivery. None is an error: the API documentation says nothing about order, states or retries. `entries`: deliveries linked by
 * an ID, in the order of the trace. Pure.
 */
export function marksOf(entries: readonly Traced[]): Marks {
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

/** Marks deliveries whose `createdAt` is earlier than that of a delivery received before. */
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
export function repeatsOf(
  entries: readonly Traced[],
): ReadonlyMap<number, { readonly id: number; readonly by: 'body' | 'event' }> {
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
export function gapBetween(before: Traced, { row }: Traced): number {
  if (before.row.createdAt !== null && row.createdAt !== null) {
    return row.createdAt - before.row.createdAt
  }
  return row.receivedAt - before.row.receivedAt
}
