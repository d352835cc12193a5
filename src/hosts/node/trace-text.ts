import type { RelatedOutput, TraceOutput } from '#contract/cli-output/deliveries.ts'
import type { Related, Trace, TraceEntry } from '#contract/deliveries.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { visible } from '#shared/text/visible.ts'
import { plural } from '#shared/text/format.ts'
import { deliveryColumns, deliveryOutput } from './delivery-line.ts'
import { colored } from './output.ts'
import { Table, type Column } from './table.ts'
import { formatTime, roundMs } from './text.ts'

/** A delivery nested in another object. */
function listed(row: DeliverySummary): Omit<ReturnType<typeof deliveryOutput>, 'event'> {
  const { event: _, ...rest } = deliveryOutput(row)
  return rest
}

/** The trace of a delivery as `--json` prints it. */
export function traceOutput(deliveryId: number, trace: Trace): TraceOutput {
  return {
    event: 'trace',
    deliveryId,
    subject: subjectOutput(trace.subject),
    entries: trace.entries.map((entry) => ({
      delivery: listed(entry.row),
      createdAt: entry.row.createdAt === null ? null : Math.floor(entry.row.createdAt),
      title: entry.row.title,
      relation: entry.relation === 'tied' ? 'linked' : 'near',
      by: entry.by,
      subject: entry.subject && subjectOutput(entry.subject),
      amount: entry.amount,
      totals: {
        items: entry.running.items,
        orders: entry.running.orders,
        stated: entry.running.stated,
      },
      gapMs: entry.gap === null ? null : roundMs(entry.gap),
      observations: entry.marks.map(({ code, text }) => ({ code, message: text })),
    })),
    notes: trace.notes,
    truncated: trace.truncated,
    indexedDeliveryId: trace.indexedId,
  }
}

function subjectOutput({ kind, id, name }: NonNullable<TraceEntry['subject']>) {
  return { kind, id, name }
}

/** The trace of delivery `id` as text: a table, observations below their delivery, and notes. */
export function traceText({ subject, entries, notes, truncated }: Trace, id: number): string {
  const name = subject.name === null ? '' : ` “${subject.name}”`
  const what = subject.id === '' ? 'Delivery' : `${subject.kind} ${subject.id}${name}`
  const table = new Table(traceColumns(entries, id), entries)
  return [
    `${colored('bold', visible(what))}, ${plural(entries.length, 'delivery', 'deliveries')}${truncated ? ', possibly more' : ''}`,
    table.header(),
    ...entries.flatMap((entry) => [
      table.row(entry),
      ...entry.marks.map(({ text }) => `          ${colored('yellow', visible(text))}`),
    ]),
    ...notes.map((note) => colored('gray', visible(`· ${note}`))),
  ].join('\n')
}

const totals = ['items', 'orders', 'stated'] as const

function traceColumns(entries: readonly TraceEntry[], id: number): Column<TraceEntry>[] {
  const amounts = entries.some(({ running }) =>
    Object.values(running).some((amount) => amount !== null),
  )
  const money = [
    { title: 'Amount', value: ({ amount }: TraceEntry) => moneyText(amount), align: 'right' },
    ...totals.map((total) => ({
      title: total,
      value: ({ running }: TraceEntry) => moneyText(running[total]),
      align: 'right' as const,
    })),
  ] as const
  return [
    { title: 'ID', value: ({ row }) => `${row.id === id ? '>' : ''}${row.id}`, align: 'right' },
    {
      title: 'Created',
      value: ({ row }) => formatTime(row.createdAt ?? row.receivedAt, { milliseconds: true }),
      style: () => 'gray',
    },
    { title: 'Since last', value: ({ gap }) => gapText(gap), align: 'right' },
    ...(amounts ? money : []),
    { title: 'Type', value: ({ row }) => row.type ?? 'no type' },
    { title: 'Title', value: ({ row }) => row.title },
    {
      title: 'Linked by',
      value: ({ relation, by }) => (relation === 'near' ? `near: ${by}` : by),
      style: () => 'gray',
    },
  ]
}

function gapText(ms: number | null): string {
  return ms === null ? '' : `${ms < 0 ? '' : '+'}${(ms / 1000).toFixed(3)} s`
}

function moneyText(value: number | null): string {
  return value === null ? '–' : String(value)
}

/** Related deliveries as `--json` prints them. */
export function relatedOutput(deliveryId: number, related: Related): RelatedOutput {
  const { sameBody, sameEvent, throttle, indexed } = related
  return {
    event: 'related',
    deliveryId,
    sameBody: { total: sameBody.total, deliveries: sameBody.rows.map(listed) },
    sameEvent: { total: sameEvent.total, deliveries: sameEvent.rows.map(listed) },
    throttle: throttle && {
      target: throttle.target,
      name: throttle.name,
      endsAt: Math.floor(throttle.until),
      events: throttle.events,
      minimumGuests: throttle.guestsAtLeast,
    },
    indexed,
  }
}

/** Related deliveries as text. */
export function relatedText({ sameBody, sameEvent, throttle, indexed }: Related): string {
  return [
    ...similar('the same bytes', sameBody),
    ...similar('the same event (type, target, location, createdAt) but different bytes', sameEvent),
    colored('gray', replayNote),
    ...(throttle
      ? [
          `If the same guest scans ${visible(throttle.name ?? throttle.target)} again, no event is sent before ${formatTime(throttle.until)}.`,
          `${plural(throttle.events, 'event', 'events')} in the last 5 minutes: at least ${plural(throttle.guestsAtLeast, 'guest', 'guests')}, if the throttle works as documented.`,
        ]
      : []),
    ...(indexed ? [] : ['This delivery is not in the search index yet. Results may be missing.']),
  ].join('\n')
}

const replayNote =
  'The API documentation defines no delivery ID and no signed timestamp of sending, so a captured delivery can be replayed at any time. To protect a handler, make it idempotent, remember type, target and createdAt for several days, and reject a very old createdAt, which is signed as part of the body.'

function similar(what: string, { total, rows }: Related['sameBody']): string[] {
  if (total === 0) return [`No deliveries with ${what}.`]
  const shown = total > rows.length ? `, the newest ${rows.length}` : ''
  const table = new Table(deliveryColumns, rows)
  return [
    `${plural(total, 'delivery', 'deliveries')} with ${what}${shown}:`,
    table.header(),
    ...rows.map((row) => table.row(row)),
  ]
}
