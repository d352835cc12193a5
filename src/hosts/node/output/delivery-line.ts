import { amountText, sentenceText } from '#catalogue/sentence.ts'
import { causeTitle } from '#catalogue/cause-titles.ts'
import type { DeliverySummary, Verdict } from '#contract/models.ts'
import { formatSize } from '#shared/text/format.ts'
import { globals } from '../command-line/globals.ts'
import { writeJson, writeLine } from './output.ts'
import { Table, type Column } from './table.ts'
import { formatClock, formatTime } from './text.ts'

const marks = { valid: '✓', invalid: '✗', missing: '!', unsigned: '–', unchecked: '?' } as const
const styles = {
  valid: 'green',
  invalid: 'red',
  missing: 'yellow',
  unsigned: 'gray',
  unchecked: 'yellow',
} as const

/** With a mark, so that it is not shown by color alone. */
export function verdictText(verdict: Verdict): string {
  return `${marks[verdict]} ${verdict}`
}

export function verdictStyle(verdict: Verdict): (typeof styles)[Verdict] {
  return styles[verdict]
}

/** Fixed widths, for tables whose rows are not all known. */
export const deliveryColumns: readonly Column<DeliverySummary>[] = [
  { title: 'ID', value: ({ id }) => String(id), align: 'right', width: 6, style: () => 'gray' },
  { title: 'Received', value: (row) => formatTime(row.receivedAt), width: 26, style: () => 'gray' },
  {
    title: 'Verdict',
    value: ({ verdict }) => verdictText(verdict),
    width: 11,
    style: ({ verdict }) => verdictStyle(verdict),
  },
  {
    title: 'Type',
    value: ({ type, method, path }) => type ?? (`${method} ${path}`.trim() || 'not HTTP'),
    width: 18,
    style: () => 'bold',
  },
  { title: 'Status', value: statusText, width: 10 },
  { title: 'Size', value: ({ bytes }) => formatSize(bytes), align: 'right', width: 10 },
  { title: 'Event', value: (row) => sentenceText(row, formatClock), width: 44 },
  { title: 'Amount', value: ({ facts }) => amountText(facts), align: 'right', width: 8 },
  { title: 'Findings', value: findingsText, style: () => 'yellow' },
]

const lines = new Table(deliveryColumns, [])

export function deliveryLine(row: DeliverySummary): string {
  return lines.row(row)
}

/** Only JSON has the texts of findings, and loads the catalogue. */
export async function deliveryPrinter(): Promise<
  (row: DeliverySummary, text?: (row: DeliverySummary) => string) => void
> {
  if (globals.json) {
    const { describeFindings } = await import('#catalogue/findings.ts')
    return (row) => writeJson('delivery', { ...row, findings: describeFindings(row) })
  }
  return (row, text = deliveryLine) => writeLine(globals.quiet ? String(row.id) : text(row))
}

function statusText({ status, respondedBy }: DeliverySummary): string {
  const text = status === null ? 'none' : String(status)
  if (respondedBy === null) return text
  return respondedBy === 'rule' && status === null ? 'dropped' : `${respondedBy} ${text}`
}

/** The cause of an invalid signature; each finding code with its count, then a changed verdict, a request by Tabscope, and pin, note and tags. */
function findingsText({
  causes,
  findings,
  verdict,
  recheck,
  sentBy,
  pinned,
  noted,
  tags,
}: DeliverySummary) {
  return [
    ...(causes ?? []).slice(0, 1).map((cause) => `(${causeTitle(cause.code)})`),
    ...countedCodes(findings),
    ...(recheck && recheck.verdictAtArrival !== verdict
      ? [`(${recheck.verdictAtArrival} at arrival)`]
      : []),
    ...(sentBy === null ? [] : [`(${sentBy} by Tabscope)`]),
    ...(pinned ? ['(pinned)'] : []),
    ...(noted ? ['(note)'] : []),
    ...tags.map((tag) => `#${tag}`),
  ].join(' ')
}

function countedCodes(findings: DeliverySummary['findings']): string[] {
  const counts = new Map<string, number>()
  for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts].map(([code, count]) => (count === 1 ? code : `${code} ×${count}`))
}
