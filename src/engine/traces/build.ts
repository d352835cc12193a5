import type { Trace, TraceEntry } from '#contract/deliveries.ts'
import { gapBetween, marksOf, repeatsOf } from './marks.ts'
import { aboutOf, type Subject, type Placed, timeOf } from './model.ts'
import { field, type Payload } from '#catalogue/payload.ts'

interface BuiltTrace {
  readonly subject: Subject
  readonly ordered: readonly Placed[]
  readonly entries: readonly TraceEntry[]
  /** Fields without the expected number, each with its delivery. */
  readonly unusable: readonly string[]
}

const maxListed = 5

/** Gaps and assumptions, in sentences. Pure. */
function notesOf({ subject, ordered, entries, unusable }: BuiltTrace): string[] {
  const tied = ordered.filter(({ relation }) => relation === 'linked')
  const near = ordered.length - tied.length
  const notes: string[] = []
  if (subject.id === '') {
    notes.push('This delivery has no target ID, so no other delivery can be linked to it.')
  }
  if (subject.kind === 'tab') {
    if (!tied.some(({ payload }) => payload.type === 'OPEN_TAB')) {
      notes.push('The OPEN_TAB event of this tab was not captured.')
    }
    if (!tied.some(({ payload }) => payload.type === 'CLOSE_TAB')) {
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
    notes.push(
      `Ignored because it is not a usable number: ${unusable.slice(0, maxListed).join(', ')}${more}.`,
    )
  }
  notes.push(...ordersPlacedAgain(tied))
  if (near > 0) {
    notes.push(
      'Events marked “near” are included by time and place only: the API documentation has no field that links them.',
    )
  }
  const untimed = ordered.filter(({ row }) => row.createdAt === null).length
  if (untimed > 0 && untimed < ordered.length) {
    notes.push(
      `${untimed} of ${ordered.length} have no readable \`createdAt\` and are sorted by the time this computer received them.`,
    )
  }
  if (entries.some(({ observations }) => observations.length > 0)) {
    notes.push(
      'Marks are observations, not errors: the API documentation does not describe delivery order, repeats or the states of a tab.',
    )
  }
  return notes
}

/** Orders that were placed again, other than as a repeat: the API documentation does not say what this means. */
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
    `${again === 1 ? '1 order was' : `${again} orders were`} placed more than once with different times; each total is added.`,
  ]
}

export interface Collected {
  readonly subject: Subject
  readonly placed: readonly Placed[]
  readonly notes: readonly string[]
  readonly truncated: boolean
}

/** Adds times, sums, marks and notes. Sorts by `createdAt`, or by the time received if there is none; at equal times by ID. Pure. */
export function buildTrace({
  subject,
  placed,
  notes,
  truncated,
}: Collected): Omit<Trace, 'indexedId'> {
  const ordered = placed.toSorted((a, b) => timeOf(a.row) - timeOf(b.row) || a.row.id - b.row.id)
  const tied = ordered.filter(({ relation }) => relation === 'linked')
  const marks = marksOf(tied)
  const repeats = repeatsOf(tied)
  const counts = subject.kind === 'tab' || subject.kind === 'order' || subject.kind === 'item'
  const unusable: string[] = []
  let totals: TraceEntry['totals'] = { items: null, orders: null, stated: null }
  let before: Placed | undefined
  const entries = ordered.map((entry): TraceEntry => {
    const { row: delivery, relation, by, payload } = entry
    const isTied = relation === 'linked'
    const read = amountOf(payload)
    if (isTied && counts && !repeats.has(delivery.id)) {
      for (const name of read.unusable) unusable.push(`${name} of #${delivery.id}`)
      if (read.amount) {
        const { to, value } = read.amount
        // A stated total replaces the previous one. Sums too large for a number stay unchanged.
        const next = to === 'stated' ? value : sum(totals[to], value)
        if (next === null) unusable.push(`the sum with #${delivery.id}`)
        else totals = { ...totals, [to]: next }
      }
    }
    const gapMs = isTied && before ? gapBetween(before, entry) : null
    if (isTied) before = entry
    return {
      delivery,
      relation,
      by,
      subject: aboutOf(entry),
      amount: read.amount?.value ?? null,
      totals,
      gapMs,
      observations: [...(marks.get(delivery.id) ?? []), ...entry.marks],
    }
  })
  return {
    subject: { ...subject, name: latestName(subject, ordered) },
    entries,
    notes: [...notesOf({ subject, ordered, entries, unusable }), ...notes],
    truncated,
  }
}

function latestName({ kind, id }: Subject, ordered: readonly Placed[]): string | null {
  const names = ordered.map(aboutOf).flatMap((about) => {
    return about?.kind === kind && about.id === id && about.name !== null ? [about.name] : []
  })
  return names.at(-1) ?? null
}

/** Added or stated by an event, without a currency, as the service sends it. */
interface Amount {
  readonly to: 'items' | 'orders' | 'stated'
  readonly value: number
}

interface AmountRead {
  readonly amount: Amount | null
  /** Fields without the expected number. They add nothing. */
  readonly unusable: readonly string[]
}

/**
 * Items: price times quantity, negative when removed; that `price` is the price of one piece is an assumption. Orders: `total`. Tabs: `total` as
 * stated; it may be missing, because the API documentation is contradictory there. Pure.
 */
function amountOf({ type, data }: Payload): AmountRead {
  switch (type) {
    case 'ITEM_ADDED':
    case 'ITEM_REMOVED': {
      const price = finite(field(data, 'price'))
      const quantity = finite(field(data, 'quantity'))
      const value = price === null || quantity === null ? null : product(price, quantity)
      if (value === null) {
        const wrong = [price === null && 'data.price', quantity === null && 'data.quantity']
        const names = wrong.filter((name) => name !== false)
        return { amount: null, unusable: names.length > 0 ? names : ['data.price'] }
      }
      return {
        amount: { to: 'items', value: type === 'ITEM_ADDED' ? value : 0 - value },
        unusable: [],
      }
    }
    case 'ORDER_PLACED':
      return total('orders', field(data, 'total'), true)
    case 'OPEN_TAB':
      return total('stated', field(data, 'total'), false)
    default:
      return { amount: null, unusable: [] }
  }
}

function total(to: Amount['to'], sent: unknown, required: boolean): AmountRead {
  const value = finite(sent)
  if (value !== null) return { amount: { to, value }, unusable: [] }
  return { amount: null, unusable: required || sent !== undefined ? ['data.total'] : [] }
}

/** Adds decimal numbers without binary noise: 0.1 + 0.2 is 0.3. Null if the result is too large for a number. */
function sum(a: number | null, b: number): number | null {
  return a === null ? b : rounded(a + b, Math.max(decimals(a), decimals(b)))
}

function product(a: number, b: number): number | null {
  return rounded(a * b, decimals(a) + decimals(b))
}

/** Without negative zero; null if the value is not a finite number. */
function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null
}

function decimals(value: number): number {
  const [, fraction = '', exponent = '0'] = /(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  return Math.max(0, fraction.length - Number(exponent))
}

function rounded(value: number, digits: number): number | null {
  return finite(Number(value.toFixed(Math.min(digits, 20))))
}
