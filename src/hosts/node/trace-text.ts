import type { Related, Trace, TraceEntry } from '#contract/deliveries.ts'
import { printable } from '../printable.ts'
import { deliveryLine } from './delivery-line.ts'
import { coloured } from './output.ts'
import { counted, formatTime } from './text.ts'

/** A trace as people read it in a terminal; `id` is the delivery that was asked about. */
export function traceText({ subject, entries, notes, truncated }: Trace, id: number): string {
  const name = subject.name === null ? '' : ` “${subject.name}”`
  const what = subject.id === '' ? 'Delivery' : `${subject.kind} ${subject.id}${name}`
  const amounts = entries.some(({ running }) => Object.values(running).some((one) => one !== null))
  return [
    `${coloured('bold', printable(what))}, ${counted(entries.length, 'delivery', 'deliveries')}${truncated ? ', and there may be more that are not shown' : ''}`,
    ...(amounts ? [coloured('gray', columns('id', 'created, UTC', 'since', 'amount', sums))] : []),
    ...entries.flatMap((entry) => entryLines(entry, { current: entry.row.id === id, amounts })),
    ...notes.map((note) => coloured('gray', printable(`· ${note}`))),
  ].join('\n')
}

const sums = ['items', 'orders', 'stated'] as const

function columns(
  id: string,
  time: string,
  gap: string,
  amount: string,
  running: readonly string[],
): string {
  const money = [amount, ...running].map((text) => text.padStart(9))
  return `${id.padStart(8)}  ${time.padEnd(23)} ${gap.padStart(9)} ${money.join('')}`
}

function entryLines(
  { row, relation, by, amount, running, gap, marks }: TraceEntry,
  { current, amounts }: { current: boolean; amounts: boolean },
): string[] {
  const at = new Date(row.createdAt ?? row.receivedAt)
  const time = Number.isNaN(at.getTime()) ? '?' : at.toISOString().slice(0, 23).replace('T', ' ')
  const mark = current ? '>' : relation === 'near' ? '~' : ' '
  const numbers = amounts ? sums.map((sum) => money(running[sum])) : []
  const line = columns(
    `${mark}${row.id}`,
    time,
    gap === null ? '' : `+${(gap / 1000).toFixed(3)} s`.replace('+-', '-'),
    amounts ? money(amount) : '',
    numbers,
  )
  const type = (row.type ?? 'no type').padEnd(18)
  const words = `${printable(type)} ${printable(row.title)}`
  const why = coloured('gray', printable(relation === 'near' ? `near, by ${by}` : `by ${by}`))
  return [
    `${line}  ${current ? coloured('bold', words) : words}  ${why}`.trimEnd(),
    ...marks.map(({ text }) => `          ${coloured('yellow', printable(text))}`),
  ]
}

function money(value: number | null): string {
  return value === null ? '–' : String(value)
}

/** What is like a delivery, as people read it in a terminal. */
export function relatedText({ sameBody, sameEvent, throttle, indexed }: Related): string {
  return [
    ...alike('the same bytes', sameBody),
    ...alike('the same event (type, target, location, createdAt) in other bytes', sameEvent),
    replayed,
    ...(throttle
      ? [
          `If the same guest rescans ${printable(throttle.name ?? throttle.target)}, no event comes before ${formatTime(throttle.until)}.`,
          `${throttle.events} events in the 5 minutes up to this one: at least ${throttle.guestsAtLeast} guests, if the throttle holds.`,
        ]
      : []),
    ...(indexed
      ? []
      : ['The search index has not come as far as this delivery: there may be more.']),
  ].join('\n')
}

const replayed = coloured(
  'gray',
  'There is no delivery id and no signed time of sending in the document, so any capture could be replayed for ever. A handler can remember type, target and createdAt for some days, do the same again without harm, and refuse a createdAt that is very old: it is in the body, so it is signed.',
)

function alike(what: string, { total, rows }: Related['sameBody']): string[] {
  if (total === 0) return [`None with ${what}.`]
  const more = total > rows.length ? `, the newest ${rows.length}` : ''
  return [`${total} with ${what}${more}:`, ...rows.map(deliveryLine)]
}
