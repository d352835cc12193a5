import type { Trace, TraceEntry } from '#contract/deliveries.ts'
import { gapBetween, marksOf, repeatsOf } from './marks.ts'
import { aboutOf, type Subject } from './subject.ts'
import { type Placed, timeOf } from './traced.ts'
import { field, type Payload } from '#catalogue/payload.ts'

interface Told {
  readonly subject: Subject
  readonly ordered: readonly Placed[]
  readonly entries: readonly TraceEntry[]
  /** Fields that should have held a number, each with its delivery. */
  readonly unusable: readonly string[]
}

const listed = 5

/** What is not known of a trace, and what is assumed in it, in sentences. Pure. */
function notesOf({ subject, ordered, entries, unusable }: Told): string[] {
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
      'Items are summed as price times quantity. That `price` is for one piece is an assumption: the API documentation only says “Item price”.',
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
      'What is marked “near” is included by time and place only: the API documentation has no field that links it.',
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
      'Marks are observations, not errors: the API documentation does not describe delivery order, repeats or the states of a tab.',
    )
  }
  return notes
}

/** An order that was placed more than once, not as a repeat: what that means is not documented. */
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

export interface Collected {
  readonly subject: Subject
  readonly placed: readonly Placed[]
  /** What was learnt while looking, in sentences. */
  readonly notes: readonly string[]
  readonly truncated: boolean
}

/**
 * Puts what was collected in order and says what is to be seen: times, sums, marks, notes. Oldest first, by `createdAt` where there is
 * one, else by arrival; at the same time by arrival. Pure.
 */
export function buildTrace({
  subject,
  placed,
  notes,
  truncated,
}: Collected): Omit<Trace, 'indexedId'> {
  const ordered = placed.toSorted((a, b) => timeOf(a.row) - timeOf(b.row) || a.row.id - b.row.id)
  const tied = ordered.filter(({ relation }) => relation === 'tied')
  const marks = marksOf(tied)
  const repeats = repeatsOf(tied)
  const counts = subject.kind === 'tab' || subject.kind === 'order' || subject.kind === 'item'
  const unusable: string[] = []
  let running: TraceEntry['running'] = { items: null, orders: null, stated: null }
  let before: Placed | undefined
  const entries = ordered.map((entry): TraceEntry => {
    const { row, relation, by, payload } = entry
    const isTied = relation === 'tied'
    const read = amountOf(payload)
    if (isTied && counts && !repeats.has(row.id)) {
      for (const name of read.unusable) unusable.push(`${name} of #${row.id}`)
      if (read.amount) {
        const { to, value } = read.amount
        // What is stated replaces what was stated before; sums that are too large for a number stay as they were.
        const next = to === 'stated' ? value : sum(running[to], value)
        if (next === null) unusable.push(`the sum with #${row.id}`)
        else running = { ...running, [to]: next }
      }
    }
    const gap = isTied && before ? gapBetween(before, entry) : null
    if (isTied) before = entry
    return {
      row,
      relation,
      by,
      subject: aboutOf(entry),
      amount: read.amount?.value ?? null,
      running,
      gap,
      marks: [...(marks.get(row.id) ?? []), ...entry.marks],
    }
  })
  return {
    subject: { ...subject, name: nameOf(subject, ordered) },
    entries,
    notes: [...notesOf({ subject, ordered, entries, unusable }), ...notes],
    truncated,
  }
}

/** As it was named last. */
function nameOf({ kind, id }: Subject, ordered: readonly Placed[]): string | null {
  const names = ordered.map(aboutOf).flatMap((about) => {
    return about?.kind === kind && about.id === id && about.name !== null ? [about.name] : []
  })
  return names.at(-1) ?? null
}

/** What an event adds or states. Numbers as the service sends them: no currency is given. */
interface Amount {
  readonly to: 'items' | 'orders' | 'stated'
  readonly value: number
}

interface AmountRead {
  readonly amount: Amount | null
  /** The fields that should hold a number and do not: they add nothing. */
  readonly unusable: readonly string[]
}

/**
 * Items: price times quantity, less when removed; that `price` is for one piece is an assumption. Orders: `total`. Tab: `total` as it is
 * stated, and none is no fault, since the document contradicts itself there. Pure.
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

/** The sum as one would write it: 0.1 and 0.2 are 0.3. Null where it is too large to be a number. */
function sum(a: number | null, b: number): number | null {
  return a === null ? b : rounded(a + b, Math.max(decimals(a), decimals(b)))
}

function product(a: number, b: number): number | null {
  return rounded(a * b, decimals(a) + decimals(b))
}

/** The number, or null for what is none; without a negative zero. */
function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null
}

/** Digits after the point, as the number is written. */
function decimals(value: number): number {
  const [, fraction = '', exponent = '0'] = /(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  return Math.max(0, fraction.length - Number(exponent))
}

/** Without the noise that binary fractions leave behind the digits that there can be. */
function rounded(value: number, digits: number): number | null {
  return finite(Number(value.toFixed(Math.min(digits, 20))))
}
