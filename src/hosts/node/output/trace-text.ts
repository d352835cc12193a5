import { sentenceText } from '#catalogue/sentence.ts'
import { describeFindings } from '#catalogue/findings.ts'
import type { CliLine } from '#contract/cli-output.ts'
import type { Trace, TraceEntry } from '#contract/deliveries.ts'
import type { DeliverySummary, Finding } from '#contract/models.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { plural } from '#shared/text/format.ts'
import { colored } from './output.ts'
import { Table, type Column } from './table.ts'
import { formatClock, formatTime } from './text.ts'

function described(row: DeliverySummary): DeliverySummary & { findings: Finding[] } {
  return { ...row, findings: describeFindings(row) }
}

export function traceJson(deliveryId: number, trace: Trace): CliLine<'trace'> {
  const entries = trace.entries.map((entry) => ({ ...entry, delivery: described(entry.delivery) }))
  return { ...trace, deliveryId, entries }
}

export function traceText({ subject, entries, notes, truncated }: Trace, id: number): string {
  const name = subject.name === null ? '' : ` “${subject.name}”`
  const what = subject.id === '' ? 'Delivery' : `${subject.kind} ${subject.id}${name}`
  const table = new Table(traceColumns(entries, id), entries)
  return [
    `${colored('bold', escapeControls(what))}, ${plural(entries.length, 'delivery', 'deliveries')}${truncated ? ', possibly more' : ''}`,
    table.header(),
    ...entries.flatMap((entry) => [
      table.row(entry),
      ...entry.observations.map(
        ({ message }) => `          ${colored('yellow', escapeControls(message))}`,
      ),
    ]),
    ...notes.map((note) => colored('gray', escapeControls(`· ${note}`))),
  ].join('\n')
}

const totals = ['items', 'orders', 'stated'] as const

function traceColumns(entries: readonly TraceEntry[], id: number): Column<TraceEntry>[] {
  const amounts = entries.some(({ totals }) =>
    Object.values(totals).some((amount) => amount !== null),
  )
  const money = [
    { title: 'Amount', value: ({ amount }: TraceEntry) => moneyText(amount), align: 'right' },
    ...totals.map((total) => ({
      title: total,
      value: ({ totals }: TraceEntry) => moneyText(totals[total]),
      align: 'right' as const,
    })),
  ] as const
  return [
    {
      title: 'ID',
      value: ({ delivery }) => `${delivery.id === id ? '>' : ''}${delivery.id}`,
      align: 'right',
    },
    {
      title: 'Created',
      value: ({ delivery }) =>
        formatTime(delivery.createdAt ?? delivery.receivedAt, { milliseconds: true }),
      style: () => 'gray',
    },
    { title: 'Since last', value: ({ gapMs }) => gapText(gapMs), align: 'right' },
    ...(amounts ? money : []),
    { title: 'Type', value: ({ delivery }) => delivery.type ?? 'no type' },
    { title: 'Event', value: ({ delivery }) => sentenceText(delivery, formatClock) },
    {
      title: 'Linked by',
      value: ({ by }) => by,
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
