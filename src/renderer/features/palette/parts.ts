import type { DeliverySummary } from '#contract/models.ts'
import { searchTermsOf } from '../../components/text/search-terms.ts'
import { deliveryAddress, filterAddress } from '../deliveries/address.ts'
import type { Scope } from '../deliveries/scope/scope.ts'
import { closeDelivery } from '../deliveries/store.ts'
import { deliveryMarks, filterOf, meansOne, numberIn } from './look-for.ts'
import type { Offered, Section } from './sections.ts'
import type { Found } from './use-found.ts'

/** One thing that can be chosen. `id` is unique in the list. */
export type Choice =
  | ({ readonly kind: 'entry'; readonly id: string } & Offered)
  | {
      readonly kind: 'delivery'
      readonly id: string
      readonly row: DeliverySummary
      /** What of it was matched. */
      readonly marks: ReturnType<typeof deliveryMarks>
    }
  /** The delivery whose number was written, before it is known whether there is one. */
  | { readonly kind: 'number'; readonly id: string; readonly number: number }
  | { readonly kind: 'filter'; readonly id: string; readonly filter: string }

export interface Part {
  readonly title: string
  readonly choices: readonly Choice[]
}

/** All that is offered, in the order in which it is shown. */
export function partsOf(
  query: string,
  sections: readonly Section[],
  { rows, looking }: Pick<Found, 'rows' | 'looking'>,
): readonly Part[] {
  const words = searchTermsOf(query)
  const entries = sections.map(({ title, offered }) => ({
    title,
    choices: offered.map((one) => ({ kind: 'entry' as const, id: one.entry.id, ...one })),
  }))
  const known: readonly Choice[] = rows.map((row) => ({
    kind: 'delivery',
    id: deliveryId(row.id),
    row,
    marks: deliveryMarks(words, row),
  }))
  const number = numberIn(query)
  // Whoever types on and presses Enter must not have to wait until it is found.
  const guess: readonly Choice[] =
    number === null || !looking || rows.some(({ id }) => id === number)
      ? []
      : [{ kind: 'number', id: deliveryId(number), number }]
  const deliveries = {
    title: query.trim() === '' ? 'Newest deliveries' : 'Deliveries',
    choices: [...guess, ...known],
  }
  // What cannot be a command is a delivery; and before anything is typed, what came last is nearer than all that one could do.
  const before =
    query.trim() === '' ? sections.length - 1 : number !== null || meansOne(query) ? 0 : 1
  const filter = number !== null && meansOne(query) ? '' : filterOf(query)
  const parts: Part[] = [...entries.slice(0, before), deliveries, ...entries.slice(before)]
  if (filter !== '') {
    parts.push({ title: 'Filter', choices: [{ kind: 'filter', id: 'filter', filter }] })
  }
  return parts.filter(({ choices }) => choices.length > 0)
}

/** What is said where nothing but the way to the filter is offered; null: something is, or it is still looked for. */
export function nothingFound(query: string, parts: readonly Part[], found: Found): string | null {
  const some = parts.some(({ choices }) => choices.some(({ kind }) => kind !== 'filter'))
  if (query.trim() === '' || some || found.looking) return null
  if (meansOne(query)) return 'There is no such delivery.'
  return found.whole
    ? 'No command, delivery or setting is called so.'
    : 'Nothing is called so, and not every delivery was looked through. The filter goes on.'
}

/** The same before and after it is found. */
function deliveryId(id: number): string {
  return `delivery:${id}`
}

/** What choosing does, in the scope of deliveries that was looked through. */
export function doneBy(choice: Choice, scope: Scope): () => void {
  switch (choice.kind) {
    case 'entry':
      return choice.entry.run
    case 'delivery':
      return () => location.assign(deliveryAddress(choice.row.id, scope))
    case 'number':
      return () => location.assign(deliveryAddress(choice.number, scope))
    case 'filter':
      return () => {
        location.assign(filterAddress(choice.filter, scope))
        // It would hide the list in a small window.
        closeDelivery()
      }
  }
}
