import type { TraceEntry } from '#contract/deliveries.ts'
import type { Subject } from './subject.ts'
import type { Placed } from './traced.ts'

interface Told {
  readonly subject: Subject
  readonly ordered: readonly Placed[]
  readonly entries: readonly TraceEntry[]
  /** Fields that should have held a number, each with its delivery. */
  readonly unusable: readonly string[]
}

const listed = 5

/** What is not known of a trace, and what is assumed in it, in sentences. Pure. */
export function notesOf({ subject, ordered, entries, unusable }: Told): string[] {
  const tied = ordered.filter(({ relation }) => relation === 'tied')
  const near = ordered.length - tied.length
  const notes: string[] = []
  if (subject.id === '') {
    notes.push('This delivery names nothing that it is about, so no other can be tied to it.')
  }
  if (subject.kind === 'tab') {
    if (!tied.some(({ payload }) => payload.type === 'OPEN_TAB')) {
      notes.push('The opening of this tab was not captured.')
    }
    if (!tied.some(({ payload }) => payload.type === 'CLOSE_TAB')) {
      notes.push(
        'No closing of this tab was captured: it may be open, or its CLOSE_TAB did not come here.',
      )
    }
  }
  if (entries.some(({ running }) => running.items !== null)) {
    notes.push(
      'Items are summed as price times quantity. That `price` is for one piece is an assumption: the document says no more than “Item price”.',
    )
  }
  if (unusable.length > 0) {
    const more = unusable.length > listed ? ` and ${unusable.length - listed} more` : ''
    notes.push(
      `Not a number that can be used, so it adds nothing: ${unusable.slice(0, listed).join(', ')}${more}.`,
    )
  }
  notes.push(...ordersPlacedAgain(tied))
  if (near > 0) {
    notes.push(
      'What is marked “near” is there by time and place only: the document gives no field that would tie it.',
    )
  }
  const untimed = ordered.filter(({ row }) => row.createdAt === null).length
  if (untimed > 0 && untimed < ordered.length) {
    notes.push(
      `${untimed} of ${ordered.length} have no readable \`createdAt\` and stand where they arrived, by the clock of this machine.`,
    )
  }
  if (entries.some(({ marks }) => marks.length > 0)) {
    notes.push(
      'Marks are observations, not errors: the document says nothing of delivery order, repeats or the states of a tab.',
    )
  }
  return notes
}

/** An order that was placed more than once, not as a repeat: what that means is not in the document. */
function ordersPlacedAgain(tied: readonly Placed[]): string[] {
  const events = new Map<string, Set<string>>()
  for (const { row, payload } of tied) {
    if (payload.type !== 'ORDER_PLACED' || row.target === null) continue
    const times = events.get(row.target) ?? new Set()
    events.set(row.target, times.add(String(row.createdAt ?? row.sha256)))
  }
  const again = [...events.values()].filter(({ size }) => size > 1).length
  if (again === 0) return []
  return [
    `${again === 1 ? 'One order was' : `${again} orders were`} placed more than once with different times; each total is added.`,
  ]
}
