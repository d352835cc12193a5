import { brokenResult } from '#contract/broken-signature.ts'
import type { AttemptsInput, AttemptsPage } from '#engine/sending/store/attempts.ts'
import type { CliLine } from '#contract/cli-output.ts'
import type { Attempt, AttemptSummary } from '#contract/sending.ts'
import { formatSize } from '#shared/text/format.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { Table, type Column } from './table.ts'
import { bodyJson, colored } from './output.ts'
import { facts, formatTime, roundMs } from './text.ts'

export function succeeded({ status }: { status: number | null }): boolean {
  return status !== null && status >= 200 && status < 300
}

export function attemptJson(attempt: Attempt, body: Uint8Array): CliLine<'attempt'> {
  const { response } = attempt
  return { ...attempt, response: response && { ...response, ...bodyJson(body) } }
}

const comparisonTexts = {
  same: 'same result as the previous attempt',
  fixed: 'fixed: the previous attempt had no 2xx response',
  regressed: 'regressed: the previous attempt had a 2xx response',
} as const

const brokenTexts = {
  refused: 'refused as expected: the signature was broken on purpose',
  accepted: 'accepted although the signature was broken on purpose',
} as const

function attemptStyle(attempt: AttemptSummary): 'green' | 'red' {
  const broken = brokenResult(attempt)
  return (broken === null ? succeeded(attempt) : broken === 'refused') ? 'green' : 'red'
}

function statusText({ status }: AttemptSummary): string {
  return status === null ? 'no response' : String(status)
}

function durationText({ durationMs }: AttemptSummary): string {
  return `${durationMs.toFixed(0)} ms`
}

function resultText(attempt: AttemptSummary): string {
  const { comparison, error } = attempt
  const broken = brokenResult(attempt)
  const parts = [
    attempt.scriptFailed ? 'the script failed' : '',
    comparison === null ? '' : comparisonTexts[comparison],
    broken === null ? '' : brokenTexts[broken],
    error?.message ?? '',
  ]
  return parts.filter((part) => part !== '').join('; ')
}

function signatureText({ signing, secretName }: AttemptSummary): string {
  const secret = secretName === null ? '' : ` with ${secretName}`
  switch (signing) {
    case 'kept':
      return 'as captured'
    case 'signed':
      return `signed${secret}`
    case 'broken':
      return `broken on purpose${secret}`
    case 'none':
      return 'not signed'
  }
}

/** Fixed widths, for tables whose rows are not all known. */
export const attemptColumns: readonly Column<AttemptSummary>[] = [
  { title: 'ID', value: ({ id }) => String(id), align: 'right', width: 6, style: () => 'gray' },
  {
    title: 'Delivery',
    value: ({ deliveryId }) => (deliveryId === null ? '–' : String(deliveryId)),
    align: 'right',
    width: 8,
  },
  { title: 'Sent', value: ({ sentAt }) => formatTime(sentAt), width: 26, style: () => 'gray' },
  { title: 'Status', value: statusText, width: 11, style: attemptStyle },
  { title: 'Duration', value: durationText, align: 'right', width: 8 },
  { title: 'Request', value: ({ method, url }) => `${method} ${url}`, width: 40 },
  { title: 'Signature', value: signatureText, width: 11, style: () => 'gray' },
  { title: 'Result', value: resultText, style: attemptStyle },
]

const pageSize = 200

/** Or the newest `limit`, newest first. */
export async function allAttempts(
  read: (input: AttemptsInput) => Promise<AttemptsPage>,
  of: { deliveryId?: number | undefined; jobId?: number | undefined },
  limit = Number.POSITIVE_INFINITY,
): Promise<{ rows: AttemptSummary[]; total: number; notForwarded: string[] }> {
  const rows: AttemptSummary[] = []
  for (;;) {
    const page = await read({
      ...of,
      before: rows.at(-1)?.id,
      limit: Math.min(pageSize, limit - rows.length),
    })
    rows.push(...page.rows)
    if (page.rows.length < pageSize || rows.length >= limit) return { ...page, rows }
  }
}

export const attemptTable = new Table(attemptColumns, [])

export function attemptLine(attempt: AttemptSummary): string {
  return attemptTable.row(attempt)
}

/** Below the line of its delivery: `     7  → 127.0.0.1:3000  401  18 ms`. */
export function forwardLine(attempt: AttemptSummary): string {
  const { deliveryId, url, tryNumber } = attempt
  const result = [...(tryNumber > 1 ? [`try ${tryNumber}`] : []), resultText(attempt)].join('; ')
  const host = escapeControls(URL.parse(url)?.host ?? url)
  const status = colored(attemptStyle(attempt), statusText(attempt))
  const id = colored('gray', String(deliveryId ?? '–').padStart(6))
  return `${id}  → ${host}  ${status}  ${durationText(attempt)}  ${escapeControls(result)}`.trimEnd()
}

export function attemptText(attempt: Attempt): string {
  const result = resultText(attempt)
  const { response, timings } = attempt
  return facts([
    ['Attempt', attempt.id],
    ['Delivery', attempt.deliveryId],
    ['Sent', formatTime(attempt.sentAt, { milliseconds: true })],
    ['Request', `${attempt.method} ${attempt.url}, ${formatSize(attempt.requestBytes)}`],
    ['Signature', signatureText(attempt)],
    [
      'Response',
      response === null
        ? 'none'
        : `${response.status} ${response.statusText}`.trimEnd() +
          `, ${formatSize(attempt.responseBytes)}`,
    ],
    ['Duration', timings === null ? durationText(attempt) : timingsText(timings)],
    ['Result', result || null],
    ...attempt.notes.map((note) => ['Note', note] as const),
  ])
}

/** `182.4 ms (DNS 1.2 ms, connect 3 ms, first byte 150 ms)` */
function timingsText({
  dnsMs,
  connectMs,
  tlsMs,
  firstByteMs,
  totalMs,
}: NonNullable<Attempt['timings']>) {
  const phases = [
    ['DNS', dnsMs],
    ['connect', connectMs],
    ['TLS', tlsMs],
    ['first byte', firstByteMs],
  ] as const
  const parts = phases.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${roundMs(ms)} ms`]))
  return `${roundMs(totalMs)} ms${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`
}
