import type { DeliverySummary, Verdict } from '#contract/models.ts'
import { coloured } from './output.ts'
import { printable } from '../printable.ts'

/** A delivery as scripts read it. The keys are stable; the last two and `verdictAtArrival` stand only where there is something to say. */
export function deliveryEvent(row: DeliverySummary): object {
  return {
    event: 'delivery',
    id: row.id,
    receivedAt: Math.floor(row.receivedAt),
    method: row.method,
    path: row.path,
    type: row.type,
    target: row.target,
    verdict: row.verdict,
    ...(row.recheck ? { verdictAtArrival: row.recheck.verdictAtArrival } : {}),
    findings: row.findings.map(({ code }) => code),
    bytes: row.bytes,
    sha256: row.sha256,
    status: row.status,
    ...(row.answeredBy === null ? {} : { answeredBy: row.answeredBy }),
    ...(row.own === null ? {} : { own: row.own }),
  }
}

const marks: Readonly<
  Record<Verdict, { text: string; style: 'green' | 'red' | 'yellow' | 'gray' }>
> = {
  valid: { text: '✓ valid   ', style: 'green' },
  invalid: { text: '✗ invalid ', style: 'red' },
  missing: { text: '! missing ', style: 'yellow' },
  unsigned: { text: '– unsigned', style: 'gray' },
  unchecked: { text: '? unchecked', style: 'yellow' },
}

/** A delivery as people read it: one line, whatever is in it. */
export function deliveryLine(row: DeliverySummary): string {
  const { text, style } = marks[row.verdict]
  const time = new Date(row.receivedAt).toISOString().slice(11, 23)
  const type = printable(row.type ?? `${row.method} ${row.path}`)
  return [
    coloured('gray', String(row.id).padStart(6)),
    coloured('gray', time),
    coloured(style, text.padEnd(11)),
    coloured('bold', type.padEnd(18)),
    printable(row.title),
    coloured(
      'gray',
      [answerText(row), `${row.bytes} bytes`, ...recheckText(row), ...ownText(row)].join(', '),
    ),
    row.findings.length > 0
      ? coloured('yellow', printable(row.findings.map(({ code }) => code).join(' ')))
      : '',
  ]
    .join('  ')
    .trimEnd()
}

/** What we answered, and what decided that where it was not the usual. */
function answerText({ status, answeredBy }: DeliverySummary): string {
  switch (answeredBy) {
    case 'rule':
      return status === null ? 'dropped by a response rule' : `${status} by a response rule`
    case 'target':
      return `${status ?? 'no answer'} by the target`
    case null:
      return status === null ? 'no answer' : String(status)
  }
}

/** Where a check after arrival found another verdict. */
function recheckText({ verdict, recheck }: DeliverySummary): string[] {
  if (!recheck || recheck.verdictAtArrival === verdict) return []
  return [`${recheck.verdictAtArrival} when it arrived`]
}

function ownText({ own }: DeliverySummary): string[] {
  return own === null ? [] : [`from Tabscope itself (${printable(own)})`]
}
